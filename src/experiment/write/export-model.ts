/**
 * A model's representation as a model of its own: reference and representation resolved, scores taken from the ledger,
 * written in one of three formats.
 */
import type { ModelOptions } from '#model/passes'
import { assertDefault, openModelParts, type Model, readModules, statesOf } from '#model/checkpoint'
import { openRepresentation, representationName, representationsNamed, toWhole } from '#representation/layers'
import { type Exported, type ExportOptions as FormOptions, exportTo, type QuotedScore } from '#representation/export'
import { listResults, scoreMeans, type StoredResult } from '#result/ledger'
import { toCardScores } from '#result/exports'
import { findTasks } from '#task/registry'
import { listOrigins, readConfig, resolveModel } from '#experiment/open'
import { readCards } from './read-cards.ts'
import { refuseInputAsTarget } from './refuse-target.ts'
import { readTokenizerFiles } from './tokenizer-files.ts'

export interface ExportModelOptions
  extends
    Omit<FormOptions, 'cards' | 'scores' | 'insideLimit'>,
    Pick<ModelOptions, 'pooling' | 'finalNorm' | 'maxLength'> {
  /** `default`, `h4`, `h4-cls`, `default:128`, or the path of a representation file. */
  representation: string
  /** Output folder. */
  out: string
  /** Folder of results whose scores the card quotes. */
  outputFolder?: string | undefined
}

/**
 * Writes a representation as a model of its own: a folder that sentence-transformers, transformers or ONNX Runtime
 * loads, and that gives the same vectors. Throws what opening throws, `representation.unknown`, `usage.conflict` for a
 * representation that the format cannot express, and what writing throws.
 *
 * @example
 * ```ts
 * import { exportModel, openModel } from 'strata-lm/layers'
 *
 * await exportModel('assets/models/stories260K', { representation: 'h3', as: 'sentence-transformers', out: 'smaller' })
 * const smaller = await openModel('smaller')
 * console.log(smaller.states?.count) // → 4
 * await smaller.close()
 * ```
 */
export async function exportModel(reference: string, options: ExportModelOptions): Promise<Exported> {
  const { representation: named, out, outputFolder, pooling, finalNorm, maxLength, ...rest } = options
  const { signal, onProgress } = rest
  const parts = await resolveModel(reference, { signal, onProgress })
  try {
    await refuseInputAsTarget([{ model: reference, files: parts.body }], out)
    const model = await openModelParts(parts, { pooling, finalNorm, maxLength })
    statesOf(model)
    const [representation = { kind: 'default' as const }] = await representationsNamed([named], model)
    // dimensions beyond the width are refused before anything is written
    if (representation.kind === 'sized') await openRepresentation(model, representation)
    if (toWhole(representation).kind === 'default') assertDefault(model)
    const revision = await model.revision()
    return await exportTo(
      {
        model: reference,
        revision,
        config: await readConfig(parts.body),
        configText: await parts.body.text('config.json'),
        tensors: model.tensors,
        settings: model.settings,
        modules: await readModules(parts.files),
        tokenizer: await readTokenizerFiles(parts.body),
        representation,
      },
      out,
      {
        ...rest,
        cards: await readCards(listOrigins(parts)),
        scores:
          outputFolder === undefined
            ? []
            : await quotedScores(outputFolder, model, revision, representationName(representation)),
      },
    )
  } finally {
    await parts.tensors.close()
  }
}

/** Finished results of the representation, read with the same settings, in the order of tasks. */
async function quotedScores(
  root: string,
  { name, overrides }: Model,
  revision: string,
  representation: string,
): Promise<QuotedScore[]> {
  const resultsOf = async (seen: string): Promise<Map<string, { mean: number; result: StoredResult }>> => {
    const label = [seen, ...overrides].join('+')
    const listed = await listResults(root, {
      models: [name],
      revisions: [revision],
      representations: [label],
      status: 'ok',
    })
    return new Map(
      listed.flatMap(({ task, result }) => {
        const mean = result === undefined ? null : scoreMeans(result.scores ?? {}).all
        return mean === null || result === undefined ? [] : [[task, { mean, result }] as const]
      }),
    )
  }
  const [own, whole] = [await resultsOf(representation), await resultsOf('default')]
  const known = own.size === 0 ? [] : (await findTasks(['*'], { runnable: false })).tasks
  return [...own]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([task, { mean, result }]) => ({
      task,
      score: mean,
      whole: whole.get(task)?.mean,
      parts: toCardScores(
        result,
        known.find(({ name }) => name === task),
      ),
    }))
}

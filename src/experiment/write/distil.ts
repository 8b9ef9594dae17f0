/**
 * Distillation: each token of a model's vocabulary passes the model by itself, and its vector becomes a row of a static
 * table, in a folder that Strata, model2vec and sentence-transformers open.
 */
import { join } from 'node:path'
import { quantity, version } from '#core'
import { writeSafetensors } from '#files/formats'
import { openOutputFolder } from '#platform/disk'
import { planTable, type TableDtype } from '#model/distill'
import { poolingNamed } from '#model/passes'
import { staticTokenizer, type VocabularyCounts } from '#model/tokenizer'
import { statesOf } from '#model/checkpoint'
import { openTokenRows, representationName } from '#representation/layers'
import type { Teacher } from '#experiment/open'
import { type DistilOptions, type DistilSettings, readDistilSettings, type TokenPooling } from './distil-settings.ts'
import { distilledCard, distilledConfig, distilledModules, maxLength } from './distilled-files.ts'
import { makeTable } from './distilled-table.ts'
import { refuseInputAsTarget } from './refuse-target.ts'
import { tokenVectors, type TokenSources } from './token-vectors.ts'

export interface DistilPlan {
  readonly model: string
  readonly representation: string
  readonly pooling: TokenPooling
  readonly tokens: number
  /** Rows of the table, where tokens share them. */
  readonly clusters: number | undefined
  readonly counts: VocabularyCounts
  /** Width of the model's state. */
  readonly stateWidth: number
  /** Undefined where a share of the variance decides it. */
  readonly width: number | undefined
  readonly dtype: TableDtype
  /** Bytes of the tensors. */
  readonly bytes: number | undefined
  readonly modelBytes: number
  readonly workingBytes: number
  readonly notes: readonly string[]
}

export interface Distilled extends DistilPlan {
  readonly folder: string
  readonly width: number
  readonly bytes: number
  /** Share of the variance that the components explain; null without them. */
  readonly explained: number | null
}

export interface Distillation {
  readonly plan: DistilPlan
  write(target: string): Promise<Distilled>
}

/**
 * Plans the table; nothing passes the model before `write`. Throws `usage.conflict` for a model without hidden states,
 * `tokenizer.*`, `usage.value`, `representation.*`; writing also throws `tensor.value` (no finite vector) and
 * `file.write`.
 *
 * @example
 * ```ts
 * import { openTeacher, openDistillation } from 'strata-lm/distill'
 *
 * const teacher = await openTeacher('assets/models/stories260K')
 * const distillation = await openDistillation(teacher, { dims: 32 })
 * console.log(distillation.plan.tokens, distillation.plan.width) // → 510 32
 * await teacher.model.close()
 * ```
 */
export async function openDistillation(teacher: Teacher, options: DistilOptions = {}): Promise<Distillation> {
  const settings = readDistilSettings(options)
  const { model } = teacher
  const tokenizer = await statesOf(model).tokenizer()
  const rows = openTokenRows(
    model,
    settings.representation,
    poolingNamed(settings.pooling === 'first' ? 'cls' : settings.pooling),
  )
  const { dims, isAsked, dtype, clusters, remove, words } = settings
  const vocabulary = await staticTokenizer(tokenizer, {
    remove: remove === 'none' ? undefined : remove,
    words,
    maxLength,
  })
  const { weightBytes } = await model.facts()
  const tokens = vocabulary.tokens.length
  const table = planTable({ tokens, clusters, stateWidth: rows.width, dims, isAsked, dtype })
  const plan: DistilPlan = {
    model: model.name,
    representation: representationName(settings.representation),
    pooling: settings.pooling,
    tokens,
    clusters,
    counts: vocabulary.counts,
    stateWidth: rows.width,
    width: table.width,
    dtype,
    bytes: table.bytes,
    modelBytes: weightBytes,
    workingBytes: table.workingBytes,
    notes: [...table.notes, ...wordNotes(vocabulary.counts)],
  }
  return {
    plan,
    write: (target) =>
      write(
        { teacher, settings, tokenizer, rows, vocabulary, instruction: settings.instruction, plan },
        target,
        options,
      ),
  }
}

function wordNotes({ empty, duplicates }: VocabularyCounts): string[] {
  return [
    ...(empty === 0 ? [] : [`${quantity(empty, 'word')} left out as empty once normalised`]),
    ...(duplicates === 0
      ? []
      : [`${quantity(duplicates, 'word')} left out as tokens already, or words that come twice`]),
  ]
}

interface Parts extends TokenSources {
  readonly teacher: Teacher
  readonly settings: DistilSettings
  readonly plan: DistilPlan
}

async function write(
  parts: Parts,
  target: string,
  { overwrite, signal, onProgress }: DistilOptions,
): Promise<Distilled> {
  const { teacher, settings, vocabulary, plan } = parts
  await refuseInputAsTarget([{ model: teacher.model.name, files: teacher.files }], target)
  const folder = await openOutputFolder(target, { overwrite })
  try {
    await folder.keepOnly([])
    const { vectors, empty } = await tokenVectors(parts, { signal, onProgress })
    const { tensors, width, explained } = await makeTable(vectors, settings, { signal, onProgress })
    await writeSafetensors(join(folder.staging, 'model.safetensors'), tensors)
    const words = { ...settings, sif: settings.sif ?? null, width, model: plan.model, tokens: plan.tokens }
    await folder.write('tokenizer.json', JSON.stringify(vocabulary.json))
    await folder.write('config.json', `${JSON.stringify(distilledConfig(words), undefined, 4)}\n`)
    await folder.write('modules.json', `${JSON.stringify(distilledModules, undefined, 4)}\n`)
    await folder.write('README.md', distilledCard(words, { title: target.split('/').at(-1) ?? target, version }))
    await folder.publish()
    return {
      ...plan,
      folder: target,
      width,
      bytes: tensors.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      explained: explained ?? null,
      notes:
        empty === 0
          ? plan.notes
          : [...plan.notes, `${quantity(empty, 'token')} gave values that are not finite: these are set to 0`],
    }
  } catch (error) {
    await folder.release()
    throw error
  }
}

/**
 * Distillation: each token of a model's vocabulary passes the model by itself, and its vector becomes a row of a static
 * table, in a folder that Strata, model2vec and sentence-transformers open.
 */
import { join } from 'node:path'
import { quantity, version } from '#core'
import { writeSafetensors } from '#files/formats'
import { openOutputFolder } from '#platform/disk'
import { planTable } from '#model/distill'
import { poolingNamed } from '#model/passes'
import { staticTokenizer, type VocabularyCounts } from '#model/tokenizer'
import { statesOf } from '#model/checkpoint'
import { openTokenRows, representationName } from '#representation/layers'
import type { Teacher } from '#experiment/open'
import { type DistilOptions, type DistilSettings, maxLength, readDistilSettings } from './distil-settings.ts'
import type { CorpusInput } from './corpus-steps.ts'
import { type DistilCorpus, openDistilCorpus } from './distil-corpus.ts'
import type { Distilled, DistilPlan } from './distil-plan.ts'
import { distilledCard, distilledConfig, distilledModules } from './distilled-files.ts'
import { distilledRecord, recordFile } from './distilled-record.ts'
import { makeTable } from './distilled-table.ts'
import { readCards } from './read-cards.ts'
import { refuseInputAsTarget } from './refuse-target.ts'
import { teacherVectors, tokenVectors, type TokenSources } from './token-vectors.ts'

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
  const corpus = settings.corpus === undefined ? undefined : await openDistilCorpus(settings.corpus, vocabulary)
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
    corpus: corpus?.plan,
    bytes: table.bytes,
    modelBytes: weightBytes,
    workingBytes:
      table.workingBytes +
      (corpus === undefined
        ? 0
        : corpusBytes(corpus, { stateWidth: rows.width, width: table.width, rows: clusters ?? tokens })),
    notes: [...table.notes, ...wordNotes(vocabulary.counts)],
  }
  return {
    plan,
    write: (target) =>
      write(
        { teacher, settings, tokenizer, rows, vocabulary, instruction: settings.instruction, corpus, plan },
        target,
        options,
      ),
  }
}

/**
 * The teacher's vectors of texts in float32, their targets, and the rows that are fitted: corrections and their residuals
 * in float64.
 */
function corpusBytes(
  { texts }: DistilCorpus,
  { stateWidth, width = stateWidth, rows }: { stateWidth: number; width: number | undefined; rows: number },
): number {
  return texts.length * (2 * stateWidth * 4 + 3 * width * 8) + rows * width * (4 + 6 * 8)
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
  readonly corpus: DistilCorpus | undefined
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
    const { tensors, width, explained, steps } = await makeTable(
      vectors,
      { ...settings, corpus: await corpusInput(parts, { signal, onProgress }) },
      { signal, onProgress },
    )
    await writeSafetensors(join(folder.staging, 'model.safetensors'), tensors)
    const words = { ...settings, sif: settings.sif ?? null, width, model: plan.model, tokens: plan.tokens, steps }
    await folder.write('tokenizer.json', JSON.stringify(vocabulary.json))
    await folder.write('config.json', `${JSON.stringify(distilledConfig(words), undefined, 4)}\n`)
    await folder.write('modules.json', `${JSON.stringify(distilledModules, undefined, 4)}\n`)
    const title = target.split('/').at(-1) ?? target
    const cards = await readCards(teacher.origins)
    await folder.write('README.md', distilledCard(words, { title, cards, version }))
    const record = distilledRecord(plan, settings, {
      version,
      revision: await teacher.model.revision(),
      maxLength: teacherLength(teacher),
      width,
      explained: explained ?? null,
      steps,
    })
    await folder.write(recordFile, `${JSON.stringify(record, undefined, 2)}\n`)
    await folder.publish()
    return {
      ...plan,
      folder: target,
      width,
      bytes: tensors.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
      explained: explained ?? null,
      steps,
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

/** The corpus with the teacher's vectors of it; undefined without one. */
async function corpusInput(
  parts: Parts,
  call: Pick<DistilOptions, 'signal' | 'onProgress'>,
): Promise<CorpusInput | undefined> {
  const { corpus, settings, teacher } = parts
  if (corpus === undefined) return undefined
  const vectors = await teacherVectors(parts, corpus.texts, { maxLength: teacherLength(teacher), ...call })
  return { corpus, vectors, steps: settings.corpusSteps, sif: settings.sif }
}

/** Tokens of a text that both read. */
function teacherLength({ model }: Teacher): number {
  return Math.min(maxLength, model.settings.maxLength)
}

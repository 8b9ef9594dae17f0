/**
 * Distillation: each token of a model's vocabulary passes the model by itself, and its vector becomes a row of a static
 * table, in a folder that Strata, model2vec and sentence-transformers open.
 */
import { join } from 'node:path'
import { fault, matrix, type OnProgress, quantity, version } from '#core'
import { writeSafetensors } from '#files/formats'
import { openOutputFolder } from '#platform/disk'
import {
  narrowTable,
  planTable,
  reduceTable,
  sifWeights,
  weighRows,
  type TableDims,
  type TableDtype,
} from '#model/distill'
import { poolingNamed } from '#model/passes'
import { staticTokenizer, type StaticTokenizer, type Tokenizer, type VocabularyCounts } from '#model/tokenizer'
import { statesOf } from '#model/checkpoint'
import { openTokenRows, type Representation, representationName, type TokenRows } from '#representation/layers'
import type { Teacher } from '#experiment/open'
import { distilledCard, distilledConfig, distilledModules, maxLength } from './distilled-files.ts'
import { refuseInputAsTarget } from './refuse-target.ts'

/** Names of model2vec: `first` is `cls`, `last` is `lasttoken`. */
export type TokenPooling = 'mean' | 'last' | 'first' | 'pooler'

export interface DistilOptions {
  /** Default: the last hidden state. */
  representation?: Representation | undefined
  /** Default mean, over all tokens of the row, special ones included. */
  pooling?: TokenPooling | undefined
  /** Default 256, or as many as there are. */
  dims?: TableDims | undefined
  /** Default 1e-4; `none`: no weights. */
  sif?: number | 'none' | undefined
  dtype?: TableDtype | undefined
  /** Tokens that it matches from their first character are left out; default `[unused…]`. */
  remove?: RegExp | undefined
  words?: readonly string[] | undefined
  /** Stands before every token, is read, and is left out of the pooling. */
  instruction?: string | undefined
  overwrite?: boolean | undefined
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export interface DistilPlan {
  readonly model: string
  readonly representation: string
  readonly pooling: TokenPooling
  readonly tokens: number
  readonly counts: VocabularyCounts
  /** Width of the model's state. */
  readonly stateWidth: number
  /** Undefined where a share of the variance decides it. */
  readonly width: number | undefined
  readonly dtype: TableDtype
  /** Bytes of model.safetensors, without its header. */
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

interface Settings {
  readonly representation: Representation
  readonly pooling: TokenPooling
  readonly dims: TableDims
  readonly isAsked: boolean
  readonly sif: number | undefined
  readonly dtype: TableDtype
  readonly remove: RegExp | undefined
  readonly words: readonly string[]
  readonly instruction: string
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
  const settings = readSettings(options)
  const { model } = teacher
  const tokenizer = await statesOf(model).tokenizer()
  const rows = openTokenRows(
    model,
    settings.representation,
    poolingNamed(settings.pooling === 'first' ? 'cls' : settings.pooling),
  )
  const vocabulary = await staticTokenizer(tokenizer, { remove: settings.remove, words: settings.words, maxLength })
  const { weightBytes } = await model.facts()
  const { dims, isAsked, dtype } = settings
  const table = planTable({ rows: vocabulary.tokens.length, stateWidth: rows.width, dims, isAsked, dtype })
  const plan: DistilPlan = {
    model: model.name,
    representation: representationName(settings.representation),
    pooling: settings.pooling,
    tokens: vocabulary.tokens.length,
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
    write: (target) => write({ teacher, settings, tokenizer, rows, vocabulary, plan }, target, options),
  }
}

function readSettings({
  representation = { kind: 'default' },
  pooling = 'mean',
  dims,
  sif = 1e-4,
  dtype = 'float16',
  remove = /\[unused\d+\]/,
  words = [],
  instruction = '',
}: DistilOptions): Settings {
  if (sif !== 'none' && !(sif > 0 && sif < 1))
    throw fault('usage.value', {
      place: '--sif',
      what: 'must be above 0 and below 1',
      seen: sif,
      wanted: '1e-4, or none',
    })
  return {
    representation,
    pooling,
    dims: dims ?? 256,
    isAsked: dims !== undefined,
    sif: sif === 'none' ? undefined : sif,
    dtype,
    remove,
    words,
    instruction,
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

interface Parts {
  readonly teacher: Teacher
  readonly settings: Settings
  readonly tokenizer: Tokenizer
  readonly rows: TokenRows
  readonly vocabulary: StaticTokenizer
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
    const { table, explained } = await reduceTable(vectors, settings.dims)
    weighRows(table, sifWeights(table.rows, settings.sif))
    const { dtype, bytes } = narrowTable(table.data, settings.dtype)
    const shape = [table.rows, table.width]
    await writeSafetensors(join(folder.staging, 'model.safetensors'), [{ name: 'embeddings', shape, dtype, bytes }])
    const words = { ...settings, sif: settings.sif ?? null, width: table.width, model: plan.model, rows: table.rows }
    await folder.write('tokenizer.json', JSON.stringify(vocabulary.json))
    await folder.write('config.json', `${JSON.stringify(distilledConfig(words), undefined, 4)}\n`)
    await folder.write('modules.json', `${JSON.stringify(distilledModules, undefined, 4)}\n`)
    await folder.write('README.md', distilledCard(words, { title: target.split('/').at(-1) ?? target, version }))
    await folder.publish()
    return {
      ...plan,
      folder: target,
      width: table.width,
      bytes: bytes.byteLength,
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

/** A row for each token: what the model puts before a token, the instruction, the token, what it puts after. */
async function tokenVectors(
  { tokenizer, vocabulary, rows, settings, teacher }: Parts,
  { signal, onProgress }: Pick<DistilOptions, 'signal' | 'onProgress'>,
) {
  const { before, after } = vocabulary.around
  const [instruction = []] =
    settings.instruction === ''
      ? []
      : (await tokenizer.encodeBatch([settings.instruction], { addSpecialTokens: false })).map(({ ids }) => [...ids])
  const lead = [...before, ...instruction]
  // A word of one's own is read as a text, with the model's own tokens around it.
  const own = vocabulary.tokens.filter((_, i) => vocabulary.modelIds[i] === undefined)
  const texts = own.length === 0 ? [] : await tokenizer.encodeBatch(own)
  const read = new Map(own.map((token, i) => [token, texts[i]?.ids ?? new Int32Array(0)]))
  const ids = vocabulary.tokens.map((token, i) => {
    const id = vocabulary.modelIds[i]
    if (id !== undefined) return Int32Array.from([...lead, id, ...after])
    const whole = read.get(token) ?? new Int32Array(0)
    return instruction.length === 0 ? whole : Int32Array.from([...lead, ...whole.subarray(before.length)])
  })
  let done = 0
  const data = await rows.forward(ids, instruction.length === 0 ? 0 : lead.length, {
    signal,
    onRows: (count) => onProgress?.({ stage: 'distil', done: (done += count), total: ids.length, unit: 'tokens' }),
  })
  const vectors = matrix(ids.length, rows.width, data)
  const empty = zeroWhatIsNotFinite(vectors)
  if (empty === ids.length)
    throw fault('tensor.value', { place: teacher.model.name, what: 'no token gives a vector of finite values' })
  return { vectors, empty }
}

/** As NumPy's nan_to_num for NaN; infinities go the same way. Returns the number of rows that had one. */
function zeroWhatIsNotFinite({ rows, width, data }: ReturnType<typeof matrix>): number {
  let found = 0
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * width, (i + 1) * width)
    if (row.every(Number.isFinite)) continue
    found++
    for (let k = 0; k < width; k++) if (!Number.isFinite(row[k])) row[k] = 0
  }
  return found
}

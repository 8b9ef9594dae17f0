/**
 * A change of tokenizer before its first byte: which tensors get which rows from where. A pure value that can be
 * printed and that the writing obeys.
 */
import { dtypeBytes, elementCount, fault, type TensorInfo, type ModelHeaders } from '#core'
import type { Approximation, ApproximationOptions } from './approximation.ts'
import { assign, type Assignment, isAllowed, type Kind, type MatchWord, type Vocabularies } from './assign.ts'
import { type ApproximationName, approximations } from './table.ts'
import { donorTensor, type Role, vocabularyTensors } from './vocabulary-tensors.ts'

export interface TransplantOptions extends ApproximationOptions {
  readonly method: ApproximationName
  /** Tokens made up at once; the result does not depend on it. Below 1: all. */
  readonly batchSize: number
  readonly prefixMatch: MatchWord
  readonly byteMatch: MatchWord
  /** Leave out tokens that look untrained. */
  readonly magikarp: boolean
  /** Standard deviation of noise on the rows that are made up. */
  readonly newVocabNoise: number
  /** Factor of the rows that are made up, after the noise. */
  readonly newVocabScale: number
  readonly seed: number
}

/** mergekit-tokensurgeon's. */
export const transplantDefaults: TransplantOptions = {
  method: 'omp',
  k: 64,
  weightScheme: 'distance_proportional',
  cosineSimilarity: false,
  subwordMethod: 'mean',
  batchSize: 512,
  prefixMatch: 'no',
  byteMatch: 'no',
  magikarp: false,
  newVocabNoise: 0,
  newVocabScale: 1,
  seed: 0,
}

export interface TransplantTensor {
  readonly name: string
  readonly role: Role
  /** As stored in the model, and with the new number of rows. */
  readonly info: TensorInfo
  readonly shape: readonly number[]
  /** The donor's tensor of the same role. */
  readonly donor: TensorInfo | undefined
  /** Another tensor of the output whose bytes these are: a head that is stored though it is tied. */
  readonly sameAs: string | undefined
  readonly rows: Assignment
}

export interface TransplantPlan {
  readonly model: string
  readonly donor: string
  readonly options: TransplantOptions
  /** Rows of the output's vocabulary, and of the model's. */
  readonly rows: number
  readonly rowsBefore: number
  readonly tensors: readonly TransplantTensor[]
  /** Donor ids of special tokens, by how their rows are found. */
  readonly special: Readonly<Record<Kind, number>>
  /** Bytes of rows that are read of both models, and of the tables that are written. */
  readonly readBytes: number
  readonly writtenBytes: number
  readonly memoryBytes: number
  readonly notes: readonly string[]
}

/** Blocks of inner products, the engine, node. */
const fixedMemory = 640 * 2 ** 20

/**
 * Throws `tensor.missing` (no embedding), `tensor.dtype`, `usage.value` when the method needs shared tokens and there
 * are none.
 */
export function planTransplant(
  model: ModelHeaders,
  donor: ModelHeaders,
  vocabularies: Vocabularies,
  options: TransplantOptions,
): TransplantPlan {
  const own = vocabularyTensors(model)
  const donors = vocabularyTensors(donor)
  const method: Approximation = approximations[options.method]
  const embedding = own[0]!.info
  const notes = new Set<string>()
  const tied = model.config['tie_word_embeddings'] === true
  const tensors = own.map(({ info, role }): TransplantTensor => {
    const [modelRows = 0] = info.shape
    const counterpart = donorTensor(donors, role)
    const head = role !== 'embedding'
    const rows = assign(vocabularies, {
      modelRows,
      donorRows: counterpart?.shape[0] ?? vocabularies.rows,
      byPrefix: role !== 'bias' && isAllowed(options.prefixMatch, head),
      byByte: role !== 'bias' && isAllowed(options.byteMatch, head),
    })
    const sameAs =
      role === 'head' && tied && info.shape.join() === embedding.shape.join() && info.dtype === embedding.dtype
        ? embedding.name
        : undefined
    if (sameAs !== undefined) notes.add(`${info.name} is tied to ${sameAs}: both get the same rows`)
    if (role === 'head' && sameAs === undefined && !donors.some((one) => one.role === 'head'))
      notes.add(`${donor.model} stores no head: its embedding stands in for it`)
    return {
      name: info.name,
      role,
      info,
      shape: [vocabularies.rows, ...info.shape.slice(1)],
      donor: counterpart,
      sameAs,
      rows,
    }
  })
  const asking = tensors.filter(
    ({ role, rows, sameAs }) => role !== 'bias' && sameAs === undefined && rows.made.length > 0,
  )
  for (const { name, rows } of asking) {
    if (method.looksAt !== 'shared') continue
    if (rows.shared.length === 0)
      throw fault('usage.value', {
        place: `${options.method} › ${name}`,
        what: 'the two vocabularies have no token in common',
        hint: 'choose a method that needs none: subword, mean, john_hewitt',
      })
    if (rows.shared.length < options.k && options.method !== 'landmark_pca')
      notes.add(`${rows.shared.length} tokens are shared: k is lowered to that from ${options.k}`)
  }
  return {
    model: model.model,
    donor: donor.model,
    options,
    rows: vocabularies.rows,
    rowsBefore: embedding.shape[0] ?? 0,
    tensors,
    special: specialCounts(tensors[0]!.rows, vocabularies),
    readBytes:
      asking.reduce((sum, tensor) => sum + readFor(tensor, method), 0) +
      tensors.reduce((sum, { info }) => sum + info.byteLength, 0),
    writtenBytes: tensors.reduce((sum, { shape, info }) => sum + elementCount(shape) * dtypeBytes(info.dtype), 0),
    memoryBytes: fixedMemory + tensors.reduce((most, tensor) => Math.max(most, memoryFor(tensor, method)), 0),
    notes: [...notes],
  }
}

function specialCounts({ from }: Assignment, { donor, donorScript }: Vocabularies): Record<Kind, number> {
  const counts: Record<Kind, number> = { shared: 0, byte: 0, prefix: 0, made: 0, zero: 0 }
  donor.tokens.forEach((token, id) => {
    if (token === undefined || !donorScript.roles.has(token)) return
    const row = from[id] ?? -2
    const alone = row === -1 ? 'made' : 'zero'
    counts[row >= 0 ? 'shared' : alone]++
  })
  return counts
}

function readFor({ rows, donor, info }: TransplantTensor, { looksAt }: Approximation): number {
  const bytesOf = (count: number, tensor: TensorInfo | undefined): number =>
    tensor === undefined ? 0 : count * (tensor.shape[1] ?? 1) * dtypeBytes(tensor.dtype)
  switch (looksAt) {
    case 'nothing':
      return 0
    case 'model':
      return info.byteLength
    case 'pieces':
      return bytesOf(rows.made.length, info)
    case 'shared':
      return bytesOf(rows.shared.length + rows.made.length, donor) + bytesOf(rows.shared.length, info)
    default:
      return looksAt satisfies never
  }
}

/** The new table, and the shared rows of both models as float32, twice where they are turned. */
function memoryFor({ rows, donor, info, shape }: TransplantTensor, { looksAt }: Approximation): number {
  const shared = looksAt === 'shared' ? rows.shared.length * ((info.shape[1] ?? 1) + (donor?.shape[1] ?? 1)) * 4 : 0
  return elementCount(shape) * dtypeBytes(info.dtype) + 2 * shared
}

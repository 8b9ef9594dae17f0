/**
 * Changes of a table by a corpus: weights by the frequencies of its tokens, and rows fitted to the teacher's vectors
 * of its texts. Each step is measured on texts that it has not seen.
 */
import { fault, type Matrix, type OnProgress, takeRows } from '#core'
import {
  type Agreement,
  agreement,
  fitRows,
  frequencyWeights,
  onAxes,
  pairCosines,
  type ReducedTable,
  textRows,
  textVectors,
  weighRows,
} from '#model/distill'
import type { DistilCorpus } from './distil-corpus.ts'
import type { CorpusSteps } from './distil-settings.ts'

/** A step, and how far the table agrees with its teacher on the validation texts without it and with it. */
export interface CorpusStep {
  readonly step: 'weights' | 'fit'
  readonly taken: boolean
  readonly before: Agreement
  readonly after: Agreement
  /** Factor of the ridge that was chosen. */
  readonly ridge?: number
}

/** Gain in Spearman's correlation from which on a step is taken. */
export const leastGain = 0.001

export interface CorpusInput {
  readonly corpus: DistilCorpus
  /** The teacher's, one row per text. */
  readonly vectors: Matrix
  readonly steps: CorpusSteps
  /** Coefficient of the weights. */
  readonly sif: number | undefined
}

/** A table before its rows are weighted. */
export interface Unweighted extends Pick<ReducedTable, 'table' | 'axes'> {
  /** Row of every token, where rows are shared. */
  readonly mapping: Int32Array | undefined
  /** Weight of every token. */
  readonly weights: Float64Array
}

export interface Improved {
  /** With the weights in its rows, unless rows are shared. */
  readonly table: Matrix
  readonly weights: Float64Array
  readonly steps: readonly CorpusStep[]
}

type Call = { readonly signal?: AbortSignal | undefined; readonly onProgress?: OnProgress | undefined }

/** The memory of the table is used: it must not be read again. */
export async function improve(
  { table, axes, mapping, weights }: Unweighted,
  { corpus, vectors, steps: asked, sif }: CorpusInput,
  { signal, onProgress }: Call,
): Promise<Improved> {
  const { train, validation } = await targetsOf(vectors, corpus, axes)
  const reference = { pairs: await pairCosines(takeRows(vectors, corpus.validation)), targets: validation }
  const tokensOf = (indexes: Int32Array): Int32Array[] =>
    Array.from(indexes, (i) => corpus.tokens[i] ?? new Int32Array(0))
  const [seen, unseen] = [tokensOf(corpus.train), tokensOf(corpus.validation)]
  const rowOf = mapping ?? Int32Array.from(weights.keys())
  const judge = (own: Float64Array): Promise<Agreement> =>
    agreement(textVectors(textRows(unseen, table.rows, { mapping: rowOf, weights: own }), table), reference)
  const steps: CorpusStep[] = []
  let [chosen, before] = [weights, await judge(weights)]
  if (asked !== 'fit' && sif !== undefined) {
    const counted = frequencyWeights(countTokens(seen, weights.length), sif)
    const after = await judge(counted)
    const taken = asked !== 'auto' || isGain(before, after)
    steps.push({ step: 'weights', taken, before, after })
    if (taken) [chosen, before] = [counted, after]
  }
  if (mapping === undefined) weighRows(table, chosen)
  if (asked === 'weights') return { table, weights: chosen, steps }

  const sharing = mapping === undefined ? undefined : { mapping, weights: chosen }
  const [fitted, measured] = [textRows(seen, table.rows, sharing), textRows(unseen, table.rows, sharing)]
  let best: { after: Agreement; table: Matrix; factor: number } | undefined
  let done = 0
  for await (const { factor, factors, table: own } of fitRows(table, fitted, train, { signal })) {
    const after = await agreement(textVectors(measured, own), reference)
    if (best === undefined || after.spearman > best.after.spearman) best = { after, table: own, factor }
    onProgress?.({ stage: 'fit', done: ++done, total: factors, unit: 'runs' })
  }
  if (best === undefined) throw fault('internal', { place: 'fitRows', what: 'no ridge was tried' })
  const taken = asked !== 'auto' || isGain(before, best.after)
  steps.push({ step: 'fit', taken, before, after: best.after, ridge: best.factor })
  return { table: taken ? best.table : table, weights: chosen, steps }
}

function isGain(before: Agreement, after: Agreement): boolean {
  return after.spearman - before.spearman >= leastGain
}

function countTokens(texts: readonly Int32Array[], tokens: number): Float64Array {
  const counts = new Float64Array(tokens)
  for (const ids of texts) for (const id of ids) counts[id] = (counts[id] ?? 0) + 1
  return counts
}

/** The teacher's vectors without the mean of those to fit to, in the dimensions of the table. */
async function targetsOf(
  vectors: Matrix,
  { plan, train, validation }: DistilCorpus,
  axes: ReducedTable['axes'],
): Promise<{ train: Matrix; validation: Matrix }> {
  if (!vectors.data.every(Number.isFinite))
    throw fault('tensor.value', { place: plan.name, what: 'the model gives a text values that are not finite' })
  const mean = new Float64Array(vectors.width)
  for (const i of train)
    for (let k = 0; k < mean.length; k++)
      mean[k] = (mean[k] ?? 0) + (vectors.data[i * vectors.width + k] ?? 0) / train.length
  const project = (indexes: Int32Array): Promise<Matrix> => onAxes(takeRows(vectors, indexes), mean, axes)
  return { train: await project(train), validation: await project(validation) }
}

/**
 * Bitext mining: for every sentence the most similar one of another language, which should be its translation (mteb
 * `AbsTaskBitextMining`, `BitextMiningEvaluator`).
 */
import { fault, type Matrix } from '#core'
import type { BitextPart } from '#task/rows'
import { classScores } from './confusion.ts'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'
import { comparing, rowBlock } from './similarity.ts'

/** Similarities held at a time: 64 MiB of float32. */
const blockScores = 2 ** 24
/** Rows of the second language compared at a time. */
const blockRows = 4096
/** Vectors kept for further pairs of the same language. */
const keptBytes = 512 * 2 ** 20

export function bitextScorer(context: Context): (part: BitextPart) => Promise<PartScores> {
  // in parallel data one language takes part in many pairs
  const shared = context.task.params.parallel_subsets ? guarded(context) : undefined
  const remembered = shared && remembering(shared.context)
  return async ({ sentence1, sentence2, gold, subset, split }) => {
    const guard = shared ?? guarded(context)
    const vectorsOf = remembered ?? ((texts: readonly string[]) => preparedVectors(texts, guard.context))
    const found = await nearestRows(await vectorsOf(sentence1), await vectorsOf(sentence2), context)
    guard.refuse(`${context.task.name} › ${subset} › ${split}`)
    // a class is a row of the second language
    const { precision_weighted, recall_weighted, f1_weighted, accuracy } = classScores(gold, found, sentence2.length)
    return {
      metrics: { precision: precision_weighted, recall: recall_weighted, f1: f1_weighted, accuracy },
      // of parallel data, with its tens of thousands of pairs of languages, the pair is the item
      columns: context.task.params.parallel_subsets
        ? { accuracy: [accuracy] }
        : { correct: Float64Array.from(gold, (row, i) => Number(found[i] === row)) },
    }
  }
}

async function preparedVectors(texts: readonly string[], context: Context): Promise<Matrix> {
  return comparing(context).prepare(await embedFinite(context, texts))
}

/** Vectors by list of texts, the longest unused ones forgotten first. */
function remembering(context: Context): (texts: readonly string[]) => Promise<Matrix> {
  const known = new Map<readonly string[], Matrix>()
  let bytes = 0
  return async (texts) => {
    const vectors = known.get(texts) ?? (await preparedVectors(texts, context))
    if (!known.delete(texts)) bytes += vectors.data.byteLength
    known.set(texts, vectors)
    for (const [oldest, { data }] of known) {
      if (bytes <= keptBytes || oldest === texts) break
      known.delete(oldest)
      bytes -= data.byteLength
    }
    return vectors
  }
}

/** Row of `b` most similar to each row of `a`, the first of equals. */
async function nearestRows(a: Matrix, b: Matrix, context: Context): Promise<Int32Array> {
  const { signal, task } = context
  const { table } = comparing(context)
  const nearest = new Int32Array(a.rows)
  const highest = new Float32Array(a.rows).fill(-Infinity)
  const step = Math.max(1, Math.floor(blockScores / blockRows))
  for (let from = 0; from < a.rows; from += step) {
    const asked = rowBlock(a, from, Math.min(step, a.rows - from))
    for (let start = 0; start < b.rows; start += blockRows) {
      if (signal?.aborted) throw fault('run.cancelled', { place: task.name, what: 'cancelled', cause: signal.reason })
      const block = rowBlock(b, start, Math.min(blockRows, b.rows - start))
      const scores = await table(asked, block)
      for (let i = 0; i < asked.rows; i++) {
        for (let j = 0; j < block.rows; j++) {
          const score = scores[i * block.rows + j]!
          if (score <= highest[from + i]!) continue
          highest[from + i] = score
          nearest[from + i] = start + j
        }
      }
    }
  }
  return nearest
}

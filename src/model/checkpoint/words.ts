/** Weights of words by a masked-LM head (SPLADE), as sentence-transformers 6.2 computes them (`SpladePooling`). */
import { fault, matrix, row } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { GraphRequest, WordPooling } from '#model/graph'
import { type SparseRow, sparseRow } from '#model/lexical'
import { forwardBatches, type Graphs, type ModelSettings } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { applyModules, laterWidth, type ModuleStep } from './modules.ts'
import { checkIds, countBatches, tokenRows } from './pooled-encoder.ts'
import type { SparseEncoder } from './sparse-vectors.ts'
import type { SpladeSpec } from './splade-config.ts'

export interface WordsFrom {
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly graphs: Graphs
  readonly tokenizer: () => Promise<Tokenizer>
  /** Padded tokens of a batch. */
  readonly budget: number
  readonly splade: SpladeSpec
  readonly later: readonly ModuleStep[]
}

/** Numbers of a batch's result: 128 MB of float32. */
const batchNumbers = 2 ** 25

/**
 * The graph is opened with the first text. Throws `config.value` for a width that is not the vocabulary's, and what
 * wiring the graph throws, such as `config.unsupported` for a family without the head.
 */
export function openWords({ spec, settings, graphs, tokenizer, budget, splade, later }: WordsFrom): SparseEncoder {
  if (splade.width !== undefined && splade.width !== spec.vocabulary)
    throw fault('config.value', {
      place: `${spec.title} › SpladePooling › embedding_dimension`,
      what: 'not the size of the vocabulary',
      seen: splade.width,
      wanted: spec.vocabulary,
    })
  const request: GraphRequest = { words: graphWords(splade), inputs: ['token_type_ids'] }
  const width = spec.vocabulary
  // a text has at least one token
  const tokens = Math.max(1, Math.min(budget, Math.floor(batchNumbers / width)))
  return {
    width: laterWidth(later, width),
    async encode(texts, prompt, { signal, onRows } = {}) {
      const one = await tokenizer()
      const rows = await tokenRows(one, texts, prompt, settings)
      checkIds(rows, spec)
      const { graph, session, workers } = await graphs.open(request, { batches: countBatches(rows, tokens) })
      const found: SparseRow[] = []
      const options = {
        budget: Math.ceil(tokens / workers),
        workers,
        padId: spec.padId ?? one.padId ?? 0,
        promptTokens: 0,
        inputs: new Set(graph.inputs.map(({ name }) => name)),
        signal,
        onBatch: onRows,
      }
      await forwardBatches(session, rows, options, ({ words }, batch) => {
        const data = (words?.data as Float32Array | undefined)?.subarray(0, batch.length * width) ?? new Float32Array()
        if (splade.pooling === 'max') takeLogs(data, splade.logs)
        const made = applyModules(later, matrix(batch.length, width, data))
        batch.forEach((index, position) => (found[index] = sparseRow(row(made, position))))
      })
      return found
    },
  }
}

/** Greatest logits need no logarithm before they are chosen; a sum is one of logarithms. */
function graphWords({ pooling, logs }: SpladeSpec): WordPooling {
  if (pooling === 'max') return 'max'
  return logs === 1 ? 'sum' : 'sum-twice'
}

/** log(1 + x), once or twice, in float32; most numbers are 0. */
function takeLogs(values: Float32Array, logs: 1 | 2): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0
    if (value === 0) continue
    const once = Math.fround(Math.log1p(value))
    values[i] = logs === 1 ? once : Math.log1p(once)
  }
}

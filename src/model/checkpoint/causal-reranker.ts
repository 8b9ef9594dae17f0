/**
 * Causal rerankers as Qwen3-Reranker is asked: one prompt for a query and a document, and the probability of `yes`
 * against `no` as the next token (https://huggingface.co/Qwen/Qwen3-Reranker-0.6B; mteb 2.26.24 `qwen3_reranker.py`).
 */
import { fault, type Reranker } from '#core'
import type { ModelSpec } from '#model/architectures'
import { type Graphs, inFlight, planBatches } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { checkIds, countBatches } from './pooled-encoder.ts'

const prefix =
  '<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. ' +
  'Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
const suffix = '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n'
/** mteb's words for tasks without an instruction of their own. */
const instruction = 'Given the user query, retrieval the relevant passages'

/** mteb's and the model card's. */
export const causalLength = 8192

interface CausalRerankerParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly maxLength: number
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  readonly budget: number
}

/** Whether the tokenizer has the words of the prompt and of the answer. */
export function isQwenReranker(
  architectures: unknown,
  tokenizer: Pick<Tokenizer, 'tokenId'> | undefined,
): tokenizer is Tokenizer {
  return (
    Array.isArray(architectures) &&
    architectures.includes('Qwen3ForCausalLM') &&
    ['<|im_start|>', '<|im_end|>', 'yes', 'no'].every((token) => tokenizer?.tokenId(token) !== undefined)
  )
}

/** A score is the probability of `yes`, in 0 … 1. Throws `usage.value` for a length that the prompt itself fills. */
export function openCausalReranker(parts: CausalRerankerParts): Reranker {
  const { name, spec, maxLength, tokenizer, graphs, budget } = parts
  const [yes = -1, no = -1] = ['yes', 'no'].map((token) => tokenizer.tokenId(token))
  return {
    name,
    async score(pairs, { signal, onProgress } = {}) {
      const bare = { addSpecialTokens: false } as const
      const [before, behind] = await tokenizer.encodeBatch([prefix, suffix], bare)
      const [head, tail] = [before?.ids ?? new Int32Array(0), behind?.ids ?? new Int32Array(0)]
      const room = maxLength - head.length - tail.length
      if (room < 1)
        throw fault('usage.value', {
          place: `${name} › max length`,
          what: 'the prompt of the reranker leaves no room for a pair',
          seen: maxLength,
          wanted: `more than ${head.length + tail.length}`,
        })
      const texts = pairs.map(
        ([query, document]) => `<Instruct>: ${instruction}\n<Query>: ${query}\n<Document>: ${document}`,
      )
      const bodies = await tokenizer.encodeBatch(texts, { maxLength: room, signal })
      const rows = bodies.map(({ ids, typeIds }) => ({ ids: Int32Array.of(...head, ...ids, ...tail), typeIds }))
      checkIds(rows, spec)
      const { session, graph, workers } = await graphs.open(
        { picked: 'logits' },
        { batches: countBatches(rows, budget) },
      )
      const known = new Set<string>(graph.inputs.map((input) => input.name))
      const scores = new Float32Array(pairs.length)
      // rows of one length: a score depends on nothing but its pair
      const batches = planBatches(
        rows.map(({ ids }) => ids.length),
        { budget: Math.ceil(budget / workers), regime: (length) => length },
      )
      let done = 0
      await inFlight(2 * workers, batches, async (batch) => {
        signal?.throwIfAborted()
        const cols = rows[batch[0] ?? 0]?.ids.length ?? 0
        const dims = [batch.length, cols]
        const ids = new Int32Array(batch.length * cols)
        batch.forEach((row, at) => ids.set(rows[row]?.ids ?? [], at * cols))
        const last = Int32Array.from(batch, (_, at) => (at + 1) * cols - 1)
        const feeds = {
          input_ids: { dtype: 'int32', dims, data: ids },
          attention_mask: { dtype: 'int32', dims, data: new Int32Array(ids.length).fill(1) },
          picked: { dtype: 'int32', dims: [batch.length], data: last },
        } as const
        const outputs = await session.run(Object.fromEntries(Object.entries(feeds).filter(([own]) => known.has(own))))
        const logits = outputs['picked_logits']
        if (logits?.dtype !== 'float32')
          throw fault('engine.run', { place: 'picked_logits', what: 'the graph did not give this output' })
        const width = logits.data.length / batch.length
        batch.forEach((row, at) => {
          const difference = (logits.data[at * width + yes] ?? NaN) - (logits.data[at * width + no] ?? NaN)
          scores[row] = 1 / (1 + Math.exp(-difference))
        })
        onProgress?.({ stage: 'rerank', done: (done += batch.length), total: pairs.length, unit: 'pairs' })
      })
      return scores
    },
  }
}

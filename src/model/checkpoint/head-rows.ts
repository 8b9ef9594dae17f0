/** Rows of token ids through a model's head. */
import { type CallOptions, fault, type Matrix, type Progress } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { GraphRequest } from '#model/graph'
import { forwardPooled, type Graphs, type ModelSettings, type PooledSlot, type TokenRow } from '#model/passes'
import type { Tokenizer } from '#model/tokenizer'
import { checkIds, countBatches, pooledRows } from './pooled-encoder.ts'

export interface HeadParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  /** Padded tokens of a batch. */
  readonly budget: number
}

/** How a head is run, and what of its output is wanted. */
export interface Head {
  readonly width: number
  /** Logits [rows × width]; progress counts rows. Throws `tokenizer.invalid` for ids without an embedding. */
  run(
    rows: readonly TokenRow[],
    call: CallOptions & { readonly counted: Pick<Progress, 'stage' | 'unit'> },
  ): Promise<Matrix>
}

/** The head of a sequence classifier: one logit per label. */
export function sequenceHead(parts: HeadParts): Head {
  return headNamed(parts, { logits: 'sequence', inputs: ['token_type_ids'] }, 'logits')
}

/** The language model's head at the last token of every row: the logits of these tokens. Throws `config.value` for none of its vocabulary. */
export function lastTokenHead(parts: HeadParts, tokens: readonly number[]): Head {
  return headNamed(parts, { picked: 'logits' }, 'picked', tokens)
}

function headNamed(
  { name, spec, graphs, tokenizer, budget }: HeadParts,
  request: GraphRequest,
  kind: 'logits' | 'picked',
  columns?: readonly number[],
): Head {
  const output = graphs.outputs(request).find((one) => one.kind === kind)
  if (output === undefined) throw fault('internal', { place: name, what: 'the graph gives no logits' })
  const beyond = columns?.find((column) => column >= output.width)
  if (beyond !== undefined)
    throw fault('config.value', {
      place: name,
      what: 'a score is the logit of a token that the model does not have',
      seen: beyond,
      wanted: `0 … ${output.width - 1}`,
    })
  const width = columns?.length ?? output.width
  const from = columns && { outputWidth: output.width, columns }
  const slot: PooledSlot = { output: output.name, width, from }
  return {
    width,
    async run(rows, { signal, onProgress, counted }) {
      checkIds(rows, spec)
      const { graph, session, workers } = await graphs.open(request, { batches: countBatches(rows, budget) })
      let done = 0
      const [data = new Float32Array(0)] = await forwardPooled(session, rows, [slot], {
        budget: Math.ceil(budget / workers),
        workers,
        padId: spec.padId ?? tokenizer.padId ?? 0,
        promptTokens: 0,
        inputs: new Set(graph.inputs.map((input) => input.name)),
        signal,
        onBatch: (count) => onProgress?.({ ...counted, done: (done += count), total: rows.length }),
      })
      return { rows: rows.length, width, data }
    },
  }
}

/** The last state, pooled, for modules that make scores of it. */
export function pooledHead({ settings, ...parts }: HeadParts & { readonly settings: ModelSettings }): Head {
  const pooled = pooledRows({ ...parts, settings, states: [], last: true })
  const width = pooled.slots.reduce((sum, slot) => sum + slot.width, 0)
  return {
    width,
    async run(rows, { signal, onProgress, counted }) {
      checkIds(rows, parts.spec)
      let done = 0
      const onRows = (count: number): void => onProgress?.({ ...counted, done: (done += count), total: rows.length })
      const [data = new Float32Array(0)] = await pooled.forward(rows, 0, { signal, onRows })
      return { rows: rows.length, width, data }
    },
  }
}

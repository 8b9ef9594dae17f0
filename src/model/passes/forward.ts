/**
 * Token ids to pooled states: batches planned by length, two in flight a worker, scattered back to the texts' order.
 */
import type { Feed, Session } from '#platform/runtime'
import { planBatches } from './batches.ts'
import { inFlight } from './in-flight.ts'
import { inHalves } from './in-halves.ts'

/** One tokenised text. */
export interface TokenRow {
  readonly ids: Int32Array
  readonly typeIds: Int32Array
  /** 0 for tokens that none attends to; default: all are attended to. */
  readonly mask?: Int32Array | undefined
}

export interface ForwardOptions {
  /** Padded tokens of a batch. */
  budget: number
  /** Batches that the session computes at the same time; default 1. */
  workers?: number | undefined
  padId: number
  /** Tokens at the start of every row that pooling leaves out (sentence-transformers `include_prompt: false`). */
  promptTokens: number
  inputs: ReadonlySet<string>
  /** Type of the graph's inputs; default int32. */
  integers?: 'int32' | 'int64' | undefined
  /** Outputs to copy out of the engine; default: all. */
  outputs?: readonly string[] | undefined
  signal?: AbortSignal | undefined
  onBatch?: ((rows: number, tokens: number) => void) | undefined
}

/** Slot of an output: its name in the graph and the width of a row. */
export interface PooledSlot {
  readonly output: string
  readonly width: number
  /** The `width` columns that are wanted of a wider output; absent: it has no others. */
  readonly from?: { readonly outputWidth: number; readonly columns: readonly number[] } | undefined
}

/**
 * Runs every row through the session and returns one [rows × width] block per slot, rows in input order; see
 * `forwardBatches`.
 */
export async function forwardPooled(
  session: Session,
  rows: readonly TokenRow[],
  slots: readonly PooledSlot[],
  options: ForwardOptions,
): Promise<Float32Array[]> {
  const out = slots.map(({ width }) => new Float32Array(rows.length * width))
  await forwardBatches(session, rows, options, (outputs, batch) =>
    slots.forEach(({ output, width, from }, slot) => {
      const data = outputs[output]?.data as Float32Array
      const rowAt = (start: number): ArrayLike<number> =>
        from === undefined
          ? data.subarray(start, start + width)
          : from.columns.map((column) => data[start + column] ?? NaN)
      batch.forEach((index, position) => {
        out[slot]?.set(rowAt(position * (from?.outputWidth ?? width)), index * width)
      })
    }),
  )
  return out
}

/**
 * The states of every token, [tokens × width] of one row after the other, in any order of the rows. The array belongs to
 * the engine and must be copied to be kept. A row without tokens gives none. Rows depend on nothing but themselves, as in
 * `forwardPooled`.
 */
export async function forwardTokens(
  session: Session,
  rows: readonly TokenRow[],
  { output, width }: PooledSlot,
  options: ForwardOptions & { readonly onRow: (index: number, states: Float32Array) => void },
): Promise<void> {
  await forwardBatches(session, rows, options, (outputs, batch) => {
    const data = outputs[output]?.data as Float32Array
    batch.forEach((index, position) => {
      const size = (rows[index]?.ids.length ?? 0) * width
      if (size > 0) options.onRow(index, data.subarray(position * size, (position + 1) * size))
    })
  })
}

/**
 * Runs every row through the session; `take` receives what each batch gives, with the indexes of its rows, in any
 * order.
 *
 * A row's vector depends on nothing but the row, to the last bit: results that were kept are those that would be
 * computed now. Padding would change the order in which the engine sums, so rows of one length run together, and a lone
 * token, for which the engine has another kernel, runs in two copies. (On a graphics card the engine may choose another
 * kernel for another number of rows.)
 * Two batches a worker are kept in flight: the engine computes one while this thread builds the next.
 */
export async function forwardBatches(
  session: Session,
  rows: readonly TokenRow[],
  options: ForwardOptions,
  take: (outputs: Awaited<ReturnType<Session['run']>>, batch: readonly number[]) => void,
): Promise<void> {
  const batches = planBatches(
    rows.map((row) => row.ids.length),
    { budget: options.budget, regime: (length) => length },
  )
  const tokensOf = (batch: readonly number[]): number =>
    batch.reduce((sum, index) => sum + (rows[index]?.ids.length ?? 0), 0)
  const halving = { size: tokensOf, room: { most: Infinity } }
  const run = async (batch: readonly number[]): Promise<void> => {
    options.signal?.throwIfAborted()
    const { outputs: names } = options
    take(await session.run(batchFeeds(batch, rows, options), names === undefined ? {} : { outputs: names }), batch)
    options.onBatch?.(batch.length, tokensOf(batch))
  }
  await inFlight(2 * (options.workers ?? 1), batches, (batch) => inHalves(batch, halving, run))
}

/** Feeds of one batch of rows of one length; a row without tokens has one masked column. */
function batchFeeds(
  batch: readonly number[],
  rows: readonly TokenRow[],
  { padId, promptTokens, inputs, integers = 'int32' }: ForwardOptions,
): Parameters<Session['run']>[0] {
  const cols = Math.max(1, rows[batch[0] ?? 0]?.ids.length ?? 0)
  const fed = batch.length * cols === 1 ? [...batch, ...batch] : batch
  const dims = [fed.length, cols]
  const ids = new Int32Array(fed.length * cols).fill(padId)
  const mask = new Int32Array(fed.length * cols)
  const types = new Int32Array(fed.length * cols)
  const pool = promptTokens === 0 ? mask : new Int32Array(fed.length * cols)
  fed.forEach((index, position) => {
    const row = rows[index]
    if (row === undefined) return
    const start = position * cols
    ids.set(row.ids, start)
    if (row.mask === undefined) mask.fill(1, start, start + row.ids.length)
    else mask.set(row.mask, start)
    types.set(row.typeIds, start)
    if (pool !== mask) pool.fill(1, start + Math.min(promptTokens, row.ids.length), start + row.ids.length)
  })
  const feed = (data: Int32Array): Feed =>
    integers === 'int32'
      ? { dtype: 'int32', dims, data }
      : { dtype: 'int64', dims, data: BigInt64Array.from(data, BigInt) }
  return {
    input_ids: feed(ids),
    attention_mask: feed(mask),
    ...(inputs.has('token_type_ids') ? { token_type_ids: feed(types) } : {}),
    // the last token of every row, counted over all rows
    ...(inputs.has('picked')
      ? {
          picked: {
            dtype: 'int32' as const,
            dims: [fed.length],
            data: Int32Array.from(fed, (_, at) => (at + 1) * cols - 1),
          },
        }
      : {}),
    // A buffer is handed over to the engine with the call: shared ones must be their own copy.
    ...(inputs.has('pool_mask') ? { pool_mask: feed(pool === mask ? mask.slice() : pool) } : {}),
  }
}

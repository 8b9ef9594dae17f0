/**
 * Forward passes shared by everyone who asks: rows of all waiting requests fill a pass in turn, a row that several ask
 * for is in it once, and whatever states they want come out of it.
 */
import { fault } from '#core'
import type { TokenRow } from '#model/passes'

/** A hidden state by its number, or the last one as transformers returns it. */
export type PassSlot = number | 'last'

export interface PassRequest {
  readonly rows: readonly TokenRow[]
  /** Tokens at the start of every row that pooling leaves out. */
  readonly skipped: number
  /** Requests of one pooling share passes. */
  readonly pooling: string
  readonly slots: readonly PassSlot[]
  readonly signal?: AbortSignal | undefined
}

/** One pass: a block [rows × width] for each slot. */
export type Pass = (
  rows: readonly TokenRow[],
  how: { readonly skipped: number; readonly pooling: string; readonly slots: readonly PassSlot[] },
) => Promise<readonly Float32Array[]>

export interface PassQueue {
  /** A block [rows × width] for each slot. Throws `run.cancelled` once the signal says so, and what the pass throws. */
  ask(request: PassRequest): Promise<Float32Array[]>
  /** Tokens that wait for a pass. */
  waitingTokens(): number
}

export interface PassQueueOptions {
  readonly run: Pass
  /** Tokens of a pass; a longer row passes by itself. */
  readonly maxBatchTokens: number
  /** Hears of every pass that ended. */
  readonly onPass?: ((rows: number, tokens: number) => void) | undefined
}

interface Waiting extends PassRequest {
  readonly keys: readonly string[]
  readonly group: string
  /** Rows that are in a pass that ended, or in the one that runs. */
  taken: number
  done: number
  out: Float32Array[]
  readonly resolve: (blocks: Float32Array[]) => void
  readonly reject: (reason: unknown) => void
}

export function passQueue({ run, maxBatchTokens, onPass }: PassQueueOptions): PassQueue {
  let waiting: Waiting[] = []
  let isRunning = false

  const leave = (one: Waiting): void => {
    waiting = waiting.filter((other) => other !== one)
  }
  const passes = async (): Promise<void> => {
    isRunning = true
    // requests of one turn of the event loop share a pass
    await Promise.resolve()
    while (waiting.length > 0) {
      const load = loadOf(waiting, maxBatchTokens)
      try {
        scatter(load, await run(load.rows, load))
        onPass?.(load.rows.length, load.tokens)
      } catch (error) {
        for (const { one } of load.takers) one.reject(error)
        waiting = waiting.filter((one) => !load.takers.some((taker) => taker.one === one))
      }
      for (const { one } of load.takers)
        if (one.done === one.rows.length && waiting.includes(one)) {
          leave(one)
          one.resolve(one.out)
        }
      // the oldest is the first again only once everyone had a turn
      waiting = [...waiting.slice(1), ...waiting.slice(0, 1)]
    }
    isRunning = false
  }

  return {
    waitingTokens: () =>
      waiting.reduce(
        (sum, { rows, taken }) => rows.slice(taken).reduce((tokens, { ids }) => tokens + ids.length, sum),
        0,
      ),
    ask: (request) =>
      new Promise((resolve, reject) => {
        const { rows, skipped, pooling, slots, signal } = request
        if (rows.length === 0) {
          resolve(slots.map(() => new Float32Array(0)))
          return
        }
        const one: Waiting = {
          ...request,
          keys: rows.map(({ ids, typeIds }) => `${ids.join()} ${typeIds.join()}`),
          group: `${pooling} ${skipped}`,
          taken: 0,
          done: 0,
          out: [],
          resolve,
          reject,
        }
        const stop = (): void => {
          leave(one)
          reject(fault('run.cancelled', { place: 'queue', what: 'the client has gone', cause: signal?.reason }))
        }
        if (signal?.aborted === true) {
          stop()
          return
        }
        signal?.addEventListener('abort', stop, { once: true })
        waiting.push(one)
        if (!isRunning) void passes()
      }),
  }
}

/** Rows of a pass, each once, and who gets which of them. */
interface Load {
  readonly rows: TokenRow[]
  readonly tokens: number
  readonly skipped: number
  readonly pooling: string
  readonly slots: PassSlot[]
  readonly takers: readonly { readonly one: Waiting; readonly from: number; readonly places: number[] }[]
}

/** A row of each request in turn, the oldest first, as long as there is room. */
function loadOf(waiting: readonly Waiting[], maxTokens: number): Load {
  const [first] = waiting
  if (first === undefined) throw fault('internal', { place: 'queue', what: 'nobody waits' })
  const group = waiting.filter((one) => one.group === first.group)
  const rows: TokenRow[] = []
  const placeOf = new Map<string, number>()
  let tokens = 0
  const takers = group.map((one) => ({ one, from: one.taken, places: [] as number[] }))
  for (let open = takers; open.length > 0;)
    open = open.filter(({ one, places }) => {
      const row = one.rows[one.taken]
      const key = one.keys[one.taken] ?? ''
      if (row === undefined) return false
      const known = placeOf.get(key)
      if (known === undefined) {
        if (rows.length > 0 && tokens + row.ids.length > maxTokens) return false
        placeOf.set(key, rows.length)
        rows.push(row)
        tokens += row.ids.length
      }
      places.push(known ?? rows.length - 1)
      one.taken++
      return true
    })
  const served = takers.filter(({ places }) => places.length > 0)
  const slots = [...new Set(served.flatMap(({ one }) => one.slots))]
  return { rows, tokens, skipped: first.skipped, pooling: first.pooling, slots, takers: served }
}

function scatter({ rows, slots, takers }: Load, blocks: readonly Float32Array[]): void {
  for (const { one, from, places } of takers) {
    one.slots.forEach((slot, at) => {
      const block = blocks[slots.indexOf(slot)] ?? new Float32Array(0)
      const width = block.length / rows.length
      const out = (one.out[at] ??= new Float32Array(one.rows.length * width))
      places.forEach((place, i) => out.set(block.subarray(place * width, (place + 1) * width), (from + i) * width))
    })
    one.done += places.length
  }
}

/**
 * Forward passes shared by everyone who asks: rows of one length out of all waiting requests make a pass, a row that
 * several ask for is in it once, and whatever states they want come out of it.
 */
import { fault } from '#core'
import type { TokenRow } from '#model/passes'
import { type Load, openLoad, type PassRequest, type PassSlot, takeLoad, type Taking } from './pass-load.ts'

export interface PassHow {
  readonly skipped: number
  readonly pooling: string
  readonly slots: readonly PassSlot[]
  /** Passes that run or wait, this one among them. */
  readonly passes: number
}

/** One pass: a block [rows × width] for each slot. */
export type Pass = (rows: readonly TokenRow[], how: PassHow) => Promise<readonly Float32Array[]>

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
  /**
   * Passes at the same time; default 3: one on each half of the engine's threads, and one ahead. More leave fewer rows
   * to share a pass.
   */
  readonly lanes?: number | undefined
  /** Hears of every pass that ended. */
  readonly onPass?: ((rows: number, tokens: number) => void) | undefined
}

interface Waiting extends Taking {
  done: number
  readonly out: Float32Array[]
  readonly resolve: (blocks: Float32Array[]) => void
  readonly reject: (reason: unknown) => void
}

/**
 * The engine computes rows of one length at a time (`#model/passes`), so that a pass of several lengths would only make
 * the first of them wait for the last. The request that waits longest chooses the length.
 */
export function passQueue({ run, maxBatchTokens, lanes = 3, onPass }: PassQueueOptions): PassQueue {
  /** Requests with rows in no pass so far. */
  let waiting: Waiting[] = []
  let running = 0
  let isStarting = false

  const leave = (one: Waiting): void => {
    waiting = waiting.filter((other) => other !== one)
  }
  const pass = async (load: Load<Waiting>): Promise<void> => {
    const { rows, takers, slots, tokens } = load
    const lengths = new Set(waiting.flatMap(({ open }) => [...open.keys()]))
    const blocks = await run(rows, { ...load, passes: running + lengths.size }).catch((error: unknown) => {
      for (const { one } of takers) {
        leave(one)
        one.reject(error)
      }
    })
    // the engine gets its next rows before anybody is answered
    running--
    start()
    if (blocks === undefined) return
    for (const { one, ...taken } of takers) {
      scatter(one, taken, { slots, count: rows.length, blocks })
      if (one.done === one.rows.length) one.resolve(one.out)
    }
    onPass?.(rows.length, tokens)
  }
  const start = (): void => {
    while (running < lanes && waiting.length > 0) {
      const load = takeLoad(waiting, maxBatchTokens)
      // the oldest is the first again only once everyone had a turn
      waiting = [...waiting.slice(1), ...waiting.slice(0, 1)].filter(({ open }) => open.size > 0)
      running++
      void pass(load)
    }
  }
  const startSoon = async (): Promise<void> => {
    if (isStarting) return
    isStarting = true
    // requests of one turn of the event loop share a pass
    await Promise.resolve()
    isStarting = false
    start()
  }

  return {
    waitingTokens: () => waiting.reduce((sum, one) => sum + countTokens(one), 0),
    ask: (request) =>
      new Promise((resolve, reject) => {
        const { rows, slots, signal } = request
        if (rows.length === 0) {
          resolve(slots.map(() => new Float32Array(0)))
          return
        }
        const one: Waiting = { ...openLoad(request), done: 0, out: [], resolve, reject }
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
        void startSoon()
      }),
  }
}

function countTokens({ open }: Waiting): number {
  let tokens = 0
  for (const [length, rows] of open) tokens += length * rows.length
  return tokens
}

interface Blocks {
  readonly slots: readonly PassSlot[]
  /** Rows of the pass. */
  readonly count: number
  readonly blocks: readonly Float32Array[]
}

/** Rows of a request at their places in the pass. */
function scatter(
  one: Waiting,
  { rows, places }: { readonly rows: readonly number[]; readonly places: readonly number[] },
  { slots, count, blocks }: Blocks,
): void {
  one.slots.forEach((slot, at) => {
    const block = blocks[slots.indexOf(slot)] ?? new Float32Array(0)
    const width = block.length / count
    const out = (one.out[at] ??= new Float32Array(one.rows.length * width))
    rows.forEach((row, i) => {
      const place = places[i] ?? 0
      out.set(block.subarray(place * width, (place + 1) * width), row * width)
    })
  })
  one.done += rows.length
}

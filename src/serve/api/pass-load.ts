/** What one pass carries: rows of one length, each once, of everyone who waits for such a row. */
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

/** A request that rows are taken of. */
export interface Taking extends Pick<PassRequest, 'rows' | 'slots' | 'skipped' | 'pooling'> {
  readonly keys: readonly string[]
  readonly group: string
  /** Indexes of the rows that are in no pass so far, by their length, in order; a length without rows is not there. */
  readonly open: Map<number, number[]>
}

/** Rows of a pass, each once, and who gets which of them. */
export interface Load<One extends Taking> {
  readonly rows: readonly TokenRow[]
  readonly tokens: number
  readonly skipped: number
  readonly pooling: string
  readonly slots: readonly PassSlot[]
  /** `rows` of the request are at `places` of the pass. */
  readonly takers: readonly { readonly one: One; readonly rows: number[]; readonly places: number[] }[]
}

export function openLoad({ rows, slots, skipped, pooling }: PassRequest): Taking {
  const open = new Map<number, number[]>()
  rows.forEach(({ ids: { length } }, at) => {
    const known = open.get(length)
    if (known === undefined) open.set(length, [at])
    else known.push(at)
  })
  return {
    rows,
    slots,
    skipped,
    pooling,
    keys: rows.map(({ ids, typeIds }) => `${ids.join()} ${typeIds.join()}`),
    group: `${pooling} ${skipped}`,
    open,
  }
}

/**
 * The first request chooses the length, by its first row; then a row of each request in turn, as long as there is room.
 */
export function takeLoad<One extends Taking>(waiting: readonly One[], maxTokens: number): Load<One> {
  const [first] = waiting
  const length = first?.open.keys().next().value
  if (first === undefined || length === undefined) throw fault('internal', { place: 'queue', what: 'nobody waits' })
  const takers = waiting.flatMap((one) => {
    const open = one.group === first.group ? one.open.get(length) : undefined
    return open === undefined ? [] : [{ one, open, rows: [] as number[], places: [] as number[] }]
  })
  const rows: TokenRow[] = []
  const placeOf = new Map<string, number>()
  for (let turn = takers; turn.length > 0;)
    turn = turn.filter(({ one, open, rows: taken, places }) => {
      const at = open[taken.length]
      const row = at === undefined ? undefined : one.rows[at]
      if (at === undefined || row === undefined) return false
      const key = one.keys[at] ?? ''
      const known = placeOf.get(key)
      if (known === undefined) {
        if (rows.length > 0 && (rows.length + 1) * length > maxTokens) return false
        placeOf.set(key, rows.length)
        rows.push(row)
      }
      taken.push(at)
      places.push(known ?? rows.length - 1)
      return true
    })
  const served = takers.filter(({ places }) => places.length > 0)
  for (const { one, open, rows: taken } of served) {
    if (taken.length === open.length) one.open.delete(length)
    else one.open.set(length, open.slice(taken.length))
  }
  return {
    rows,
    tokens: rows.length * length,
    skipped: first.skipped,
    pooling: first.pooling,
    slots: [...new Set(served.flatMap(({ one }) => one.slots))],
    takers: served,
  }
}

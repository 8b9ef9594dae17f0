/**
 * Which tokens pass the model together. Sequences that begin alike form a tree whose common beginnings pass once; trees
 * are packed into rows in which every token sees its own path alone. A beginning that many rows share passes first, and
 * they continue from its kept states. A pure plan; the idea is that of prefix caching (Zheng et al. 2024,
 * RadixAttention) and of tree attention (Miao et al. 2024, SpecInfer).
 */

/**
 * A token of a row: what it is, the token before it in its path (−1: the row's past, or nothing), and its place in its
 * sequence, from 0.
 */
export interface PackedTokens {
  readonly ids: Int32Array
  readonly parents: Int32Array
  readonly places: Int32Array
}

/**
 * Token `at` of the row is the last one that sequence `sequence` has up to place `place`: what follows there can be
 * scored.
 */
export interface Pick {
  readonly sequence: number
  /** Place in the sequence. */
  readonly place: number
  readonly at: number
}

/** One row to run after the past of its stem. */
export interface Pack extends PackedTokens {
  readonly picks: readonly Pick[]
}

/** Tokens that all below share: they pass once and are kept while their branches run. */
export interface Stem {
  readonly pack: Pack
  readonly branches: readonly Branch[]
}

export type Branch = { readonly kind: 'pack'; readonly pack: Pack } | { readonly kind: 'stem'; readonly stem: Stem }

/** Tokens of a text; from place `first` on, what follows each token is scored. */
export interface Sequence {
  readonly ids: Int32Array
  readonly first: number
}

export interface PackOptions {
  /** Tokens of a row. A longer sequence is cut into stems of this length. */
  readonly rowTokens: number
  /** Shared beginnings of at least this length are kept; shorter ones pass again in every row. */
  readonly stemTokens: number
}

/**
 * Rows and stems for the `members` of `sequences`; each place of each of them from `first` on is picked exactly once.
 */
export function packTokens(sequences: readonly Sequence[], members: readonly number[], options: PackOptions): Branch[] {
  const order = [...members].sort((a, b) => compareIds(idsOf(sequences, a), idsOf(sequences, b)) || a - b)
  return branchesOf(sequences, order, 0, options)
}

/** `order`: sequences in the order of their ids that agree up to `depth`, where the past ends. */
function branchesOf(
  sequences: readonly Sequence[],
  order: readonly number[],
  depth: number,
  options: PackOptions,
): Branch[] {
  const branches: Branch[] = []
  let row: number[] = []
  let size = 0
  const flush = (): void => {
    if (row.length > 0) branches.push({ kind: 'pack', pack: packOf(sequences, row, depth) })
    ;[row, size] = [[], 0]
  }
  for (let start = 0; start < order.length;) {
    const { end, tokens, common } = nextGroup(sequences, order, start, depth, options)
    const group = order.slice(start, end)
    start = end
    if (tokens > options.rowTokens && common > depth) {
      flush()
      branches.push({
        kind: 'stem',
        stem: stemOf(sequences, group, { depth, to: Math.min(common, depth + options.rowTokens) }, options),
      })
      continue
    }
    if (size + tokens > options.rowTokens) flush()
    row.push(...group)
    size += tokens
  }
  flush()
  return branches
}

/**
 * Sequences from `start` on that share a beginning worth keeping, or one alone; how many tokens they are as a tree, and
 * where their common beginning ends.
 */
function nextGroup(
  sequences: readonly Sequence[],
  order: readonly number[],
  start: number,
  depth: number,
  { rowTokens, stemTokens }: PackOptions,
): { end: number; tokens: number; common: number } {
  const first = idsOf(sequences, order[start] ?? 0)
  let common = first.length
  let tokens = first.length - depth
  let end = start + 1
  for (; end < order.length; end++) {
    const [before, ids] = [idsOf(sequences, order[end - 1] ?? 0), idsOf(sequences, order[end] ?? 0)]
    const shared = commonLength(before, ids)
    const narrowed = Math.min(common, shared)
    // a short common beginning holds together only what fits into one row
    if (narrowed - depth < stemTokens && (tokens + ids.length - shared > rowTokens || narrowed === depth)) break
    common = narrowed
    tokens += ids.length - Math.max(shared, depth)
  }
  return { end, tokens, common }
}

function stemOf(
  sequences: readonly Sequence[],
  group: readonly number[],
  { depth, to }: { depth: number; to: number },
  options: PackOptions,
): Stem {
  const ids = idsOf(sequences, group[0] ?? 0).slice(depth, to)
  const picks = group.flatMap((sequence) => {
    const { first, ids: own } = sequences[sequence] ?? none
    const from = Math.max(first, depth)
    return Array.from({ length: Math.max(0, Math.min(to, own.length) - from) }, (_, i) => ({
      sequence,
      place: from + i,
      at: from + i - depth,
    }))
  })
  const pack = {
    ids,
    parents: Int32Array.from(ids, (_, i) => i - 1),
    places: Int32Array.from(ids, (_, i) => depth + i),
    picks,
  }
  const longer = group.filter((sequence) => idsOf(sequences, sequence).length > to)
  return { pack, branches: branchesOf(sequences, longer, to, options) }
}

/** The tree of `row`, sequences in order: what one shares with the one before it is there already. */
function packOf(sequences: readonly Sequence[], row: readonly number[], depth: number): Pack {
  const ids: number[] = []
  const parents: number[] = []
  const places: number[] = []
  const picks: Pick[] = []
  let path: number[] = []
  let before: Int32Array = new Int32Array(0)
  for (const sequence of row) {
    const { ids: own, first } = sequences[sequence] ?? none
    const shared = Math.max(depth, commonLength(before, own))
    path = path.slice(0, shared - depth)
    for (let place = shared; place < own.length; place++) {
      parents.push(path.at(-1) ?? -1)
      path.push(ids.length)
      ids.push(own[place] ?? 0)
      places.push(place)
    }
    for (let place = Math.max(first, depth); place < own.length; place++)
      picks.push({ sequence, place, at: path[place - depth] ?? 0 })
    before = own
  }
  return { ids: Int32Array.from(ids), parents: Int32Array.from(parents), places: Int32Array.from(places), picks }
}

const none: Sequence = { ids: new Int32Array(0), first: 0 }

function idsOf(sequences: readonly Sequence[], at: number): Int32Array {
  return sequences[at]?.ids ?? none.ids
}

function commonLength(a: Int32Array, b: Int32Array): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a[length] === b[length]) length++
  return length
}

function compareIds(a: Int32Array, b: Int32Array): number {
  const shared = commonLength(a, b)
  return (a[shared] ?? -1) - (b[shared] ?? -1)
}

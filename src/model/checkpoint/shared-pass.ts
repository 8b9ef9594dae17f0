/** One forward pass for several poolings: each pooling's vectors are columns of the same pooled states. */
import type { PoolingName } from '#model/passes'
import type { Encoder } from './layer-vectors.ts'

/** One pooling, or several whose vectors are joined end to end. */
export type PoolingGroup = readonly PoolingName[]

/** The groups that a pass can serve together; the pooler is a graph of its own. */
export function jointGroups(groups: readonly PoolingGroup[]): readonly PoolingGroup[] {
  const distinct = new Map(groups.map((group) => [group.join(), group]))
  return [...distinct.values()].filter((group) => !group.includes('pooler'))
}

export interface SharedPass {
  /** Encodes with the poolings of all groups joined, in their order. */
  readonly joint: Encoder
  readonly groups: readonly PoolingGroup[]
  /** Receives what the pass has for the other groups. */
  readonly keepOther: (
    group: PoolingGroup,
    texts: readonly string[],
    prompt: string | null,
    values: Float32Array[],
  ) => Promise<void>
}

/** The vectors of `group` from a pass of all groups, as an encoder of `group` alone would give them. */
export async function passShared(
  { joint, groups, keepOther }: SharedPass,
  group: PoolingGroup,
  ...[texts, prompt, call]: Parameters<Encoder['encode']>
): Promise<Float32Array[]> {
  const values = await joint.encode(texts, prompt, call)
  const total = groups.reduce((sum, { length }) => sum + length, 0)
  let own: Float32Array[] = []
  let from = 0
  for (const one of groups) {
    const columns = values.map((data) => columnsOf(data, { rows: texts.length, from, count: one.length, of: total }))
    from += one.length
    if (one.join() === group.join()) own = columns
    else await keepOther(one, texts, prompt, columns)
  }
  return own
}

/** Parts `from` … `from + count` of every row that is divided into `of` equal parts. */
function columnsOf(
  data: Float32Array,
  {
    rows,
    from,
    count,
    of,
  }: { readonly rows: number; readonly from: number; readonly count: number; readonly of: number },
): Float32Array {
  const width = rows === 0 ? 0 : data.length / rows
  const part = width / of
  const columns = new Float32Array(rows * part * count)
  for (let row = 0; row < rows; row++)
    columns.set(data.subarray(row * width + from * part, row * width + (from + count) * part), row * part * count)
  return columns
}

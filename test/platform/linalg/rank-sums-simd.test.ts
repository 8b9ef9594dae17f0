import { openRankSums, rankLanes, rankPlaces } from '#platform/linalg'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

/** Items in the order of few values, and where the run of equal values of each place ends. */
function runsOf(values: readonly number[]): { readonly order: Int32Array; readonly ends: Int32Array } {
  const order = Int32Array.from([...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0)))
  const value = (place: number): number | undefined => values[order[place] ?? -1]
  const ends = Int32Array.from(order, (_, place) => {
    let end = place + 1
    while (end < order.length && value(end) === value(place)) end++
    return end
  })
  return { order, ends }
}

/** One weighting, item by item. */
function plain(
  { order, ends }: ReturnType<typeof runsOf>,
  weight: (item: number) => number,
  other: (item: number) => number,
): number[] {
  let [before, across, own, tied, others] = [0, 0, 0, 0, 0]
  for (const [place, item] of order.entries()) {
    tied += weight(item)
    others += other(item)
    if (ends[place] !== place + 1) continue
    const rank = before + (tied + 1) / 2
    across += rank * others
    own += tied * rank * rank
    before += tied
    tied = others = 0
  }
  return [before, across, own]
}

const step = (values: (draw: Draw) => readonly number[]) => (draw: Draw) => {
  const { size, doubles } = draw
  const runs = runsOf(values(draw))
  const lanes = Array.from({ length: rankLanes }, (_, k) => [doubles(`weight ${k}`), doubles(`other ${k}`)] as const)
  const memory = openRankSums(size)
  for (const [k, [weights, others]] of lanes.entries())
    for (let item = 0; item < size; item++) {
      memory.cells[2 * rankLanes * item + k] = weights[item] ?? NaN
      memory.cells[2 * rankLanes * item + rankLanes + k] = others[item] ?? NaN
    }
  const kernel = { sums: memory.sums(rankPlaces(runs.order, runs.ends)).slice() }
  memory.release()
  const each = lanes.map(([weights, others]) =>
    plain(
      runs,
      (item) => weights[item] ?? NaN,
      (item) => others[item] ?? NaN,
    ),
  )
  return { kernel, loop: { sums: [0, 1, 2].flatMap((which) => each.map((sums) => sums[which] ?? NaN)) } }
}

sameBits(
  'platform/linalg/rank-sums-simd.ts',
  { lanes: 4, chunk: 64, least: 1 },
  {
    'of values that differ': step(({ words }) => [...words('values')]),
    'of values that tie': step(({ words }) => [...words('values')].map((word) => word % 5)),
    'of one value': step(({ size }) => Array.from({ length: size }, () => 1)),
  },
)

/** Whether a server gives every text a vector of its own, the same one each time. */
import { fault, type Fault } from '#core'

/** Texts of different lengths, and in no order of those: a server that sorts its batch mixes them up. */
export const probeTexts: readonly string[] = [
  'The sky is blue today.',
  'Three dogs sat on a mat in front of the old house by the river.',
  'Prices fell by four per cent in March.',
  'Hello!',
  'How long does it take to boil an egg until it is hard?',
]

interface CheckOptions {
  readonly batchSize: number
  readonly tolerance: number
  readonly place: string
}

/**
 * Vectors of the probes, asked one by one. They must be far from one another, and near to those of a batch and of the
 * batch reversed: both, for a server that reverses every batch passes the second alone. Throws `server.answer`.
 *
 * A text's two vectors may differ, for sums on a graphics card depend on their batch: in bfloat16 by about 1 % of their
 * length, which is a distance of 5e-5; the default tolerance of 1e-3 leaves room for cards and narrow types alike. Where
 * the vectors of all texts are near one another, the bound is a tenth of the smallest distance between two texts.
 */
export async function checkServer(
  ask: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
  { batchSize, tolerance, place }: CheckOptions,
): Promise<readonly Float32Array[]> {
  const refuse = (what: string, seen: number, wanted: string, hint?: string): Fault =>
    fault('server.answer', { place, what, seen: Number(seen.toPrecision(3)), wanted, hint })
  const alone: Float32Array[] = []
  for (const text of probeTexts) alone.push(...(await ask([text])))
  const widths = new Set(alone.map(({ length }) => length))
  if (widths.size > 1) throw fault('server.answer', { place, what: 'vectors have different widths', seen: [...widths] })
  const apart = Math.min(...pairs(probeTexts.length).map(([a, b]) => distanceAt(alone, a, alone, b)))
  if (apart < least)
    throw refuse('the server gives different texts the same vector', apart, `a distance of ${least} or more`)
  const bound = Math.min(tolerance, apart / 10)
  const order = probeTexts.map((_, at) => at)
  for (const asked of [order, order.toReversed()]) {
    const batch = await inBatches(ask, asked, batchSize)
    const far = asked.map((text, at) => distanceAt(batch, at, alone, text))
    const worst = Math.max(...far)
    if (worst <= bound) continue
    const isMixed = batch.every((_, at) => order.some((text) => distanceAt(batch, at, alone, text) <= bound))
    if (isMixed) throw refuse('the server gives the vectors of a batch in another order than its texts', worst, '0')
    throw refuse(
      'the server gives a text another vector when it is asked again',
      worst,
      `a distance of at most ${Number(bound.toPrecision(3))}`,
      'if that is its arithmetic, allow it: tolerance=0.01 in --model_args',
    )
  }
  return alone
}

/** Distance below which two texts have one vector. */
const least = 1e-9

async function inBatches(
  ask: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
  order: readonly number[],
  batchSize: number,
): Promise<Float32Array[]> {
  const found: Float32Array[] = []
  for (let start = 0; start < order.length; start += batchSize)
    found.push(...(await ask(order.slice(start, start + batchSize).map((at) => probeTexts[at] ?? ''))))
  return found
}

function pairs(count: number): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, b) => Array.from({ length: b }, (_, a) => [a, b] as const)).flat()
}

function distanceAt(one: readonly Float32Array[], a: number, other: readonly Float32Array[], b: number): number {
  return distance(one[a] ?? new Float32Array(0), other[b] ?? new Float32Array(0))
}

/** ‖a − b‖² / 2‖a‖‖b‖: for vectors of one length, one minus their cosine. Infinite where they have no common width. */
export function distance(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length || a.length === 0) return Infinity
  let [apart, first, second] = [0, 0, 0]
  a.forEach((value, i) => {
    const other = b[i] ?? 0
    apart += (value - other) ** 2
    first += value ** 2
    second += other ** 2
  })
  return apart / (2 * Math.sqrt(first * second))
}

/**
 * What measured rates allow to be said. A difference is claimed only where the rounds of two models do not overlap: of n
 * rounds each of two equally fast models, in any order, that happens in 2 (n!)² of (2n)! cases (3 % for n = 4).
 */
import { decimals, quantity } from '#core'
import type { Measured, SizeMeasured, Speed } from './speed.ts'

/** Fewer rounds separate by chance too often: 10 % for three. */
const leastRounds = 4

/** One sentence per row after the first and batch size, and the conditions under which they hold. */
export function claims({ rows, rounds, threads, texts }: Speed): string[] {
  const [first, ...others] = rows
  const compared =
    first === undefined || rounds < leastRounds
      ? []
      : others.flatMap((row) =>
          row.sizes.flatMap((size) => {
            const theirs = first.sizes.find(({ batch }) => batch === size.batch)
            return theirs === undefined ? [] : [claim({ row, size }, { row: first, size: theirs })]
          }),
        )
  return [
    ...compared,
    ...(others.length > 0 && rounds < leastRounds
      ? [
          `No difference can be claimed from ${rounds} rounds: equally fast models separate too often by chance; give --rounds ${leastRounds} or more.`,
        ]
      : []),
    `Measured on this machine with ${quantity(threads, 'thread')}, ${quantity(texts.count, 'text')} (${texts.name}), ${rounds} rounds in turn after one that does not count; another machine, other texts or other threads may give another order.`,
  ]
}

interface Side {
  readonly row: Measured
  readonly size: SizeMeasured
}

function claim(one: Side, other: Side): string {
  const [a, b] = [one.size.textsPerSecond, other.size.textsPerSecond]
  const per = `At ${quantity(one.size.batch, 'text')} per call`
  if (a.low <= b.high && b.low <= a.high)
    return `${per}, no difference between ${one.row.name} and ${other.row.name} can be claimed: their rounds overlap.`
  const [faster, slower, quick, slow] = a.low > b.high ? [one, other, a, b] : [other, one, b, a]
  return `${per}, ${faster.row.name} is ${times(quick.median / slow.median)} as fast as ${slower.row.name} (at least ${times(quick.low / slow.high)} between any two rounds).`
}

function times(ratio: number): string {
  return `${decimals(ratio, ratio < 10 ? 2 : 0)}×`
}

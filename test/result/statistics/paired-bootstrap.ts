/** Two statistics of the same items, drawn again together. */
import {
  type Interval,
  makeInterval,
  itemsIn,
  jointDraws,
  type Statistic,
} from '../../../src/result/statistics/bootstrap.ts'

interface PairedPart {
  readonly items: number
  readonly ours: Statistic
  readonly theirs: Statistic
}

export function pairedBootstrap(
  parts: readonly PairedPart[],
  options: Parameters<typeof jointDraws>[1] = {},
): Interval | undefined {
  const [ours, theirs] = jointDraws(
    parts.map(({ items, ours: own, theirs: other }) => ({ items, statistics: [own, other] })),
    options,
  )
  return ours === undefined || theirs === undefined ? undefined : makeInterval(ours, theirs, itemsIn(parts))
}

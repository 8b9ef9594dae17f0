/**
 * Train, dev and test of data that comes without: 70, 10 and 20 parts of 100 groups, drawn by one seed. What belongs
 * together – the two sentences of a pair – stays together.
 */
import { pythonRandom } from '#platform/random'
import type { ProbeSplit } from './data-set.ts'

const shares = { train: 0.7, dev: 0.1 } as const
const seed = 0

export function drawSplits(groups: number): ProbeSplit[] {
  const order = pythonRandom(seed).shuffle(Array.from({ length: groups }, (_, i) => i))
  const [train, dev] = [Math.round(groups * shares.train), Math.round(groups * (shares.train + shares.dev))]
  const splits: ProbeSplit[] = []
  for (const [place, group] of order.entries()) {
    const rest = place < dev ? 'dev' : 'test'
    splits[group] = place < train ? 'train' : rest
  }
  return splits
}

/** Holmes caps a data set at 40,000 instances; here in the shares above. */
const most: Readonly<Record<ProbeSplit, number>> = { train: 28_000, dev: 4_000, test: 8_000 }

/**
 * As many groups, drawn by one seed and kept in their old order, as fit into the split's maximum number of instances:
 * the instances of a sentence come together or not at all.
 */
export function capped<T>(groups: readonly (readonly T[])[], split: ProbeSplit): T[] {
  if (groups.reduce((sum, { length }) => sum + length, 0) <= most[split]) return groups.flat()
  const order = pythonRandom(seed).shuffle(Array.from(groups.keys()))
  const chosen: number[] = []
  let room = most[split]
  for (const group of order) {
    const size = groups[group]?.length ?? 0
    if (size > room) break
    room -= size
    chosen.push(group)
  }
  return chosen.sort((a, b) => a - b).flatMap((group) => groups[group] ?? [])
}

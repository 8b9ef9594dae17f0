/** The front of score and size, and the choice on it: pure, by whichever scores it is given. */
import { frontierNames } from '#result/statistics'

export interface Candidate {
  readonly name: string
  readonly bytes: number
  /** What a choice may look at; null: no such score. */
  readonly score: number | null
}

/** Names of the candidates that none beats on score and bytes at once, the smallest first. */
export function frontNames(candidates: readonly Candidate[]): string[] {
  return frontierNames(
    candidates.flatMap(({ name, bytes, score }) => (score === null ? [] : [{ name, x: -bytes, y: score }])),
  )
}

/** The smallest candidate on the front that loses at most `loss` against the best score. Undefined for an empty front. */
export function chooseSmallest(candidates: readonly Candidate[], loss: number): string | undefined {
  const scores = new Map(candidates.map(({ name, score }) => [name, score]))
  const front = frontNames(candidates)
  const best = scores.get(front.at(-1) ?? '') ?? -Infinity
  return front.find((name) => (scores.get(name) ?? -Infinity) >= best - loss)
}

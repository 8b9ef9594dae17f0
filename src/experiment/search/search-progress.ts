/** How far a search has come, for a table and a picture. */
import type { RecordedSearch } from './search-state.ts'

export interface SearchProgress {
  readonly name: string
  readonly policy: string
  /** Number of pulls. */
  readonly spent: number
  /** '' while no arm has a reward. */
  readonly best: string
  readonly reward: number | null
  /** Best mean score so far, in 0 … 1, one per pull from the first score on. */
  readonly curve: readonly number[]
}

export function searchProgress(name: string, { policy, best, pulls }: RecordedSearch): SearchProgress {
  let top = -Infinity
  const curve = pulls.map(({ scores }) => {
    const values = Object.values(scores)
    if (values.length > 0) top = Math.max(top, values.reduce((sum, score) => sum + score, 0) / values.length)
    return top
  })
  return {
    name,
    policy,
    spent: pulls.length,
    best: best?.arm ?? '',
    reward: best?.reward ?? null,
    curve: curve.filter((score) => Number.isFinite(score)),
  }
}

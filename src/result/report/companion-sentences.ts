/** Searches, replays and similarities in a sentence each. */
import { decimals, points, quantity } from '#core'
import type { Companions, ReplayRecord, SearchRecord, SimilarityRecord } from './companions.ts'
import { listNames } from './sentence-parts.ts'

export function companionSentences({ searches, replays, similarities }: Companions): string[] {
  return [...searches.map(searched), ...replays.map(replayed), ...measured(similarities)]
}

function searched({ name, policy, spent, best, curve }: SearchRecord): string {
  const score = curve.at(-1)
  if (best === '' || score === undefined) return `The search ${name} (${policy}) has scored no arm yet.`
  return `The best arm that the search ${name} (${policy}) found in ${quantity(spent, 'pull')} is ${best}, with a mean score of ${points(score)}; arms that it did not pull may be better.`
}

/** The policies with the smallest regret at the largest budget that all have. */
function replayed({ model, arms, tasks, best, replays }: ReplayRecord): string {
  const ends = replays.flatMap(({ policy, runs, points: after }) => {
    const last = after.at(-1)
    return last?.regret == null ? [] : [{ policy, runs, budget: last.budget, regret: last.regret }]
  })
  const [first] = ends.toSorted((a, b) => a.regret - b.regret)
  const head = `Searches were replayed over ${arms} arms of ${model} on ${quantity(tasks, 'task')}, where the best arm is ${best.arm}`
  if (first === undefined) return `${head}; no policy completed an arm.`
  const tied = ends.filter(({ regret }) => decimals(regret, 4) === decimals(first.regret, 4))
  const names = listNames(tied.map(({ policy }) => policy))
  return `${head}; after ${quantity(first.budget, 'pull')} ${names} ${tied.length === 1 ? 'has' : 'have'} the smallest regret of ${quantity(ends.length, 'policy').replace(/ys$/, 'ies')}, ${decimals(first.regret, 4)} on average over ${quantity(first.runs, 'run')}.`
}

function measured(similarities: readonly SimilarityRecord[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, metric } of similarities) names.set(name, [...(names.get(name) ?? []), metric])
  return [...names].map(([name, metrics]) => `The similarity of layers of ${name} is shown by ${listNames(metrics)}.`)
}

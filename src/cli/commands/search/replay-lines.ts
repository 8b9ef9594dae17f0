/** Replayed searches for people: policy × budget. */
import { decimals, quantity } from '#core'
import { asText } from '#result/report'
import type { Replay } from '#experiment/search'

export function replayLines(name: string, { arms, tasks, best, narrow, replays }: Replay): string[] {
  const budgets = replays[0]?.points.map(({ budget }) => budget) ?? []
  const columns = [
    { title: 'policy' },
    { title: 'runs', number: true },
    ...budgets.map((budget) => ({ title: `regret (rank) after ${budget}`, number: true })),
  ]
  const rows = replays.map(({ policy, runs, points }) => [
    policy,
    String(runs),
    ...points.map(({ regret, low, high, rank }) =>
      Number.isFinite(regret)
        ? `${decimals(regret, 4)}${runs > 1 ? ` [${decimals(low, 2)} … ${decimals(high, 2)}]` : ''} (${rank})`
        : 'no complete arm',
    ),
  ])
  return [
    `${name}: ${quantity(arms, 'arm')}, ${quantity(tasks, 'task')}; best arm ${best.arm}, reward ${decimals(best.reward, 4)}`,
    ...asText({ columns, rows }),
    '',
    'regret: reward of the best arm minus that of the best one found; for several runs the mean, the 5th to 95th percentile in brackets, and the median rank',
    ...(narrow.length === 0
      ? []
      : [
          `the baseline's layers differ by less than 0.005 on ${narrow.join(', ')}: --floor 0.005 makes these tasks count less`,
        ]),
  ]
}

/** Replayed searches for people: policy × budget. */
import type { Replay } from '#experiment/search'
import { tableLines } from '../../lines/table.ts'

export function replayLines(name: string, { arms, tasks, best, narrow, replays }: Replay): string[] {
  const budgets = replays[0]?.points.map(({ budget }) => budget) ?? []
  const columns = [
    { title: 'policy' },
    { title: 'runs', right: true },
    ...budgets.map((budget) => ({ title: `regret (rank) after ${budget}`, right: true })),
  ]
  const rows = replays.map(({ policy, runs, points }) => [
    policy,
    String(runs),
    ...points.map(({ regret, low, high, rank }) =>
      Number.isFinite(regret)
        ? `${regret.toFixed(4)}${runs > 1 ? ` [${low.toFixed(2)} … ${high.toFixed(2)}]` : ''} (${rank})`
        : 'no arm is complete',
    ),
  ])
  return [
    `${name}: ${arms} arms, ${tasks} tasks; the best is ${best.arm} with a reward of ${best.reward.toFixed(4)}`,
    ...tableLines(columns, rows),
    '',
    'regret: reward of the best arm less that of the best one found; of several runs the mean, 5 to 95 of 100 in brackets, and the median rank',
    ...(narrow.length === 0
      ? []
      : [
          `the baseline's layers differ by less than 0.005 on ${narrow.join(', ')}: --floor 0.005 makes such tasks count less`,
        ]),
  ]
}

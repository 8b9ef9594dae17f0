/** The Open LLM Leaderboard as a table: raw, and with a guess at 0. */
import type { Leaderboard } from '#task/harness'
import { tableLines } from './table.ts'

/** A block of lines for each model. */
export function leaderboardLines(
  all: readonly { readonly name: string; readonly leaderboard: Leaderboard }[],
): string[] {
  return tableLines(
    [
      { title: 'Open LLM Leaderboard 2' },
      { title: 'group' },
      ...['raw', 'normalised', 'tasks'].map((title) => ({ title, right: true })),
    ],
    all.flatMap(({ name, leaderboard: { groups, average } }) => [
      ...groups.map((group) => [
        name,
        group.name,
        percent(group.raw),
        percent(group.normalised),
        `${group.tasks} of ${group.of}`,
      ]),
      [name, 'average', '–', average === null ? '–' : percent(average), ''],
    ]),
  )
}

function percent(share: number): string {
  return (100 * share).toFixed(2)
}

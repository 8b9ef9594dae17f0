/** The Open LLM Leaderboard as a table: raw, and normalised so that a guess is 0. */
import { asText } from '#result/report'
import { points, dash } from '#core'
import type { Leaderboard } from '#task/harness'

/** A block of lines per model. */
export function leaderboardLines(
  all: readonly { readonly name: string; readonly leaderboard: Leaderboard }[],
): string[] {
  return asText({
    columns: [
      { title: 'Open LLM Leaderboard 2' },
      { title: 'group' },
      ...['raw', 'normalised', 'tasks'].map((title) => ({ title, number: true })),
    ],
    rows: all.flatMap(({ name, leaderboard: { groups, average } }) => [
      ...groups.map((group) => [
        name,
        group.name,
        points(group.raw),
        points(group.normalised),
        `${group.tasks} of ${group.of}`,
      ]),
      [name, 'average', dash, points(average), ''],
    ]),
  })
}

/**
 * The six tables of the published analysis (`rankings_output/`): ranks of models on either side, and the correlation of
 * those ranks.
 */
import { join } from 'node:path'
import { csvLine } from '#files/tables'
import { makeFolder, writeWhole } from '#platform/disk'
import type { Correlation } from './correlate.ts'
import { groupMeans, type ScoreTable } from './score-table.ts'

export interface RankingSides {
  /** Holmes: probes by competency. */
  readonly probes: ScoreTable
  /** The harness: tasks by group. */
  readonly tasks: ScoreTable
  /** Probes against tasks, by group. */
  readonly byGroup: Correlation
  /** All probes as one group against every single task. */
  readonly overall: Correlation
}

/**
 * File name → text. Rank 1 is the best, equal scores share their mean rank, and a model without a score has no rank.
 */
export function rankingTables({ probes, tasks, byGroup, overall }: RankingSides): Map<string, string> {
  const correlations = ({ cells }: Correlation): string[] => [
    csvLine(['x', 'y', 'n', 'of_means', 'p', 'low', 'high', 'mean_of_pairs', 'pairs', 'skipped', 'legacy']),
    ...cells.map(({ x, y, ofMeans, meanOfPairs, pairs, skipped, legacy }) =>
      csvLine([
        x,
        y,
        ofMeans?.count ?? null,
        ofMeans?.value ?? null,
        ofMeans?.p ?? null,
        ofMeans?.low ?? null,
        ofMeans?.high ?? null,
        meanOfPairs,
        pairs,
        skipped,
        legacy,
      ]),
    ),
  ]
  const files: [string, string[]][] = [
    ['holmes_main_task_rankings', meansTable(probes)],
    ['holmes_subtask_rankings_by_ling_competency', rowsTable(probes, 'competency')],
    ['harness_main_rankings', meansTable(tasks)],
    ['harness_subtask_rankings_by_group', rowsTable(tasks, 'group')],
    ['correlation_holmes_main_vs_harness_all', correlations(overall)],
    ['correlation_holmes_ling_competencies_vs_harness_groups', correlations(byGroup)],
  ]
  return new Map(files.map(([name, lines]) => [`${name}.csv`, lines.join('')]))
}

/** Throws `file.write`. */
export async function writeRankings(folder: string, sides: RankingSides): Promise<void> {
  await makeFolder(folder)
  for (const [name, text] of rankingTables(sides)) await writeWhole(join(folder, name), text)
}

/** The table with all rows in one group, or with each row as its own group. */
export function regrouped(table: ScoreTable, groupOf: (row: ScoreTable['rows'][number]) => string): ScoreTable {
  return { ...table, rows: table.rows.map((row) => ({ ...row, group: groupOf(row) })) }
}

/** Mean of each model per group, and its rank. */
function meansTable(table: ScoreTable): string[] {
  const means = groupMeans(table)
  const ranks = means.map(({ values }) => ranksOf(values))
  return [
    csvLine(['model', ...means.flatMap(({ group }) => [group, `${group}_rank`])]),
    ...table.models.map((model, at) =>
      csvLine([model, ...means.flatMap(({ values }, i) => [values[at] ?? null, ranks[i]?.[at] ?? null])]),
    ),
  ]
}

/** Ranks, one row per probe or task, one column per model. */
function rowsTable({ models, rows }: ScoreTable, kind: string): string[] {
  return [
    csvLine([kind, 'name', ...models]),
    ...rows.map(({ name, group, values }) => csvLine([group, name, ...ranksOf(values)])),
  ]
}

function ranksOf(values: readonly (number | null)[]): (number | null)[] {
  const there = values.filter((value) => value !== null)
  return values.map((value) =>
    value === null
      ? null
      : there.filter((other) => other > value).length + (there.filter((other) => other === value).length + 1) / 2,
  )
}

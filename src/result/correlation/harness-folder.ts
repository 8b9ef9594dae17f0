/** Folders of lm-evaluation-harness as one side. */
import { fault } from '#core'
import { harnessFiles } from '#result/ledger'
import type { ScoreTable } from './score-table.ts'

/** The leaderboard's prefix carries no information about the task. */
const plain = (name: string): string => name.replace(/^leaderboard_/, '')

/**
 * Folders of lm-evaluation-harness as a table of scores, one row per task, one column per model; the newest run counts
 * when a task was run several times. Throws `file.missing`, and `result.invalid` where nothing is found.
 *
 * @example
 * ```ts
 * import { mkdir, writeFile } from 'node:fs/promises'
 * import { readHarnessFolder } from 'strata-lm/statistics'
 *
 * await mkdir('harness/org__a', { recursive: true })
 * await writeFile(
 *   'harness/org__a/results_2025-01-01T00-00-00.000000.json',
 *   JSON.stringify({ model_name: 'org/a', results: { piqa: { 'acc,none': 0.7, alias: 'piqa' } }, group_subtasks: {} }),
 * )
 * const { models, rows } = await readHarnessFolder('harness')
 * console.log(models, rows[0]?.name, rows[0]?.values) // → [ 'org/a' ] piqa [ 0.7 ]
 * ```
 */
export async function readHarnessFolder(folder: string): Promise<ScoreTable> {
  const { scores, passedOver } = await harnessFiles(folder)
  if (scores.length === 0)
    throw fault('result.invalid', {
      place: folder,
      what: 'no result in it',
      seen: passedOver[0]?.reason,
      wanted: 'results_<date>.json of lm-evaluation-harness',
    })
  const models = [...new Set(scores.map(({ model }) => model))]
  const tasks = new Map(scores.map(({ task, group }) => [plain(task), plain(group)] as const))
  const valueOf = (model: string, name: string): number | null =>
    scores.find((one) => one.model === model && plain(one.task) === name)?.score ?? null
  return {
    models,
    rows: [...tasks].map(([name, group]) => ({ name, group, values: models.map((model) => valueOf(model, name)) })),
    notices: passedOver.map(({ model, task, file, reason }) => `${model} ${task} of ${file}: ${reason}`),
  }
}

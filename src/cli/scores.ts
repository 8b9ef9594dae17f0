/** Results as a table: representations down, tasks across, the best of each task marked. */
import type { Result } from '../core/index.ts'
import { taskScore } from '../evaluate/index.ts'
import { tableLines } from './table.ts'

/** One row a (model, representation); failures show their code, and are counted by the caller. */
export function scoreTable(results: readonly Result[]): string[] {
  const tasks = [...new Set(results.map(({ task_name }) => task_name))]
  const models = [...new Set(results.map(({ strata }) => strata.model))]
  const rowKey = ({ strata }: Result): string => `${models.length > 1 ? `${strata.model} ` : ''}${strata.representation}`
  const rows = [...new Set(results.map(rowKey))]
  const cell = (row: string, task: string): Result | undefined => results.find((result) => rowKey(result) === row && result.task_name === task)
  const best = new Map(
    tasks.map((task) => [task, Math.max(...results.filter((result) => result.task_name === task).map((result) => scoreOf(result) ?? -Infinity))]),
  )
  return tableLines(
    [{ title: models.length > 1 ? 'model' : 'state' }, ...tasks.map((title) => ({ title, right: true }))],
    rows.map((row) => [
      row,
      ...tasks.map((task) => {
        const result = cell(row, task)
        const score = result === undefined ? undefined : scoreOf(result)
        if (result?.strata.status === 'failed') return result.strata.code ?? 'failed'
        if (score === undefined || score === null) return '–'
        // Equal to the printed digits: then both are best.
        const isBest = score.toFixed(4) === best.get(task)?.toFixed(4)
        return `${(100 * score).toFixed(2)}${isBest && rows.length > 1 ? ' *' : '  '}`
      }),
    ]),
  )
}

function scoreOf({ scores, strata }: Result): number | null {
  return scores === undefined || strata.status === 'failed' ? null : taskScore(scores)
}

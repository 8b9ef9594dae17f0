/** Results as a table: representations down and tasks across, or the other way about where there are many tasks; the best of each task marked. */
import type { Result } from '#core'
import { scoreMeans } from '#result/ledger'
import { tableLines } from './table.ts'

/** More tasks than this, and than rows, stand below each other. */
const tasksAcross = 6

/** Failures show their code, and are counted by the caller. Where only some subsets are English, their mean stands beside that of all. */
export function scoreTable(results: readonly Result[]): string[] {
  const tasks = [...new Set(results.map(({ task_name }) => task_name))]
  const models = [...new Set(results.map(({ strata }) => strata.model))]
  const rowKey = ({ strata }: Result): string => `${models.length > 1 ? `${strata.model} ` : ''}${strata.representation}`
  const rows = [...new Set(results.map(rowKey))]
  const found = new Map(results.map((result) => [`${rowKey(result)}\n${result.task_name}`, result]))
  const best = new Map(
    tasks.map((task) => [task, Math.max(...results.filter((result) => result.task_name === task).map((result) => scoreOf(result)?.all ?? -Infinity))]),
  )
  const cell = (row: string, task: string): string => {
    const result = found.get(`${row}\n${task}`)
    if (result === undefined) return '–'
    if (result.strata.status === 'failed') return result.strata.code ?? 'failed'
    const means = scoreOf(result)
    if (means?.all === null || means === undefined) return '–'
    // Equal to the printed digits: then both are best.
    const isBest = rows.length > 1 && means.all.toFixed(4) === best.get(task)?.toFixed(4)
    const english = means.english === null || means.english === means.all ? '' : ` (eng ${(100 * means.english).toFixed(2)})`
    return `${(100 * means.all).toFixed(2)}${english}${isBest ? ' *' : '  '}`
  }
  if (tasks.length > tasksAcross && tasks.length > rows.length)
    return tableLines(
      [{ title: 'task' }, ...rows.map((title) => ({ title, right: true }))],
      tasks.map((task) => [task, ...rows.map((row) => cell(row, task))]),
    )
  return tableLines(
    [{ title: models.length > 1 ? 'model' : 'state' }, ...tasks.map((title) => ({ title, right: true }))],
    rows.map((row) => [row, ...tasks.map((task) => cell(row, task))]),
  )
}

function scoreOf({ scores, strata }: Result): { all: number | null; english: number | null } | undefined {
  return scores === undefined || strata.status === 'failed' ? undefined : scoreMeans(scores)
}

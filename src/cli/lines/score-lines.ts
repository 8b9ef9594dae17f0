/** Results as a table: representations down and tasks across, or the other way about where there are many tasks; the best of each task marked. */
import type { ScoreCell, ScoreGrid } from '#result/statistics'
import { tableLines } from '../table.ts'

/** More tasks than this, and than rows, stand below each other. */
const tasksAcross = 6

export function scoreLines({ tasks, severalModels, rows }: ScoreGrid): string[] {
  if (tasks.length > tasksAcross && tasks.length > rows.length)
    return tableLines(
      [{ title: 'task' }, ...rows.map(({ name }) => ({ title: name, right: true }))],
      tasks.map((task, column) => [task, ...rows.map(({ cells }) => cellText(cells[column]))]),
    )
  return tableLines(
    [{ title: severalModels ? 'model' : 'state' }, ...tasks.map((title) => ({ title, right: true }))],
    rows.map(({ name, cells }) => [name, ...cells.map(cellText)]),
  )
}

/** Failures show their code. Where only some subsets are English, their mean stands beside that of all. */
function cellText(cell: ScoreCell | undefined): string {
  if (cell === undefined) return '–'
  if ('failed' in cell) return cell.failed
  const { all, english, best } = cell
  const beside = english === null || english === all ? '' : ` (eng ${(100 * english).toFixed(2)})`
  return `${(100 * all).toFixed(2)}${beside}${best ? ' *' : '  '}`
}

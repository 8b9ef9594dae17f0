/** Results by (model, representation) and task, with the best of each task. */
import type { Result } from '#core'
import { scoreMeans } from '#result/ledger'

/** A score, over all parts and over those in English; or the code of a failure. */
export type ScoreCell =
  | { readonly all: number; readonly english: number | null; readonly best: boolean }
  | { readonly failed: string }

export interface ScoreGrid {
  readonly tasks: readonly string[]
  /** Rows are named by model and representation where there are several models, otherwise by representation. */
  readonly severalModels: boolean
  /** One cell per task; undefined where there is no score. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly (ScoreCell | undefined)[] }[]
}

/** Models, representations and tasks in the order of their first result. */
export function scoreGrid(results: readonly Result[]): ScoreGrid {
  const tasks = [...new Set(results.map(({ task_name }) => task_name))]
  const severalModels = new Set(results.map(({ strata }) => strata.model)).size > 1
  const nameOf = ({ strata }: Result): string =>
    severalModels ? `${strata.model} ${strata.representation}` : strata.representation
  const names = [...new Set(results.map(nameOf))]
  const found = new Map(results.map((result) => [`${nameOf(result)}\n${result.task_name}`, result]))
  const best = new Map(
    tasks.map((task) => [
      task,
      Math.max(
        ...results.filter((result) => result.task_name === task).map((result) => meansOf(result)?.all ?? -Infinity),
      ),
    ]),
  )
  const cell = (name: string, task: string): ScoreCell | undefined => {
    const result = found.get(`${name}\n${task}`)
    if (result === undefined) return undefined
    if (result.strata.status === 'failed') return { failed: result.strata.code ?? 'failed' }
    const { all = null, english = null } = meansOf(result) ?? {}
    // Equal to the printed digits: then both are best.
    return all === null
      ? undefined
      : { all, english, best: names.length > 1 && all.toFixed(4) === best.get(task)?.toFixed(4) }
  }
  return { tasks, severalModels, rows: names.map((name) => ({ name, cells: tasks.map((task) => cell(name, task)) })) }
}

function meansOf({ scores, strata }: Result): { all: number | null; english: number | null } | undefined {
  return scores === undefined || strata.status === 'failed' ? undefined : scoreMeans(scores)
}

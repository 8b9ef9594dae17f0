/** What `layers` and `evaluate` share: choosing tasks, printing results as they come, the closing table. */
import { fault, type Result } from '../core/index.ts'
import { runSweep, type Model, type SweepOptions } from '../experiment/index.ts'
import { representationNamed } from '../model/index.ts'
import { findTasks, type TaskInfo } from '../tasks/index.ts'
import type { FlagValues, Terminal } from './command.ts'
import { scoreTable } from './scores.ts'

export async function selectTasks(flags: FlagValues, terminal: Terminal): Promise<TaskInfo[]> {
  const { tasks, types, languages } = flags as { tasks?: string[]; types?: string[]; languages?: string[] }
  if (tasks === undefined && types === undefined) {
    throw fault('usage.value', {
      place: '--tasks',
      what: 'no task named',
      hint: '--tasks STS17,Banking77Classification, a glob such as "STS*", or --types STS; strata tasks lists them',
    })
  }
  const found = await findTasks(tasks ?? ['*'], { ...(types ? { types } : {}), ...(languages ? { languages } : {}) })
  for (const notice of found.notices) terminal.note(notice)
  return [...found.tasks]
}

type Named = Omit<SweepOptions, 'representations'> & ({ representations: SweepOptions['representations'] } | { names: readonly string[] })

/** Runs every model; prints each result (`--json`) or one table at the end. 1 when some result failed. */
export async function printSweep(models: readonly Model[], options: Named, flags: FlagValues, terminal: Terminal): Promise<number> {
  const results: Result[] = []
  let reused = 0
  for (const model of models) {
    const representations = 'names' in options ? options.names.map((name) => representationNamed(name, model.states)) : options.representations
    for await (const { result, state, reason } of runSweep(model, { ...options, representations })) {
      results.push(result)
      if (state === 'reused') reused++
      if (flags.json === true) terminal.print(JSON.stringify(result))
      else if (result.strata.status === 'failed') terminal.note(`failed  ${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`)
      else if (state === 'done' && reason !== '' && flags.debug === true) terminal.note(`${result.task_name} ${result.strata.representation}: ${reason}`)
    }
  }
  const failed = results.filter(({ strata }) => strata.status === 'failed').length
  if (flags.json !== true) {
    for (const line of scoreTable(results)) terminal.print(line)
    terminal.print('')
    terminal.print(
      `scores × 100, * best of the task · ${results.length} results (${reused} were there already${failed > 0 ? `, ${failed} failed` : ''}) in ${options.outputFolder ?? 'results'}/`,
    )
  }
  return failed > 0 ? 1 : 0
}

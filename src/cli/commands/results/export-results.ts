/** `strata results export`: results as files of other programs, written to a folder or printed. */
import { fault, quantity } from '#core'
import { exportedFiles, type TaskFacts, writeExported } from '#result/exports'
import type { TaskInfo } from '#task/rows'
import { chosenResults } from '../../options/chosen-results.ts'
import { knownTasks } from '../../options/choose-tasks.ts'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

/** Returns 1 when some file of the folder could not be read. */
export async function exportResults(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const place = 'strata results export'
  const { as: form, out } = flags
  if (form === undefined)
    throw fault('usage.value', {
      place,
      what: 'no form is given',
      hint: '--as eval-results, model-index, mteb-repo, mlflow or tensorboard',
    })
  const isPrinted = out === undefined && (form === 'eval-results' || form === 'model-index')
  if (out === undefined && !isPrinted)
    throw fault('usage.value', { place: `${place} --as ${form}`, what: 'no output folder is given', hint: '--out DIR' })
  const { listed } = await chosenResults(names, flags)
  const known = await knownTasks()
  const files = await exportedFiles(listed, {
    as: form,
    out: out ?? '.',
    taskFacts: (task) => toFacts(known.get(task)),
  })
  if (out === undefined) {
    for (const { path, content } of files)
      for (const line of [`# ${path}`, ...String(content).trimEnd().split('\n')]) terminal.print(line)
  } else {
    await writeExported(out, files)
    if (flags.json === true) terminal.print(JSON.stringify({ folder: out, files: files.map(({ path }) => path) }))
    else terminal.print(`${quantity(files.length, 'file')} → ${out}`)
  }
  const unreadable = listed.filter((one) => one.fault !== undefined)
  for (const { fault: problem } of unreadable) terminal.note(`unreadable  ${problem?.message ?? ''}`)
  return unreadable.length > 0 ? 1 : 0
}

function toFacts(task: TaskInfo | undefined): TaskFacts | undefined {
  if (task === undefined) return undefined
  const { type, dataset, mainScore, splits, subsets } = task
  return { type, dataset, mainScore, splits, subsets: Object.keys(subsets) }
}

/** `strata report`: folders of results as one page, or as tables for a paper, a spreadsheet, a program. */
import { fault, quantity } from '#core'
import { renderReport, reportFormat, reportOf, writeReport } from '#result/report'
import { knownTasks } from '../../options/choose-tasks.ts'
import type { CommandRun } from '../../spec/command.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { type Flags, context, contextCorpus } from './flags.ts'
import { reportSources, rowMetrics } from './report-sources.ts'
import { tasksWanted } from '../../options/tasks-there.ts'

export const run: CommandRun<Flags> = async (sources, flags, terminal) => {
  const { tasks: patterns, models, representation: representations, baseline, out, json } = flags
  const printed = json === true ? 'json' : 'md'
  const format = flags.format ?? (out === undefined ? printed : reportFormat(out, '--out')) // refused before the work
  refuseWithout(flags, context, [contextCorpus])
  if (sources.length === 0)
    throw fault('usage.value', {
      place: 'strata report',
      what: 'no folder is given',
      hint: 'strata report results --out report.html',
    })
  const { folders, recorded, beside } = await reportSources(sources, {
    models,
    averageSubsets: flags.averageSubsets === true,
  })
  const metrics =
    flags.context === undefined
      ? []
      : await rowMetrics(flags.context, { model: models?.[0], corpus: flags.contextCorpus })
  const known = await knownTasks()
  const asked = tasksWanted(patterns)
  const report = await reportOf(folders, {
    models: recorded.length > 0 ? undefined : models,
    recorded,
    beside,
    metrics,
    representations,
    baseline,
    parents: flags.parents,
    wanted: asked.wanted,
    typeOf: (task) => known.get(task)?.type ?? '',
    mainScore: (task) => known.get(task)?.mainScore,
  }).finally(asked.check)
  if (out === undefined)
    for (const line of (await renderReport(report, { format })).trimEnd().split(/\r?\n/)) terminal.print(line)
  else {
    await writeReport(out, report, { format })
    terminal.note(
      report.rows.length === 0
        ? `report → ${out}`
        : `${quantity(report.rows.length, 'row')} × ${quantity(report.tasks.length, 'task')} → ${out}`,
    )
  }
  for (const { path, message } of report.unreadable) terminal.note(`unreadable  ${path}: ${message}`)
  return report.unreadable.length > 0 ? 1 : 0
}

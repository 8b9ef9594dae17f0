/** `strata tasks`: the available tasks. */
import { asText } from '#result/report'
import { fault, quantity } from '#core'
import { allBenchmarks, benchmarkNamed, findTasks } from '#task/registry'
import type { TaskInfo } from '#task/rows'
import { taskFilters } from '../../options/choose-tasks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { allBut, isGiven, refuseFlags } from '../../options/acting-flags.ts'
import { flags as known, type Flags, listing, ways } from './flags.ts'
import { harnessTasks } from './harness-tasks.ts'
import { taskLines } from './task-lines.ts'
import { taskDocument } from './task-document.ts'
import { printTaskRows } from './task-rows.ts'
import { printTaskTexts } from './task-texts.ts'

export const run: CommandRun<Flags> = async (names, flags, terminal) => {
  const way = ways.find(({ flag }) => flag !== undefined && isGiven(flags, flag)) ?? listing
  refuseFlags(flags, allBut(known, way.acting), {
    what: `has no effect on ${way.flag === undefined ? 'the list of tasks' : way.flag.flags}`,
    hint: way.hint,
  })
  if (flags.harness === true) return harnessTasks(names, flags, terminal)
  if (flags.benchmarks === true) return listBenchmarks(names, flags, terminal)
  if (flags.texts === true) return printTaskTexts(names, flags, terminal)
  if (flags.rows === true) return printTaskRows(names, flags, terminal)
  if (flags.runnable === true && flags.unsupported === true)
    throw fault('usage.conflict', {
      place: '--runnable',
      what: 'cannot be combined with --unsupported',
      hint: 'give one of the two, or neither',
    })
  const {
    tasks: all,
    selections,
    notices,
  } = await findTasks(names.length === 0 ? ['*'] : names, { ...taskFilters(flags), runnable: false })
  for (const notice of notices) terminal.note(notice)
  const tasks = all.filter(
    ({ unsupported }) =>
      (flags.runnable !== true || unsupported === undefined) &&
      (flags.unsupported !== true || unsupported !== undefined),
  )
  const [only] = tasks
  if (flags.count === true) terminal.print(`${tasks.length}`)
  else if (flags.json === true)
    for (const task of tasks) terminal.print(JSON.stringify(await taskDocument(task, selections.get(task.name))))
  else if (
    names.length === 1 &&
    only !== undefined &&
    tasks.length === 1 &&
    only.name.toLowerCase() === names[0]?.toLowerCase()
  )
    for (const line of await taskLines(only)) terminal.print(line)
  else printTable(tasks, flags, terminal)
  return 0
}

function printTable(tasks: readonly TaskInfo[], flags: Flags, terminal: Terminal): void {
  const withReasons = flags.unsupported === true
  const lines = asText({
    columns: [
      { title: 'task' },
      { title: 'type' },
      { title: 'splits' },
      { title: 'subsets', number: true },
      { title: 'languages' },
      { title: withReasons ? 'why it cannot be run' : 'main score' },
    ],
    rows: tasks.map((task) => {
      const codes = [
        ...new Set(Object.values(task.subsets).flatMap((list) => list.map((language) => language.split('-')[0] ?? ''))),
      ]
      return [
        task.name,
        task.type,
        task.splits.join(','),
        `${Object.keys(task.subsets).length}`,
        codes.length > 4 ? `${codes.slice(0, 4).join(',')}…` : codes.join(','),
        withReasons
          ? (task.unsupported ?? '')
          : `${task.mainScore}${task.unsupported === undefined ? '' : '  (cannot be run yet)'}`,
      ]
    }),
  })
  for (const line of lines) terminal.print(line)
  const runnable = tasks.filter(({ unsupported }) => unsupported === undefined).length
  terminal.print('')
  terminal.print(`${quantity(tasks.length, 'task')}, ${runnable} of them can be run`)
}

async function listBenchmarks(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const chosen = names.length === 0 ? await allBenchmarks() : await Promise.all(names.map(benchmarkNamed))
  const { tasks } = await findTasks(['*'], { runnable: false })
  const runnable = new Set(tasks.flatMap(({ name, unsupported }) => (unsupported === undefined ? [name] : [])))
  if (flags.count === true) terminal.print(`${chosen.length}`)
  else if (flags.json === true)
    for (const { name, aliases, tasks: members } of chosen)
      terminal.print(
        JSON.stringify({
          name,
          aliases,
          tasks: [...members].map(([task, selection]) => ({ name: task, runnable: runnable.has(task), ...selection })),
        }),
      )
  else {
    const lines = asText({
      columns: [
        { title: 'benchmark' },
        { title: 'tasks', number: true },
        { title: 'can be run', number: true },
        { title: 'also called' },
      ],
      rows: chosen.map(({ name, aliases, tasks: members }) => [
        name,
        `${members.size}`,
        `${[...members.keys()].filter((task) => runnable.has(task)).length}`,
        aliases.join(', '),
      ]),
    })
    for (const line of lines) terminal.print(line)
  }
  return 0
}

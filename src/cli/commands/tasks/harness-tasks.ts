/**
 * `strata tasks --harness`: the tasks of lm-evaluation-harness, and the download of its task files from its package.
 */
import { asText } from '#result/report'
import { fault, suggestion, quantity } from '#core'
import { harnessHome, openTaskIndex, openTasks, type OpenTasksOptions, reasonsAgainst } from '#experiment/ask'
import { harnessRelease, installHarness } from '#files/packages'
import { type Entry, groupsOf, isFunctionReference, type TaskNode, tasksOf } from '#task/harness'
import { globMatcher } from '#task/rows'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { cacheFolder } from '../../options/model-options.ts'

export async function harnessTasks(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const [first, version = harnessRelease, ...more] = names
  if (first === 'fetch') {
    if (version !== harnessRelease || more.length > 0)
      throw fault('usage.value', {
        place: 'strata tasks --harness fetch',
        what: 'only one release is known',
        seen: [version, ...more].join(' '),
        wanted: harnessRelease,
      })
    return fetchTasks(flags, terminal)
  }
  const options: OpenTasksOptions = {
    cache: cacheFolder(flags),
    includePaths: flags.include_path,
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
  const { entries, broken } = await openTaskIndex(options)
  const chosen = names.length === 0 ? [...entries.values()] : names.flatMap((name) => entriesNamed(name, entries))
  const [only] = chosen
  if (flags.count === true) terminal.print(`${chosen.length}`)
  else if (names.length === 1 && only !== undefined && chosen.length === 1)
    await printOne(only, options, flags, terminal)
  else if (flags.json === true)
    for (const { name, kind, path, tasks } of chosen)
      terminal.print(JSON.stringify({ name, kind, path, ...(kind === 'tag' && { tasks }) }))
  else {
    const cells = chosen.map(({ name, kind, tasks }) => [
      name,
      kind === 'class' ? 'Python class' : kind,
      kind === 'tag' ? quantity(tasks.length, 'task') : '',
    ])
    for (const line of asText({ columns: [{ title: 'name' }, { title: 'kind' }, { title: '' }], rows: cells }))
      terminal.print(line)
    const count = (kind: Entry['kind']): number => chosen.filter((entry) => entry.kind === kind).length
    terminal.print('')
    terminal.print(
      `${quantity(count('task'), 'task')}, ${quantity(count('group'), 'group')}, ${quantity(count('tag'), 'tag')}`,
    )
  }
  if (broken.length > 0 && names.length === 0)
    terminal.note(
      `${broken.length} task file${broken.length === 1 ? '' : 's'} could not be read, such as ${broken[0]?.path ?? ''}: ${broken[0]?.reason ?? ''}`,
    )
  return 0
}

async function fetchTasks(flags: Flags, terminal: Terminal): Promise<number> {
  const { folder, version, fetched } = await installHarness(harnessHome(cacheFolder(flags)), {
    signal: terminal.signal,
    onBytes: (done) => terminal.progress({ stage: 'fetch lm_eval', done, total: undefined, unit: 'bytes' }),
  })
  terminal.note(`task files of lm_eval ${version} ${fetched ? 'written to' : 'are already in'} ${folder}`)
  return 0
}

function entriesNamed(name: string, entries: ReadonlyMap<string, Entry>): Entry[] {
  const same = entries.get(name)
  if (same !== undefined) return [same]
  const fits = globMatcher(name)
  const found = /[*?[]/.test(name) ? [...entries.values()].filter((entry) => fits(entry.name)) : []
  if (found.length > 0) return found
  throw fault('task.unknown', {
    place: name,
    what: 'the harness has no task, group or tag of this name',
    hint: suggestion(name, [...entries.keys()]),
  })
}

/** One task: its request to the model, the source of its rows, and whether it runs here. */
async function printOne(
  { name, kind, path }: Entry,
  options: OpenTasksOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  if (kind === 'class') {
    terminal.print(
      flags.json === true
        ? JSON.stringify({ name, kind, path })
        : `${name}: a Python class, which is not run (${path})`,
    )
    return
  }
  const nodes = await openTasks([name], options)
  const documents = tasksOf(nodes).map(documentOf)
  const groups = groupsOf(nodes).map((group) => ({
    group: group.name,
    members: group.members.map((member) => member.name),
  }))
  if (flags.json === true)
    terminal.print(JSON.stringify({ name, kind, path, ...(groups.length > 0 && { groups }), tasks: documents }))
  else {
    for (const { group, members } of groups) terminal.print(`${group}: ${members.join(', ')}`)
    for (const document of documents) {
      if (groups.length > 0 || documents.length > 1) terminal.print('')
      for (const [key, value] of Object.entries(document))
        if (value !== undefined) terminal.print(`${key.padEnd(13)}  ${[value].flat().join(', ')}`)
    }
  }
}

function documentOf({
  name,
  config,
  source,
}: TaskNode): Readonly<Record<string, string | number | readonly string[] | undefined>> {
  const reasons = reasonsAgainst(config)
  return {
    task: name,
    file: source,
    data: [config.datasetPath, config.datasetName].filter((part) => part !== undefined).join(' › '),
    split: config.testSplit ?? config.validationSplit,
    output_type: config.outputType,
    num_fewshot: config.numFewshot,
    metrics: config.metrics?.map(({ metric }) => (isFunctionReference(metric) ? metric.name : metric)),
    runs: reasons.length === 0 ? 'yes' : undefined,
    does_not_run: reasons.length === 0 ? undefined : reasons,
  }
}

/**
 * `strata results`: lists, shows, averages, compares, queries and exports the results of a folder, and imports other
 * programs' results.
 */
import { fault, nearest, type Result } from '#core'
import { importResults, type Listed } from '#result/ledger'
import { compareAll, toContenders, oursListed, summaries } from '#result/statistics'
import { legacyScore } from '#task/protocols'
import { isOfLeaderboard, type Leaderboard, leaderboardOf, type LeaderboardTask } from '#task/harness'
import { chosenResults } from '../../options/chosen-results.ts'
import { knownTasks } from '../../options/choose-tasks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { allBut, refuseFlags } from '../../options/acting-flags.ts'
import { actingFlags, flags as known, type Flags } from './flags.ts'
import { averageLines } from '../../lines/average-lines.ts'
import { comparisonLines } from '../../lines/comparison-lines.ts'
import { exportResults } from './export-results.ts'
import { queryRows } from './query-rows.ts'
import { leaderboardLines } from '../../lines/leaderboard-lines.ts'
import { detailLines, resultLines } from './result-lines.ts'

const actions = ['list', 'show', 'query', 'export', 'import'] as const

export const run: CommandRun<Flags> = async ([action = 'list', ...names], flags, terminal) => {
  const acting = actingFlags.get(action)
  if (acting !== undefined)
    refuseFlags(flags, allBut(known, acting), {
      what: `has no effect on strata results ${action}`,
      hint: 'leave it out',
    })
  switch (action) {
    case 'list':
      return list(names, flags, terminal)
    case 'show':
      return show(names, flags, terminal)
    case 'query':
      return queryRows(names, flags, terminal)
    case 'export':
      return exportResults(names, flags, terminal)
    case 'import':
      return importFolders(names, flags, terminal)
    default: {
      const near = nearest(action, actions)
      throw fault('usage.value', {
        place: 'strata results',
        what: 'no such action',
        seen: action,
        hint: near === undefined ? actions.join(', ') : `did you mean ${near}?`,
      })
    }
  }
}

async function list(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  // a program gets every number, a table shows main scores
  const isWhole = flags.json === true ? undefined : isOfLeaderboard
  const { listed, found, root } = await chosenResults(names, flags, { isWhole })
  const { against } = flags
  // without a benchmark, only those of a leaderboard are looked at again
  const results = (found.benchmarks.length > 0 ? listed : listed.filter(({ task }) => isOfLeaderboard(task))).flatMap(
    asResult,
  )
  const compared = against === undefined ? [] : await compareAll(oursListed(root, listed), against, { root })
  const broken = listed.filter((one) => one.fault !== undefined).length
  if (flags.json === true) {
    for (const one of listed) terminal.print(JSON.stringify(document(one)))
    if (against !== undefined) terminal.print(JSON.stringify({ against, comparisons: compared }))
    if (leaderboardsIn(results).length > 0) terminal.print(JSON.stringify({ leaderboards: leaderboardsIn(results) }))
    if (found.benchmarks.length > 0)
      terminal.print(
        JSON.stringify({
          benchmarks: summaries(found, results, await knownTasks()).map(({ name, averages }) => ({
            name,
            ...averages,
          })),
        }),
      )
    return broken > 0 ? 1 : 0
  }
  const leaderboards = leaderboardsIn(results)
  if (listed.length === 0) terminal.note(`no results in ${root}/ that pass the filters`)
  else for (const line of resultLines(listed)) terminal.print(line)
  if (found.benchmarks.length > 0 && toContenders(results).length > 0)
    for (const sum of summaries(found, results, await knownTasks()))
      for (const line of ['', ...averageLines(sum, { benchmark: true })]) terminal.print(line)
  if (leaderboards.length > 0) for (const line of ['', ...leaderboardLines(leaderboards)]) terminal.print(line)
  if (against !== undefined) for (const line of ['', ...comparisonLines(compared, against)]) terminal.print(line)
  return broken > 0 ? 1 : 0
}

/** The leaderboard of each model and setting that has tasks of it. */
function leaderboardsIn(results: readonly Result[]): { name: string; leaderboard: Leaderboard }[] {
  const groups = new Map<string, LeaderboardTask[]>()
  for (const { task_name: name, scores, strata } of results) {
    const [part] = Object.values(scores ?? {}).flat()
    const who = `${strata.model} ${strata.representation}`
    if (part === undefined || !isOfLeaderboard(name)) continue
    const own = groups.get(who) ?? []
    own.push({ name, values: part, size: typeof part['documents'] === 'number' ? part['documents'] : undefined })
    groups.set(who, own)
  }
  return [...groups].flatMap(([name, tasks]) => {
    const leaderboard = leaderboardOf(tasks)
    return leaderboard === undefined ? [] : [{ name, leaderboard }]
  })
}

/** A finished result in Strata's form: another program's has no provenance, and is identified by its folder. */
function asResult({ result, model, revision, representation }: Listed): Result[] {
  if (result === undefined) return []
  const strata = result.strata ?? {
    status: 'ok' as const,
    model,
    revision,
    representation,
    profile: 'mteb-2' as const,
    settings: {},
    fingerprint: '',
    version: '',
    seconds: result.evaluation_time ?? 0,
  }
  return [{ ...result, kg_co2_emissions: null, strata }]
}

function document({ path, model, revision, representation, task, result, fault: problem }: Listed): unknown {
  return problem === undefined
    ? { ...result, path, model, revision, representation }
    : {
        task_name: task,
        path,
        model,
        revision,
        representation,
        error: { code: problem.code, message: problem.message },
      }
}

async function show(names: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  if (names.length === 0)
    throw fault('usage.value', {
      place: 'strata results show',
      what: 'no tasks are given',
      hint: 'strata results show STS17',
    })
  const { listed, root } = await chosenResults(names, flags)
  if (listed.length === 0)
    throw fault('file.missing', { place: root, what: 'no result is of these tasks', seen: names })
  for (const one of listed) {
    if (flags.json === true) {
      terminal.print(JSON.stringify(document(one)))
      continue
    }
    for (const line of detailLines(one)) terminal.print(line)
    terminal.print('')
  }
  return listed.some((one) => one.fault !== undefined) ? 1 : 0
}

async function importFolders(folders: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  if (folders.length === 0)
    throw fault('usage.value', {
      place: 'strata results import',
      what: 'no folder is given',
      hint: 'strata results import ~/.cache/mteb/results',
    })
  const { overwriteStrategy } = flags
  if (overwriteStrategy !== 'only-missing' && overwriteStrategy !== 'always')
    throw fault('usage.value', {
      place: '--overwrite-strategy',
      what: 'has no effect on strata results import',
      seen: overwriteStrategy,
      wanted: ['only-missing', 'always'],
    })
  const known = await knownTasks()
  const [model, ...more] = flags.models ?? []
  if (more.length > 0)
    throw fault('usage.value', {
      place: '--models',
      what: 'the results that are imported belong to one model',
      seen: flags.models,
      hint: 'import each folder by itself',
    })
  let failed = 0
  for (const folder of folders) {
    const imported = await importResults(flags.results, folder, {
      model,
      mainScore: (task) => known.get(task)?.mainScore,
      languages: (task, subset) => known.get(task)?.subsets[subset],
      legacyScore,
      overwrite: overwriteStrategy === 'always',
    })
    for (const one of imported) {
      if (one.state === 'failed') failed++
      if (flags.json === true) terminal.print(JSON.stringify(one))
      else if (one.state === 'failed')
        terminal.note(`failed  ${one.reason.startsWith(one.path) ? '' : `${one.path}: `}${one.reason}`)
    }
    const count = (state: string): number => imported.filter((one) => one.state === state).length
    if (flags.json !== true)
      terminal.print(
        `${folder}: ${count('imported')} imported, ${count('there already')} there already, ${count('failed')} failed → ${flags.results}/`,
      )
  }
  return failed > 0 ? 1 : 0
}

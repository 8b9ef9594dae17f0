/** Shared by `layers` and `evaluate`: prints results as they are made, and the closing tables. */
import { quantity, type Result } from '#core'
import { runSweep, type SweepOptions } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { representationName } from '#representation/layers'
import { findLegacyScores } from '#task/protocols'
import type { FoundTasks } from '#task/registry'
import { compareAll, toOurs, scoreGrid, summaries } from '#result/statistics'
import { type Background, scorePicture, writePicture } from '#result/pictures'
import { knownTasks } from '../options/choose-tasks.ts'
import type { debug, json } from '../flags/everywhere.ts'
import type * as pictures from '../flags/pictures.ts'
import type { against } from '../flags/results.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'
import { averageLines } from '../lines/average-lines.ts'
import { comparisonLines } from '../lines/comparison-lines.ts'
import { legacyLines } from './legacy-lines.ts'
import { scoreLines } from './score-lines.ts'

type Named = Omit<SweepOptions, 'representations'> & {
  /** Depends on the model: indices from the end, and `all`, need the number of its states. */
  representationsOf: (model: Model) => Promise<SweepOptions['representations']>
}

type PrintFlags = FlagValues<typeof against | typeof json | typeof debug> &
  Partial<FlagValues<typeof pictures.plot | typeof pictures.background>>

/**
 * Runs every model; prints each result (`--json`), or the tables at the end. Returns 1 when some result failed, or a
 * benchmark has tasks that cannot run.
 */
export async function printSweep(
  models: readonly Model[],
  found: FoundTasks,
  options: Named,
  flags: PrintFlags,
  terminal: Terminal,
): Promise<number> {
  const { against } = flags
  const root = options.outputFolder ?? 'results'
  // refused before the work; a model may still get its results from this very run
  if (against?.startsWith('published') === true) await compareAll([], against, { root })
  const { results, reused } = await runAll(models, options, flags, terminal)
  const failed = results.filter(({ strata }) => strata.status === 'failed').length
  const compared = against === undefined ? [] : await compareAll(toOurs(root, results), against, { root })
  const isBenchmark = found.benchmarks.length > 0
  const legacy = findLegacyScores(results)
  const sums = summaries(found, results, await knownTasks())
  if (flags.json !== true) {
    for (const line of scoreLines(scoreGrid(results))) terminal.print(line)
    if (isBenchmark || found.tasks.length > 1)
      for (const sum of sums)
        for (const line of ['', ...averageLines(sum, { benchmark: isBenchmark })]) terminal.print(line)
    for (const line of legacyLines(legacy)) terminal.print(line)
    terminal.print('')
    terminal.print(
      `scores × 100, * best of the task · ${quantity(results.length, 'result')} (${reused} reused${failed > 0 ? `, ${failed} failed` : ''}) in ${options.outputFolder ?? 'results'}/`,
    )
    if (against !== undefined) for (const line of ['', ...comparisonLines(compared, against)]) terminal.print(line)
  } else {
    if (against !== undefined) terminal.print(JSON.stringify({ against, comparisons: compared }))
    if (legacy.length > 0) terminal.print(JSON.stringify({ legacy_scores: legacy }))
    if (isBenchmark)
      terminal.print(JSON.stringify({ benchmarks: sums.map(({ name, averages }) => ({ name, ...averages })) }))
  }
  if (flags.plot !== undefined) await plot(results, root, flags.plot, flags.background, terminal)
  return failed > 0 || (isBenchmark && found.skipped.length > 0) ? 1 : 0
}

async function plot(
  results: readonly Result[],
  root: string,
  path: string,
  background: Background | undefined,
  terminal: Terminal,
): Promise<void> {
  const picture = await scorePicture(results, root)
  if (picture === undefined) return terminal.note('no score to plot')
  await writePicture(path, picture, { background })
  terminal.note(`picture written to ${path}`)
}

/** Every model's results, each printed as it is made. */
async function runAll(
  models: readonly Model[],
  options: Named,
  flags: PrintFlags,
  terminal: Terminal,
): Promise<{ results: Result[]; reused: number }> {
  const results: Result[] = []
  let reused = 0
  for (const model of models) {
    const representations = await options.representationsOf(model)
    const ofModel: Result[] = []
    for await (const { result, state, reason } of runSweep(model, { ...options, representations })) {
      ofModel.push(result)
      if (state === 'reused') reused++
      if (flags.json === true) terminal.print(JSON.stringify(result))
      else if (result.strata.status === 'failed')
        terminal.note(`failed  ${result.task_name} ${result.strata.representation}: ${result.strata.reason ?? ''}`)
      else if (state === 'done' && reason !== '' && flags.debug === true)
        terminal.note(`${result.task_name} ${result.strata.representation}: ${reason}`)
      for (const notice of result.strata.notices ?? [])
        terminal.note(`notice  ${result.task_name} ${result.strata.representation}: ${notice}`)
    }
    results.push(...inOrder(ofModel, representations.map(representationName), options.tasks))
  }
  return { results, reused }
}

/** Representations and tasks as they were asked for; reused results come first out of a sweep. */
function inOrder(
  results: readonly Result[],
  representations: readonly string[],
  tasks: readonly { readonly name: string }[],
): Result[] {
  const names = tasks.map(({ name }) => name)
  const place = (known: readonly string[], name: string): number => {
    const at = known.indexOf(name)
    return at < 0 ? known.length : at
  }
  return results.toSorted(
    (a, b) =>
      place(representations, a.strata.representation) - place(representations, b.strata.representation) ||
      place(names, a.task_name) - place(names, b.task_name),
  )
}

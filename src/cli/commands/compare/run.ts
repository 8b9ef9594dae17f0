/** `strata compare`: compares models and representations, from results in a folder or scored now. */
import { fault, quantity } from '#core'
import {
  chosenRows,
  compareModels,
  type CompareOptions,
  type Comparison,
  type MeasuredCost,
  renderComparison,
  textsOfTask,
  writeComparison,
} from '#experiment/compare'
import { carriedTexts, measureModels, type Speed } from '#experiment/bench'
import { openModel } from '#experiment/open'
import { openDatasets, runSweep } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { representationsNamed } from '#representation/layers'
import { type Identity, reportFormat } from '#result/report'
import type { ChosenTasks } from '#task/registry'
import { requestTask } from '#task/rows'
import { taskOptions, knownTasks, selectTasks } from '../../options/choose-tasks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { pricePerHour } from '../../flags/price.ts'
import { flags as known, type Flags, reviewing, speed as speedFlag } from './flags.ts'
import { compareLines } from './compare-lines.ts'
import { measuredOptions } from '../../options/measured-options.ts'
import { modelOptions, modelReferences, sweepOptions } from '../../options/model-options.ts'
import { allBut, refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import { rowParts, rowReferences } from '../../options/model-rows.ts'
import { partsWanted, tasksFor } from '../../options/parts-there.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  const { out, json } = flags
  const printed = json === true ? 'json' : 'table'
  const format = flags.format ?? (out === undefined ? printed : reportFormat(out, '--out')) // refused before the work
  if (out !== undefined && format === 'table')
    throw fault('usage.value', {
      place: '--format table',
      what: 'cannot be written to a file',
      seen: out,
      hint: 'give --format md, csv, latex, json or html',
    })
  refuseWithout(flags, speedFlag, [pricePerHour])
  const references = rowReferences(modelReferences(args, flags), flags.representation)
  if (references.length < 2)
    throw fault('usage.value', {
      place: 'strata compare',
      what: 'a comparison needs at least two',
      seen: args,
      hint: 'name another model, or --representation default,h3',
    })
  const { results } = flags
  const { comparison, failed } =
    results === undefined || flags.score === true
      ? await scoreFirst(references, { ...flags, results: results ?? 'results' }, terminal)
      : await fromFolder(references, results, flags, terminal)
  if (format === 'table') for (const line of compareLines(comparison)) terminal.print(line)
  else if (out === undefined)
    for (const line of (await renderComparison(comparison, { format })).trimEnd().split(/\r?\n/)) terminal.print(line)
  else {
    await writeComparison(out, comparison, { format })
    terminal.note(
      `${quantity(comparison.report.rows.length, 'row')} × ${quantity(comparison.report.tasks.length, 'task')} → ${out}`,
    )
  }
  const { unreadable } = comparison.report
  for (const { path, message } of unreadable) terminal.note(`unreadable  ${path}: ${message}`)
  return failed || unreadable.length > 0 ? 1 : 0
}

interface Compared {
  readonly comparison: Comparison
  readonly failed: boolean
}

/** From a folder, unchanged. */
async function fromFolder(
  references: readonly string[],
  folder: string,
  flags: Flags,
  terminal: Terminal,
): Promise<Compared> {
  refuseFlags(flags, allBut(known, reviewing), {
    what: 'has no effect when nothing is scored: --results alone only reads',
    hint: 'add --score, or leave it out',
  })
  const found = await tasksFor(flags, terminal)
  const asked = partsWanted(flags, found)
  const comparison = await compared(
    folder,
    { choose: (rows) => chosenRows(rows, references, 'strata compare'), wanted: asked.wanted, part: asked.part, found },
    flags,
    terminal,
  ).finally(asked.check)
  return { comparison, failed: false }
}

/** Scores missing results first, all representations of a model together. */
async function scoreFirst(
  references: readonly string[],
  flags: Flags & { readonly results: string },
  terminal: Terminal,
): Promise<Compared> {
  const found = await selectTasks(flags, terminal)
  const parts = references.map(rowParts)
  const options = { ...sweepOptions(flags, terminal), ...taskOptions(found) }
  const rows: (Identity | undefined)[] = references.map(() => undefined)
  const costs = new Map<string, MeasuredCost>()
  let failed = false
  for (const name of new Set(parts.map(({ model }) => model))) {
    const model: Model = await openModel(name, modelOptions(flags, terminal))
    try {
      const { weightBytes } = await model.facts()
      for (const [at, { model: other, representation }] of parts.entries()) {
        if (other !== name) continue
        const representations = await representationsNamed([representation], model)
        for await (const { result } of runSweep(model, { ...options, representations, keep: 'all' })) {
          const { strata } = result
          rows[at] ??= { model: strata.model, revision: strata.revision, representation: strata.representation }
          costs.set(keyOf(strata), { bytes: weightBytes })
          if (strata.status !== 'failed') continue
          failed = true
          terminal.note(`failed  ${result.task_name} ${strata.representation}: ${strata.reason ?? ''}`)
        }
      }
    } finally {
      await model.close()
    }
  }
  const identities = rows.flatMap((row) => row ?? [])
  const twice = identities.find(
    (one, i) => identities.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) < i,
  )
  if (twice !== undefined)
    throw fault('usage.value', {
      place: 'strata compare',
      what: 'the same row is given twice',
      seen: `${twice.model}#${twice.representation}`,
    })
  const speed = flags.speed === true ? await speedOf(parts, rows, flags, terminal) : undefined
  const names = new Set(found.tasks.map(({ name }) => name))
  const comparison = await compared(
    flags.results,
    {
      choose: () => identities,
      wanted: (task) => names.has(task),
      part: scoredPart(flags, found),
      found,
      costOf: (row) => costs.get(keyOf(row)),
      speed,
    },
    flags,
    terminal,
  )
  return { comparison, failed }
}

/** Each row measured in a process of its own; rows without a result are not. */
async function speedOf(
  parts: readonly ReturnType<typeof rowParts>[],
  rows: readonly (Identity | undefined)[],
  flags: Flags,
  terminal: Terminal,
): Promise<Speed> {
  const scored = parts.flatMap(({ model: reference, representation }, at) => {
    const identity = rows[at]
    return identity === undefined ? [] : [{ reference, representation, identity }]
  })
  const speed = await measureModels({
    models: scored,
    texts: await carriedTexts(),
    batches: [1, 64],
    rounds: 5,
    ...measuredOptions(flags, terminal),
  })
  // named as its results are
  return { ...speed, rows: speed.rows.map((row, at) => ({ ...row, ...scored[at]?.identity })) }
}

/** The parts that scoring selects: results in the folder may have more. */
function scoredPart(
  { splits, subsets, languages }: Flags,
  { tasks, selections }: ChosenTasks,
): NonNullable<CompareOptions['part']> {
  const requests = new Map(
    tasks.map((task) => {
      const selection = selections.get(task.name)
      return [task.name, requestTask(task, { splits, subsets, languages, selection })] as const
    }),
  )
  return (name, split, { hf_subset: subset }) => {
    const request = requests.get(name)
    if (request === undefined) return true
    // a task that is made of others has parts of its own
    const isOwn = Object.hasOwn(request.task.subsets, subset)
    return request.splits.includes(split) && (!isOwn || request.subsets.includes(subset))
  }
}

function keyOf({ model, revision, representation }: Identity): string {
  return [model, revision, representation].join('\n')
}

interface Whose {
  readonly choose: (rows: readonly Identity[]) => readonly Identity[]
  readonly wanted: (task: string) => boolean
  readonly part?: CompareOptions['part']
  readonly found: ChosenTasks | undefined
  readonly costOf?: CompareOptions['costOf']
  readonly speed?: Speed | undefined
}

async function compared(
  folder: string,
  { found, ...whose }: Whose,
  flags: Flags,
  terminal: Terminal,
): Promise<Comparison> {
  const known = new Map(await knownTasks())
  for (const task of found?.tasks ?? []) known.set(task.name, task)
  const { profile, scratch, signal } = sweepOptions({ ...flags, results: folder }, terminal)
  // nothing is downloaded for a few texts
  const openDataset = openDatasets({
    offline: true,
    ownData: found?.ownData ?? new Map(),
    signal,
    onProgress: terminal.progress,
  })
  return compareModels([folder], {
    ...whose,
    changed: flags.changed,
    pricePerHour: flags.pricePerHour,
    against: flags.against,
    typeOf: (task) => known.get(task)?.type ?? '',
    mainScore: (task) => known.get(task)?.mainScore,
    async textsOf(name, items) {
      const task = known.get(name)
      if (task === undefined)
        throw fault('task.unknown', {
          place: name,
          what: 'the task is unknown',
          hint: 'give --task-file for your own tasks',
        })
      return textsOfTask(task, items, { openDataset, profile, scratch, signal })
    },
  })
}

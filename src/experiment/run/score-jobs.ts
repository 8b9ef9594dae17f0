/** Jobs of an experiment that score layers on tasks. */
import { join } from 'node:path'
import { runSweep, sweepEntries, type SweepOptions } from '#experiment/sweep'
import type { Outcome } from '#experiment/workers'
import type { Model } from '#model/checkpoint'
import { type Representation, representationsNamed, statesNamed } from '#representation/layers'
import type { ExperimentJob } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'

export function resultsFolder(experiment: Experiment, folder: string): string {
  return experiment.results ?? join(folder, 'results')
}

export type ExperimentSweep = Omit<SweepOptions, 'representations'>

export function toSweep(
  experiment: Experiment,
  { tasks, subsets = experiment.subsets }: Pick<ExperimentJob, 'tasks' | 'subsets'>,
  folder: string,
): ExperimentSweep {
  const { languages, splits, profile, kmeans, found } = experiment
  const { selections, benchmarks, ownData } = found
  const own = found.tasks.filter(({ name }) => tasks.includes(name))
  // subsets of the other tasks are not a mistake
  const known = subsets?.filter((name) => own.some((task) => Object.hasOwn(task.subsets, name)))
  return {
    tasks: own,
    namedFor: found.tasks,
    outputFolder: resultsFolder(experiment, folder),
    languages,
    splits,
    subsets: known?.length === 0 ? subsets : known,
    profile,
    kmeans,
    selections,
    benchmarks,
    ownData,
  }
}

/** A model without layers, such as a static table, has only representations that are not layers. */
export async function findRepresentations(
  model: Model,
  { representations }: Pick<ExperimentJob, 'representations'>,
): Promise<readonly Representation[]> {
  const seen: Representation[] = []
  for (const name of representations) {
    if (name === 'all' || /^-?\d+$/.test(name)) {
      if (model.states !== undefined)
        seen.push(...statesNamed(name, model.states.count).map((h) => ({ kind: 'state' as const, h })))
    } else seen.push(...(await representationsNamed([name], model)))
  }
  return seen
}

export async function scored(
  model: Model,
  job: Pick<ExperimentJob, 'representations'>,
  sweep: ExperimentSweep,
): Promise<Outcome> {
  const failures: string[] = []
  for await (const { result } of runSweep(model, {
    ...sweep,
    representations: await findRepresentations(model, job),
  })) {
    const { status, representation, reason = '' } = result.strata
    if (status === 'failed') failures.push(`${result.task_name} ${representation}: ${reason}`)
  }
  return toOutcome(failures)
}

/** Whether every score for the current files is on disk. */
export async function areScored(
  model: Model,
  job: Pick<ExperimentJob, 'representations'>,
  sweep: ExperimentSweep,
): Promise<boolean> {
  const entries = await sweepEntries(model, { ...sweep, representations: await findRepresentations(model, job) })
  return entries.every(({ state }) => state === 'reused')
}

export function toOutcome([first, ...more]: readonly string[]): Outcome {
  return first === undefined
    ? { state: 'done' }
    : { state: 'failed', what: more.length === 0 ? first : `${first} (and ${more.length} more)` }
}

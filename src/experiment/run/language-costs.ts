/** What the harness and the probes of an experiment would ask, before a model is run; nothing is downloaded. */
import { asFault, type CallOptions } from '#core'
import { harnessCost } from '#experiment/ask'
import { openProbeData } from '#task/probing'
import { toHarnessSettings } from './ask-language.ts'
import type { ExperimentJob, ExperimentPlan } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'

export interface LanguageCost {
  readonly kind: 'harness' | 'probe'
  /** As the file names it. */
  readonly name: string
  /** Number of single tasks; null for probes. */
  readonly tasks: number | null
  /** Documents of all of them; null where a data set is not on this machine. */
  readonly documents: number | null
  /** What the run would meet. */
  readonly problem: string | null
}

/** Each source of questions once, whatever the number of models. */
export async function languageCosts(
  experiment: Experiment,
  { jobs }: ExperimentPlan,
  options: CallOptions & { readonly cache: string },
): Promise<LanguageCost[]> {
  const asked = new Map<string, Pick<ExperimentJob, 'kind' | 'tasks'>>()
  for (const job of jobs)
    if (job.kind === 'harness' || job.kind === 'probe') asked.set(`${job.kind} ${job.tasks.join(' ')}`, job)
  const costs: LanguageCost[] = []
  for (const { kind, tasks } of asked.values())
    costs.push(
      kind === 'harness' ? await priceTasks(experiment, tasks, options) : await priceProbes(tasks[0] ?? '', options),
    )
  return costs
}

async function priceTasks(
  { harness }: Experiment,
  names: readonly string[],
  { cache, signal }: CallOptions & { readonly cache: string },
): Promise<LanguageCost> {
  const cost: LanguageCost = { kind: 'harness', name: names.join(' '), tasks: null, documents: null, problem: null }
  try {
    const settings = harness === undefined ? {} : toHarnessSettings(harness)
    return { ...cost, ...(await harnessCost(names, { cache, signal, settings, includePaths: harness?.include_path })) }
  } catch (error) {
    const { message, hint } = asFault(error, 'task.unknown', cost.name)
    return { ...cost, problem: hint === undefined ? message : `${message} (${hint})` }
  }
}

async function priceProbes(name: string, { signal }: CallOptions): Promise<LanguageCost> {
  const cost: LanguageCost = { kind: 'probe', name, tasks: null, documents: null, problem: null }
  if (name === 'blimp') return cost // of the hub
  try {
    await openProbeData(name, { signal })
    return cost
  } catch (error) {
    return { ...cost, problem: asFault(error, 'file.missing', name).message }
  }
}

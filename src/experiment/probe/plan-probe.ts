/** The plan of a probing run: probes by data set, without encoding a text. */
import { choosePrompt, type Model } from '#model/checkpoint'
import { controlled, type ProbeCollection, type TaskType } from '#task/probing'
import { selectDataSets, listControls, type ProbeOptions } from './options.ts'
import { portionOf } from './portion.ts'
import { listProbes } from './probe-jobs.ts'
import { readUnitJournal } from './units.ts'

export interface ProbePlan {
  readonly model: string
  readonly collection: string
  readonly layers: readonly number[]
  readonly controls: readonly string[]
  readonly dataSets: readonly {
    readonly name: string
    readonly taskType: TaskType
    readonly classes: number
    readonly instances: number
    /** Number of distinct texts that a probe's vectors come from. */
    readonly texts: number
    readonly probes: number
    /** Number of probes already in the output folder; those of a model with random weights are not looked up. */
    readonly trained: number
  }[]
}

/**
 * The plan of `runProbe`: data sets with their texts, the number of probes for each, and the number already trained.
 * Reads the data, runs nothing. Throws what opening the data throws.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openProbeData, planProbe } from 'strata-lm/probing'
 *
 * const model = await openModel('assets/models/stories260K')
 * const plan = await planProbe(model, await openProbeData('blimp:blimp'), {
 *   layers: [0, 5],
 *   seeds: [1, 2],
 *   settings: { profile: 'corrected', probe: 'linear', mdl: false, portion: 1 },
 *   outputFolder: 'out',
 * })
 * console.log(plan.dataSets.map(({ name, probes, trained }) => `${name}: ${trained} of ${probes}`))
 * // → [ 'blimp-agreement: 0 of 4' ]
 * await model.close()
 * ```
 */
export async function planProbe(model: Model, collection: ProbeCollection, options: ProbeOptions): Promise<ProbePlan> {
  const known = await readUnitJournal(options.workFolder ?? options.outputFolder)
  const controls = listControls(options)
  const dataSets: ProbePlan['dataSets'][number][] = []
  for await (const whole of selectDataSets(collection, options)) {
    const dataSet = portionOf(whole, options.settings.portion)
    const { name, taskType, classes, instances } = dataSet
    let [probes, trained] = [0, 0]
    for (const control of controls) {
      const keyed = await listProbes(model, choosePrompt(model.prompts), {
        ...options,
        dataSet: controlled(dataSet, control),
        control,
      })
      probes += keyed.length
      if (control !== 'random-weights') trained += keyed.filter(({ key }) => known.has(key)).length
    }
    const texts = new Set(
      instances.flatMap(({ contexts, inputs }) => (contexts.length > 0 ? contexts : inputs.map(({ text }) => text))),
    ).size
    dataSets.push({ name, taskType, classes, instances: instances.length, texts, probes, trained })
  }
  return { model: model.name, collection: collection.name, layers: options.layers, controls, dataSets }
}

/** What a probing run would do: probes by data set, without a text encoded. */
import { choosePrompt, type Model } from '#model/checkpoint'
import { controlled, type ProbeCollection, type TaskType } from '#task/probing'
import { asked, controlsOf, type ProbeOptions } from './asked.ts'
import { portionOf } from './portion.ts'
import { probesOf } from './probe-jobs.ts'
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
    /** Texts that a probe's vectors come from, each once. */
    readonly texts: number
    readonly probes: number
    /** Of them, found in the output folder; those of a model with random weights are not looked for. */
    readonly trained: number
  }[]
}

export async function planProbe(model: Model, collection: ProbeCollection, options: ProbeOptions): Promise<ProbePlan> {
  const known = await readUnitJournal(options.workFolder ?? options.outputFolder)
  const controls = controlsOf(options)
  const dataSets: ProbePlan['dataSets'][number][] = []
  for await (const whole of asked(collection, options)) {
    const dataSet = portionOf(whole, options.settings.portion)
    const { name, taskType, classes, instances } = dataSet
    let [probes, trained] = [0, 0]
    for (const control of controls) {
      const keyed = await probesOf(model, choosePrompt(model.prompts), {
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

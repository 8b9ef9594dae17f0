/**
 * Layers × data sets × controls × seeds: every layer from one encoding, every probe trained once, even if the process
 * is killed in between.
 */
import { asFault, fault, fingerprint, type Fault } from '#core'
import { choosePrompt, type Model, statesOf } from '#model/checkpoint'
import { controlled, type ProbeCollection } from '#task/probing'
import { selectDataSets, listControls, type ProbeOptions } from './options.ts'
import { portionOf } from './portion.ts'
import { type KeyedProbe, type ProbeSet, listProbes, trainMissing } from './probe-jobs.ts'
import { openProbeVectors, type ProbeVectors } from './probe-vectors.ts'
import { type ProbeUnit, openUnitJournal } from './units.ts'
import type { Probed, ProbedDataSet } from './probed.ts'
import { writeProbeResult } from './write-results.ts'
import { writeProbeTables } from './write-tables.ts'

/**
 * Probes every requested layer, on every data set × control × seed. Each text passes the model once; results and the
 * journal of finished probes are in `outputFolder`, so that no probe is trained twice. A data set that cannot be probed
 * becomes a failure in its place. Throws what opening the data throws, `task.unknown` where no data set is selected,
 * `usage.value` for `random-weights` without `openUntrained`, `run.cancelled`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openProbeData, runProbe } from 'strata-lm/probing'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { trained, dataSets } = await runProbe(model, await openProbeData('blimp:blimp'), {
 *   layers: [5],
 *   seeds: [1],
 *   settings: { profile: 'corrected', probe: 'linear', mdl: false, portion: 1 },
 *   outputFolder: 'out',
 * })
 * console.log(trained, dataSets[0]?.dataSet.name) // → 1 blimp-agreement
 * await model.close()
 * ```
 */
export async function runProbe(model: Model, collection: ProbeCollection, options: ProbeOptions): Promise<Probed> {
  const { outputFolder, workFolder = outputFolder, settings, store, signal, onProgress } = options
  const untrained = heldUntrained(options)
  const journal = await openUnitJournal(workFolder)
  const trainedVectors = openProbeVectors(model, { store, profile: settings.profile, layers: options.layers })
  const prompt = choosePrompt(model.prompts)
  const dataSets: ProbedDataSet[] = []
  let [trained, reused] = [0, 0]
  const probeOne = async (set: ProbeSet): Promise<ProbeUnit[]> => {
    const random = set.control === 'random-weights'
    const one = random ? await untrained.open() : { model, vectors: trainedVectors }
    const probes = await listProbes(one.model, prompt, set)
    const missing = probes.filter(({ key }) => journal.find(key) === undefined)
    reused += probes.length - missing.length
    let done = 0
    if (missing.length > 0) {
      await trainMissing(set, missing, {
        vectors: one.vectors,
        journal,
        threads: options.threads,
        signal,
        onProgress,
        onTrained() {
          trained++
          onProgress?.({ stage: `probe ${set.dataSet.name}`, done: ++done, total: missing.length, unit: 'runs' })
        },
      })
    }
    return probes.map(({ key }: KeyedProbe) => journal.find(key) ?? lost(set, key))
  }
  try {
    for await (const whole of selectDataSets(collection, options)) {
      const dataSet = portionOf(whole, settings.portion)
      const units: ProbeUnit[] = []
      const { name, taskType, classes, subfield, phenomenon } = dataSet
      const about = { name, taskType, classes, subfield, phenomenon }
      let reason: Fault | undefined
      const started = performance.now()
      try {
        for (const control of listControls(options))
          units.push(...(await probeOne({ ...options, dataSet: controlled(dataSet, control), control })))
      } catch (error) {
        reason = asFault(error, 'internal', name)
        // not caused by the data
        if (['run.cancelled', 'file.write', 'internal'].includes(reason.code)) throw error
      }
      const probed = { dataSet: about, units, fault: reason }
      dataSets.push(probed)
      await writeProbeResult(model, probed, {
        ...options,
        prompt,
        data: fingerprint(dataSet),
        seconds: (performance.now() - started) / 1000,
      })
    }
    if (dataSets.length === 0)
      throw fault('task.unknown', {
        place: collection.name,
        what: 'none of its data sets is selected',
        seen: options.names ?? options.taskTypes,
      })
    const all = {
      model: model.name,
      revision: await model.revision(),
      version: collection.name,
      dataSets,
      trained,
      reused,
    }
    await writeProbeTables(all, { ...options, folder: workFolder })
    return all
  } finally {
    await trainedVectors.close()
    await untrained.close()
    await journal.close()
  }
}

interface Untrained {
  readonly model: Model
  readonly vectors: ProbeVectors
}

const lacksUntrained = (): Fault =>
  fault('usage.value', {
    place: 'random-weights',
    what: 'the control needs a model that was never trained',
    hint: 'give openUntrained, which opens one',
  })

function heldUntrained({ openUntrained, controls = [], store, layers, settings: { profile } }: ProbeOptions): {
  open(): Promise<Untrained>
  close(): Promise<void>
} {
  if (openUntrained === undefined && controls.includes('random-weights')) throw lacksUntrained()
  let held: Promise<Untrained> | undefined
  return {
    open: () =>
      (held ??= (openUntrained?.() ?? Promise.reject(lacksUntrained())).then((model) => {
        statesOf(model)
        return { model, vectors: openProbeVectors(model, { store, profile, layers }) }
      })),
    async close() {
      const one = await held?.catch(() => undefined)
      await one?.vectors.close()
      await one?.model.close()
    },
  }
}

function lost({ dataSet }: ProbeSet, key: string): never {
  throw fault('internal', { place: dataSet.name, what: 'a probe was trained and is not in the journal', seen: key })
}

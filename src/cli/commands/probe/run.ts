/** `strata probe`: scores of probes on every layer of a model. */
import { fault, suggestion } from '#core'
import { openModel, openUntrained } from '#experiment/open'
import { checkDataSetNames, planProbe, type ProbeOptions, runProbe } from '#experiment/probe'
import { type Model, statesOf } from '#model/checkpoint'
import { statesNamed } from '#representation/layers'
import {
  openProbeData,
  portionNamed,
  type ProbeControl,
  probeControls,
  type ProbeSettings,
  type TaskType,
  taskTypes,
} from '#task/probing'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { probeLines, probePlanLines } from './probe-lines.ts'
import { modelOptions, openVectorStore } from '../../options/model-options.ts'

export const run: CommandRun<Flags> = async (references, flags, terminal) => {
  if (flags.data === undefined)
    throw fault('usage.flag', {
      place: '--data',
      what: 'no probing data is given',
      wanted: 'a folder of Holmes, blimp, or blimp:FOLDER, zorro:FOLDER, ud:FOLDER, senteval:FOLDER',
    })
  const settings: ProbeSettings = {
    profile: flags.profile,
    probe: flags.probe,
    mdl: flags.mdl === true,
    portion: portionNamed(flags.trainPortion),
  }
  const asked = { taskTypes: taskTypesOf(flags), controls: controlsOf(flags), names: flags.only }
  const collection = await openProbeData(flags.data, { signal: terminal.signal, onProgress: terminal.progress })
  if (flags.only !== undefined) await checkDataSetNames(collection, flags.only)
  let failures = 0
  for (const reference of references) {
    const reading = modelOptions(flags, terminal)
    const model = await openModel(reference, reading)
    try {
      const { results, threads, seeds = [0, 1, 2, 3, 4] } = flags
      const shared = { outputFolder: results, threads, seeds, signal: terminal.signal, onProgress: terminal.progress }
      const options: ProbeOptions = {
        ...asked,
        ...shared,
        settings,
        layers: layersOf(model, flags.layers),
        store: openVectorStore(flags),
        openUntrained: () => openUntrained(reference, reading),
      }
      if (flags.dryRun === true) {
        const plan = await planProbe(model, collection, options)
        if (flags.json === true) terminal.print(JSON.stringify(plan))
        else for (const line of probePlanLines(plan)) terminal.print(line)
        continue
      }
      const probed = await runProbe(model, collection, options)
      failures += probed.dataSets.filter((one) => one.fault !== undefined).length
      if (flags.json === true)
        terminal.print(
          JSON.stringify(probed, (_key, value: unknown) =>
            value instanceof Error ? { message: value.message } : value,
          ),
        )
      else for (const line of probeLines(probed)) terminal.print(line)
    } finally {
      await model.close()
    }
  }
  return failures === 0 ? 0 : 1
}

/** `last` is the state that Holmes probes. */
function layersOf(model: Model, names = 'all'): number[] {
  const { count } = statesOf(model)
  return names === 'last' ? [count - 1] : [...statesNamed(names, count)]
}

function taskTypesOf({ taskTypes: names }: Flags): TaskType[] | undefined {
  return names?.map((name) => known('--task-types', name.toUpperCase().replaceAll('-', '_'), taskTypes))
}

function controlsOf({ controls = [] }: Flags): ProbeControl[] {
  return controls.map((name) => known('--controls', name, probeControls))
}

function known<Word extends string>(place: string, name: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === name)
  if (found === undefined)
    throw fault('usage.value', {
      place,
      what: 'no such name',
      seen: name,
      wanted: words,
      hint: suggestion(name, words),
    })
  return found
}

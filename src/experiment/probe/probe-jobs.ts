/** The probes of one data set under one control: which exist, which are done, and the training data of the others. */
import { fault, fingerprint, type CallOptions } from '#core'
import type { Model } from '#model/checkpoint'
import {
  type ProbeControl,
  type ProbeDataSet,
  type ProbeJob,
  type ProbeSettings,
  rowsOf,
  trainProbes,
} from '#task/probing'
import type { ProbeVectors } from './probe-vectors.ts'
import { type ProbeUnit, type UnitJournal, unitKey } from './units.ts'

export interface ProbeSet {
  readonly dataSet: ProbeDataSet
  readonly control: ProbeControl
  readonly layers: readonly number[]
  readonly seeds: readonly number[]
  readonly settings: ProbeSettings
}

export interface KeyedProbe {
  readonly key: string
  readonly layer: number
  readonly seed: number
}

/** In order of training: layer by layer. */
export async function listProbes(
  model: Model,
  prompt: string | null,
  { dataSet, control, layers, seeds, settings }: ProbeSet,
): Promise<KeyedProbe[]> {
  const { name: _name, subfield: _subfield, phenomenon: _phenomenon, ...data } = dataSet
  const shared = {
    model: await model.identity(),
    reading: model.settings,
    prompt,
    data: fingerprint(data),
    control,
    settings,
  }
  return layers.flatMap((layer) => seeds.map((seed) => ({ key: unitKey({ ...shared, layer, seed }), layer, seed })))
}

export interface TrainOptions extends CallOptions {
  readonly vectors: ProbeVectors
  readonly journal: UnitJournal
  readonly threads?: number | undefined
  readonly onTrained: (unit: ProbeUnit) => void
}

/** Trains the probes that the journal lacks; a probe is stored before its thread begins the next one. */
export async function trainMissing(
  set: ProbeSet,
  missing: readonly KeyedProbe[],
  { vectors, journal, threads, onTrained, signal, ...call }: TrainOptions,
): Promise<void> {
  const { dataSet, control, settings } = set
  checkSplits(dataSet)
  await vectors.ensure(dataSet, { signal, ...call })
  const rows = { instances: [] as number[], dropped: [] as number[] }
  async function* jobs(): AsyncGenerator<ProbeJob> {
    let shared: Omit<ProbeJob, 'seed'> | undefined
    let layer: number | undefined
    for (const [at, probe] of missing.entries()) {
      if (shared === undefined || layer !== probe.layer) {
        layer = probe.layer
        shared = await sharedJob(dataSet, layer, vectors, settings)
      }
      const kept = shared.train.length + shared.dev.length + shared.test.length
      ;[rows.instances[at], rows.dropped[at]] = [kept, dataSet.instances.length - kept]
      yield { ...shared, seed: probe.seed }
    }
  }
  await trainProbes(jobs(), {
    threads,
    signal,
    async onTrained(outcome, at) {
      const probe = missing[at]
      if (probe === undefined)
        throw fault('internal', { place: dataSet.name, what: 'the outcome belongs to no probe', seen: at })
      const { key, layer, seed } = probe
      const unit = {
        dataSet: dataSet.name,
        control,
        layer,
        seed,
        instances: rows.instances[at] ?? 0,
        dropped: rows.dropped[at] ?? 0,
        outcome,
      }
      await journal.add(key, unit)
      onTrained(unit)
    },
  })
}

async function sharedJob(
  dataSet: ProbeDataSet,
  layer: number,
  vectors: ProbeVectors,
  settings: ProbeSettings,
): Promise<Omit<ProbeJob, 'seed'>> {
  const x = await vectors.read(layer, dataSet)
  const whole = (rows: Int32Array): Int32Array =>
    rows.filter(
      (row) =>
        !Number.isNaN(x.data[row * x.width] ?? NaN) && !hasGap(x.data.subarray(row * x.width, (row + 1) * x.width)),
    )
  const [train, dev, test] = [
    whole(rowsOf(dataSet, 'train')),
    whole(rowsOf(dataSet, 'dev')),
    whole(rowsOf(dataSet, 'test')),
  ]
  if (train.length === 0 || dev.length === 0 || test.length === 0)
    throw fault('task.empty', {
      place: dataSet.name,
      what: "no instance remains whose part of the text is within the model's maximum length",
      hint: 'raise --max-length',
    })
  const inputs = dataSet.instances.map((one) => inputName(one.inputs, dataSet, settings))
  const known = new Set(Array.from(train, (row) => inputs[row]))
  return {
    x,
    labels: Float64Array.from(dataSet.instances, ({ label }) => label),
    classes: dataSet.classes,
    train,
    dev,
    test,
    seen: Uint8Array.from(test, (row) => Number(known.has(inputs[row]))),
    settings,
  }
}

function hasGap(row: Float32Array): boolean {
  return row.some((value) => Number.isNaN(value))
}

/**
 * The key that makes two inputs equal: the words in lower case; for whole texts Holmes's code uses the first letter
 * only.
 */
function inputName(
  inputs: ProbeDataSet['instances'][number]['inputs'],
  { taskType }: ProbeDataSet,
  { profile }: ProbeSettings,
): string {
  const first = profile === 'holmes' && !taskType.includes('TOKENS') && !taskType.includes('SPANS')
  return JSON.stringify(inputs.map(({ text }) => (first ? (Array.from(text)[0] ?? '') : text).toLowerCase()))
}

function checkSplits(dataSet: ProbeDataSet): void {
  for (const split of ['train', 'dev', 'test'] as const)
    if (rowsOf(dataSet, split).length === 0)
      throw fault('task.split', { place: dataSet.name, what: `no rows for ${split}`, wanted: ['train', 'dev', 'test'] })
}

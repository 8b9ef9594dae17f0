/** Probes in the ledger: one result per data set and hidden state. */
import { type Provenance, type ResultSettings, type SubsetScores, version } from '#core'
import type { Model } from '#model/checkpoint'
import { makeFingerprint, fingerprintVersion, writeResult } from '#result/ledger'
import type { ProbeSettings } from '#task/probing'
import type { ProbedDataSet } from './probed.ts'
import { type LayerSummary, summariesOf } from './summaries.ts'

export interface ProbeResultOptions {
  readonly outputFolder: string
  readonly layers: readonly number[]
  readonly seeds: readonly number[]
  readonly settings: ProbeSettings
  readonly prompt: string | null
  /** Hash of the probed data. */
  readonly data: string
  readonly seconds: number
}

/** Files of a probing data set do not contain its languages. */
const languages: readonly string[] = []

export async function writeProbeResult(
  model: Model,
  { dataSet, units, fault }: ProbedDataSet,
  options: ProbeResultOptions,
): Promise<void> {
  const { outputFolder, layers, seconds } = options
  const { parameters, width } = await model.facts()
  const facts = { parameters, width, maxTokens: model.settings.maxLength }
  const summaries = new Map(summariesOf(units).map((summary) => [summary.layer, summary]))
  for (const layer of layers) {
    const summary = summaries.get(layer)
    const strata = { ...(await provenance(model, dataSet.name, layer, options)), seconds: seconds / layers.length }
    if (fault !== undefined || summary === undefined) {
      await writeResult(
        outputFolder,
        {
          task_name: dataSet.name,
          strata: {
            ...strata,
            status: 'failed',
            code: fault?.code ?? 'internal',
            reason: fault?.message ?? 'not probed',
          },
        },
        { model: facts },
      )
      continue
    }
    const notices =
      summary.dropped === 0
        ? undefined
        : [`${summary.dropped} instances left out: their part of the text is beyond the model's maximum length`]
    await writeResult(
      outputFolder,
      {
        task_name: dataSet.name,
        dataset_revision: options.data,
        scores: { test: [{ ...scoresOf(summary), ...placeIn(dataSet) }] },
        strata: { ...strata, status: 'ok', notices },
      },
      { model: facts },
    )
  }
}

function scoresOf({
  score,
  deviation,
  seeds,
  scores,
  seen,
  unseen,
  mdl,
  controls,
  instances,
}: LayerSummary): SubsetScores {
  const defined = Object.entries({ ...scores, deviation, seeds, seen, unseen, mdl, instances }).filter(
    ([, value]) => value !== undefined,
  )
  return {
    main_score: score,
    hf_subset: 'default',
    languages,
    ...Object.fromEntries(defined),
    ...(Object.keys(controls).length === 0 ? {} : { controls }),
  }
}

/** Where Holmes's taxonomy puts a data set: reports group by it. */
function placeIn({ subfield, phenomenon }: ProbedDataSet['dataSet']): Readonly<Record<string, string>> {
  return {
    ...(subfield === undefined ? {} : { subfield }),
    ...(phenomenon === undefined ? {} : { phenomenon }),
  }
}

/** Name and fingerprint of a data set at a layer in the ledger. */
export async function provenance(
  model: Model,
  task: string,
  layer: number,
  { settings, seeds, prompt, data }: Pick<ProbeResultOptions, 'settings' | 'seeds' | 'prompt' | 'data'>,
): Promise<Omit<Provenance, 'status' | 'seconds'>> {
  const { profile, probe, mdl, portion } = settings
  const reading = model.settings
  const said: ResultSettings = {
    pooling: 'mean',
    maxLength: reading.maxLength,
    prompt,
    dtype: reading.dtype,
    ...(reading.device === 'cpu' ? {} : { device: reading.device }),
    finalNorm: reading.finalNorm,
    probe,
    mdl,
    train_portion: portion,
    seeds: [...seeds],
  }
  // settings other than the defaults are part of the name, so that both results can coexist
  const representation = [
    `h${layer}`,
    ...model.overrides,
    ...(profile === 'corrected' ? [] : [profile]),
    ...(probe === 'linear' ? [] : [probe]),
    ...(portion === 1 ? [] : [`portion${portion}`]),
  ].join('+')
  const fingerprint = makeFingerprint({
    model: await model.identity(),
    reading,
    settings: said,
    representation,
    task: { name: task, type: 'probing' },
    data,
    profile: `probe-${profile}`,
    arithmetic: 'probing 1',
  })
  return {
    model: model.name,
    revision: await model.revision(),
    representation,
    profile: `probe-${profile}`,
    settings: said,
    fingerprint,
    fingerprint_version: fingerprintVersion,
    version,
  }
}

/**
 * Metrics of tokens over a large corpus: the program on 100,000 utterances, whose token states are never held beyond
 * one batch – time and peak memory –, and on the first 1,000 of them next to the same metrics from states that are all
 * held at once.
 *
 *   node bench/run.mjs token-metrics [--texts 100000] [--metrics sentence_entropy,curvature]
 *
 * Texts: MASSIVE's utterances of $STRATA_SHARED in six languages. Model: the carried all-MiniLM-L6-v2.
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { MetricValue, TokenMetric } from '../src/representation/metrics/index.ts'
import { runOnce } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { model as carriedModel, program, scratchFolder } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { metrics, openModel } from './lib/strata.ts'
import { utterances } from './lib/texts.ts'

interface Report {
  readonly layers: Readonly<Record<string, Readonly<Record<string, MetricValue>>>>
}

const locales = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'pt-PT', 'nl-NL']
const names = flag('metrics', 'sentence_entropy,curvature')
const asked = names.split(',').map((name) => metrics[name as keyof typeof metrics] as TokenMetric)
const [facts, texts] = [await machine(), utterances(Number(flag('texts', '100000')), locales)]
const some = texts.slice(0, 1000)

const large = await measured(texts)
const small = await measured(some)
const [loadAfter] = loadavg()
const held = await atOnce(some)
const difference = furthest(small.layers, held)
console.log(
  table([
    ['texts', 's', 'MiB'],
    ...[large, small].map(({ texts: count, seconds, peakMiB }) => [String(count), seconds, peakMiB]),
  ]),
)
console.log(
  `\n${some.length} texts, all states held at once: largest relative difference ${difference.toExponential(1)}`,
)
writeResult('token-metrics', {
  machine: facts,
  loadAfter,
  metrics: names,
  runs: [large, small].map(({ layers: _layers, ...run }) => run),
  relativeDifference: difference,
})
// sums of float32 in another order, batch by batch: 1e-5 of a state, less of an entropy
if (!(difference < 1e-5)) process.exitCode = 1

async function measured(
  chosen: readonly string[],
): Promise<Report & { texts: number; seconds: number; peakMiB: number }> {
  const folder = scratchFolder('token-metrics')
  const [input, cache] = [join(folder, 'texts.txt'), join(folder, 'cache')]
  writeFileSync(input, `${chosen.join('\n')}\n`)
  const args = [
    program,
    'metrics',
    carriedModel,
    '--texts',
    input,
    '--metrics',
    names,
    '--cache-dir',
    cache,
    '--json',
    '--quiet',
  ]
  const { wallSeconds, peakMiB, report } = await runOnce({
    name: `${chosen.length} texts`,
    command: process.execPath,
    args,
    fresh: [cache],
  })
  return { texts: chosen.length, seconds: wallSeconds, peakMiB, layers: (report as unknown as Report).layers }
}

/** Every text by itself through the model, every state of every token kept, then the metrics. */
async function atOnce(chosen: readonly string[]): Promise<Report['layers']> {
  const model = await openModel(carriedModel)
  const [tokens, count] = [model.tokens, model.states?.count ?? 0]
  if (tokens === undefined) throw new Error('a model of tokens')
  const states = Array.from({ length: count }, (_, h) => h)
  const kept = []
  for (const text of chosen) {
    const batch = await tokens.batch([text], { prompt: null, side: 'right' })
    kept.push({ rows: batch.cols, outputs: await tokens.run({ batch, states, lastState: false }) })
  }
  await model.close()
  const layers: Record<string, Record<string, MetricValue>> = {}
  for (const h of states) {
    layers[h] = {}
    for (const metric of asked) {
      const values: MetricValue[] = []
      for (const { rows, outputs } of kept) {
        const state = outputs.find(({ name }) => name === `hidden_states.${h}`)
        if (state === undefined) throw new Error(`no state ${h}`)
        const value = await metric.of({ rows, width: state.dims[2] ?? 0, data: Float64Array.from(state.data) })
        if (value !== undefined) values.push(value)
      }
      layers[h][metric.name] = mean(values)
    }
  }
  return layers
}

function mean(values: readonly MetricValue[]): MetricValue {
  const [first] = values
  if (typeof first !== 'object')
    return values.reduce<number>((sum, value) => sum + (value as number), 0) / values.length
  return Object.fromEntries(
    Object.keys(first).map((key) => [
      key,
      mean(values.map((value) => (value as Record<string, MetricValue>)[key] ?? NaN)),
    ]),
  )
}

function furthest(a: unknown, b: unknown): number {
  if (typeof a === 'number') return Math.abs(a - (b as number)) / Math.abs(b as number)
  return Math.max(
    ...Object.entries(a as Record<string, unknown>).map(([key, value]) =>
      furthest(value, (b as Record<string, unknown>)[key]),
    ),
  )
}

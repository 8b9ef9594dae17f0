/**
 * Probes on the vectors of a model's layers, by Strata and by PyTorch with Holmes's settings: macro-F1 over seeds in
 * both profiles, and CPU seconds. Both train on the same vectors of the same rows; draws (weights, order, dropout) are
 * each program's own.
 *
 *   STRATA_SHARED=… node bench/run.mjs probes [--model FOLDER] [--layers 0,3,6] [--seeds 0,1,2,3,4] [--portion 0.125]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag } from './lib/flags.ts'
import { peers, python, scratchFolder, shared } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { openModel, openProbeData, openProbeVectors, portionOf, rowsOf, trainProbe } from './lib/strata.ts'

const data = shared ?? fail('the shared data are not there')
if (!existsSync(python)) fail('the peers’ Python is not there: bench/README.md')
const seeds = flag('seeds', '0,1,2,3,4').split(',').map(Number)
const layers = flag('layers', '0,3,6').split(',').map(Number)
const portion = Number(flag('portion', '0.125'))
const sources: readonly (readonly [source: string, name: string])[] = [
  [`blimp:${join(data, 'data', 'blimp')}`, 'blimp-adjunct_island'],
  [`blimp:${join(data, 'data', 'blimp')}`, 'blimp-anaphor_number_agreement'],
  [`zorro:${join(data, 'data', 'zorro')}`, 'zorro-agreement_determiner_noun-between_neighbors'],
  [`ud:${join(data, 'data', 'ud_english_ewt')}`, 'ud-upos'],
  [`ud:${join(data, 'data', 'ud_english_ewt')}`, 'ud-sentence_length'],
]
const profiles = ['corrected', 'holmes'] as const
const folder = scratchFolder('probes')
const facts = await machine()

const jobs: object[] = []
const own: { name: string; scores: number[] }[] = []
let cpu = 0
const model = await openModel(flag('model', join(data, 'models', 'nano-pythia', 'step1183')))
for (const [source, name] of sources) {
  const dataSet = await named(source, name)
  for (const profile of profiles) {
    const vectors = openProbeVectors(model, { store: undefined, profile })
    await vectors.ensure(dataSet)
    for (const layer of layers) {
      const x = await vectors.read(layer, dataSet)
      const whole = (rows: Int32Array): Int32Array =>
        rows.filter((row) => !x.data.subarray(row * x.width, (row + 1) * x.width).some((value) => Number.isNaN(value)))
      const labels = Float64Array.from(dataSet.instances, ({ label }) => label)
      const [train, dev, test] = [
        whole(rowsOf(dataSet, 'train')),
        whole(rowsOf(dataSet, 'dev')),
        whole(rowsOf(dataSet, 'test')),
      ]
      const file = `${name}-h${layer}-${profile}`
      writeFileSync(join(folder, `${file}.f32`), new Uint8Array(x.data.slice().buffer))
      writeFileSync(join(folder, `${file}.f64`), new Uint8Array(labels.buffer))
      const about = {
        name: file,
        vectors: `${file}.f32`,
        labels: `${file}.f64`,
        width: x.width,
        classes: dataSet.classes,
        profile,
      }
      jobs.push({ ...about, train: [...train], dev: [...dev], test: [...test] })
      const before = process.cpuUsage().user
      const settings = { profile, probe: 'linear', mdl: false } as const
      const scores = seeds.map(
        (seed) =>
          trainProbe({
            x,
            labels,
            classes: dataSet.classes,
            train,
            dev,
            test,
            seen: new Uint8Array(test.length),
            seed,
            settings,
          }).score ?? NaN,
      )
      cpu += (process.cpuUsage().user - before) / 1e6
      own.push({ name: file, scores })
    }
    await vectors.close()
  }
}
await model.close()
writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs))

const { stdout, status } = spawnSync(
  python,
  [join(peers, 'python', 'probes.py'), '--folder', folder, '--seeds', seeds.join()],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
if (status !== 0) fail('PyTorch failed')
const peer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
  probes: { scores: number[]; logistic: number }[]
  cpuSeconds: number
  version: string
}
const probes = own.map(({ name, scores }, i) => {
  const other = peer.probes[i]
  const [mine, theirs] = [mean(scores), mean(other?.scores ?? [])]
  return {
    name,
    strata: mine,
    torch: theirs,
    difference: mine - theirs,
    spread: deviation(other?.scores ?? []),
    logistic: other?.logistic,
  }
})
const differences = probes.map(({ difference }) => Math.abs(difference))
const [largest, average] = [Math.max(...differences), mean(differences)]
console.log(
  table([
    ['probe', 'Strata', 'PyTorch', 'difference', 'its deviation', 'scikit-learn'],
    ...probes.map((one) => [one.name, one.strata, one.torch, one.difference, one.spread, one.logistic ?? '']),
  ]),
)
console.log(
  `macro-F1, means of ${seeds.length} seeds: largest difference ${largest.toFixed(4)}, mean ${average.toFixed(4)}`,
)
console.log(
  `CPU seconds of training: Strata ${cpu.toFixed(1)}, PyTorch on one thread ${peer.cpuSeconds.toFixed(1)}: ${(peer.cpuSeconds / cpu).toFixed(2)} times as long`,
)
writeResult('probes', {
  machine: facts,
  seeds,
  portion,
  layers,
  largest,
  average,
  cpuSeconds: { strata: cpu, torch: peer.cpuSeconds },
  torch: peer.version,
  probes,
})

async function named(source: string, name: string): Promise<ReturnType<typeof portionOf>> {
  for await (const one of (await openProbeData(source)).dataSets())
    if (one.name === name) return portionOf(one, one.instances.length > 10_000 ? portion : 1)
  return fail(`no ${name} in ${source}`)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

function fail(what: string): never {
  throw new Error(what)
}

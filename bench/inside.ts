/**
 * The arithmetic of looking inside a model, compared with NumPy and scikit-learn on the same random numbers in the shape
 * of layers: CKA of all pairs of 13 layers, principal components of all layers side by side, RSA and distance
 * correlation of two layers, eigenvectors against LAPACK's. The work is timed inside each process, after the rows are
 * read; memory is that of the whole process.
 *
 *   node bench/run.mjs inside [--parts cka,pca,pairs,eigen] [--rounds 3]
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { contest, median, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { peers, python, scratchFolder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, readResult, table, writeResult } from './lib/report.ts'
import { covarianceOf, openMatmul, principalAxes, similarities, symmetricEigen } from './lib/strata.ts'

const shapes = {
  cka: { layers: 13, rows: 20_000, width: 768 },
  pca: { layers: 13, rows: 30_000, width: 768 },
  pairs: { layers: 2, rows: 3_000, width: 768 },
  eigen: { layers: 1, rows: 3_000, width: 1536 },
} as const
type Part = keyof typeof shapes
const components = 768
const blockRows = 2_000

const fileOf = (part: Part): string => join(scratchFolder('inside'), `${part}.f32`)

interface Shape {
  readonly layers: number
  readonly rows: number
  readonly width: number
}

const turn = flag('turn', '') as Part | ''
if (turn === '') await compare()
else console.log(JSON.stringify(await takeTurn(turn)))

async function compare(): Promise<void> {
  const facts = await machine()
  const wanted = flag('parts', Object.keys(shapes).join(',')).split(',') as Part[]
  const parts = readResult<{ parts: Record<string, unknown> }>('inside')?.parts ?? {}
  for (const part of wanted) {
    if (!existsSync(fileOf(part))) await writeRows(part)
    const { layers, rows, width } = shapes[part]
    const args = [
      '--file',
      fileOf(part),
      '--layers',
      String(layers),
      '--rows',
      String(rows),
      '--width',
      String(width),
      '--components',
      String(components),
    ]
    const contestants = [
      { name: 'strata', command: process.execPath, args: [import.meta.filename, '--turn', part] },
      { name: 'python', command: python, args: [join(peers, 'python', 'inside.py'), '--part', part, ...args] },
    ]
    const [loadBefore] = loadavg()
    const turns = await contest(contestants, Number(flag('rounds', '3')), (name, round) =>
      console.log(`${part}, ${name}, round ${round + 1}`),
    )
    const [loadAfter] = loadavg()
    const summaries = Object.fromEntries(Object.entries(turns).map(([name, list]) => [name, summary(list)]))
    const ratios = ratiosOf(summaries['python'] ?? {}, summaries['strata'] ?? {})
    parts[part] = { ...shapes[part], loadBefore, loadAfter, ratios, ...summaries }
    console.log(
      table(
        Object.entries({ ...summaries, 'python to strata': ratios }).flatMap(([name, values]) =>
          Object.entries(values).map(([key, value]) => [name, key, value]),
        ),
      ),
    )
    writeResult('inside', { machine: facts, parts })
  }
}

/** Python's seconds divided by Strata's, for each computation that both were timed on. */
function ratiosOf(
  python: Readonly<Record<string, number>>,
  strata: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(strata).flatMap(([key, seconds]) =>
      key.endsWith('Seconds') && python[key] !== undefined ? [[key, python[key] / seconds]] : [],
    ),
  )
}

/** Medians of what the turns say of themselves. */
function summary(turns: readonly Turn[]): Record<string, number> {
  const keys = Object.keys(turns[0]?.report ?? {})
  return {
    ...Object.fromEntries(keys.map((key) => [key, median(turns.map(({ report }) => Number(report[key])))])),
    peakMiB: median(turns.map(({ peakMiB }) => peakMiB)),
  }
}

async function takeTurn(part: Part): Promise<Record<string, number>> {
  const shape = shapes[part]
  switch (part) {
    case 'cka': {
      const layers = layersOf(readAll(part), shape)
      return timed('cka', () => similarities.cka.between(layers))
    }
    case 'pairs': {
      const layers = layersOf(readAll(part), shape)
      return {
        ...(await timed('rsa', () => similarities.rsa.between(layers))),
        ...(await timed('distance', () => similarities.distance_correlation.between(layers))),
      }
    }
    case 'pca':
      return axesOfAll()
    case 'eigen':
      return eigen()
    default:
      return part satisfies never
  }
}

/** Seconds of the work, and of the processor. */
async function timed<Result>(
  name: string,
  work: () => Promise<Result>,
  then: (result: Result) => Record<string, number> = () => ({}),
): Promise<Record<string, number>> {
  const [used, started] = [process.cpuUsage(), performance.now()]
  const result = await work()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(used)
  return { [`${name}Seconds`]: seconds, [`${name}CpuSeconds`]: (user + system) / 1e6, ...then(result) }
}

/** Rows come block by block from the file, as they come from the cache; reading is timed with the rest. */
async function axesOfAll(): Promise<Record<string, number>> {
  const { layers, rows, width } = shapes.pca
  const all = layers * width
  const covariance = await timedValue('covariance', async () => {
    const sums = covarianceOf(all)
    const file = openSync(fileOf('pca'), 'r')
    const block = new Float32Array(blockRows * all)
    for (let from = 0; from < rows; from += blockRows) {
      readSync(file, block, 0, block.byteLength, 4 * from * all)
      await sums.add({ rows: blockRows, width: all, data: block })
    }
    closeSync(file)
    return sums.finish().covariance
  })
  const axes = await timedValue('axes', () => principalAxes(covariance.value, components))
  const variance = axes.value.values.reduce((sum, value) => sum + value, 0)
  let trace = 0
  for (let i = 0; i < all; i++) trace += covariance.value.data[i * all + i] ?? NaN
  const { pcaSeconds, pcaCpuSeconds } = {
    pcaSeconds: (covariance.report['covarianceSeconds'] ?? NaN) + (axes.report['axesSeconds'] ?? NaN),
    pcaCpuSeconds: (covariance.report['covarianceCpuSeconds'] ?? NaN) + (axes.report['axesCpuSeconds'] ?? NaN),
  }
  return { pcaSeconds, pcaCpuSeconds, ...covariance.report, ...axes.report, variance, share: variance / trace }
}

async function timedValue<Value>(
  name: string,
  work: () => Promise<Value>,
): Promise<{ value: Value; report: Record<string, number> }> {
  let kept: Value | undefined
  const report = await timed(name, work, (value) => {
    kept = value
    return {}
  })
  return { value: kept as Value, report }
}

/** How far A v is from λ v, in parts of the largest λ, and V Vᵀ from the identity. */
async function eigen(): Promise<Record<string, number>> {
  const { rows, width } = shapes.eigen
  const sums = covarianceOf(width)
  await sums.add({ rows, width, data: readAll('eigen') })
  const { covariance } = sums.finish()
  const whole = await timedValue('whole', () => symmetricEigen(covariance))
  const few = await timedValue('few', () => principalAxes(covariance, 100))
  const { matmul } = openMatmul()
  const errors = async (name: string, { values, vectors }: typeof whole.value): Promise<Record<string, number>> => {
    const products = await matmul(vectors, covariance, { dtype: 'float64' })
    const gram = await matmul(vectors, vectors, { transposeB: true, dtype: 'float64' })
    const residual = products.data.reduce(
      (most, value, at) =>
        Math.max(most, Math.abs(value - (values[Math.floor(at / width)] ?? NaN) * (vectors.data[at] ?? NaN))),
      0,
    )
    const skew = gram.data.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (at % (gram.width + 1) === 0 ? 1 : 0))),
      0,
    )
    return { [`${name}Residual`]: residual / (values[0] ?? NaN), [`${name}Skew`]: skew }
  }
  return {
    ...whole.report,
    ...few.report,
    ...(await errors('whole', whole.value)),
    ...(await errors('few', few.value)),
  }
}

function readAll(part: Part): Float32Array {
  const bytes = readFileSync(fileOf(part))
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** Layers lie side by side in the file. */
function layersOf(
  all: Float32Array,
  { layers, rows, width }: Shape,
): { rows: number; width: number; data: Float32Array }[] {
  return Array.from({ length: layers }, (_, h) => {
    const data = new Float32Array(rows * width)
    for (let row = 0; row < rows; row++)
      data.set(all.subarray((row * layers + h) * width, (row * layers + h + 1) * width), row * width)
    return { rows, width, data }
  })
}

/**
 * Topics of the texts, ever rarer, seen by each layer through weights of its own that drift from layer to layer; a
 * large common mean; a little noise.
 */
async function writeRows(part: Part): Promise<void> {
  const { layers, rows, width }: Shape = shapes[part]
  const [topics, next] = [1024, mulberry(1)]
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const all = layers * width
  const weights = new Float32Array(topics * all)
  for (let k = 0; k < topics; k++)
    for (let i = 0; i < all; i++)
      weights[k * all + i] = i < width ? gauss() : 0.8 * (weights[k * all + i - width] ?? 0) + 0.6 * gauss()
  const mean = Float64Array.from({ length: all }, () => 3 * gauss())
  const { matmul } = openMatmul()
  const file = openSync(fileOf(part), 'w')
  for (let from = 0; from < rows; from += blockRows) {
    const count = Math.min(blockRows, rows - from)
    const seen = new Float32Array(count * topics)
    for (let at = 0; at < seen.length; at++) seen[at] = gauss() / (1 + (at % topics)) ** 0.7
    const block = await matmul(
      { rows: count, width: topics, data: seen },
      { rows: topics, width: all, data: weights },
      { dtype: 'float32' },
    )
    for (let at = 0; at < block.data.length; at++)
      block.data[at] = (block.data[at] ?? 0) + (mean[at % all] ?? 0) + 0.2 * (next() - 0.5)
    writeSync(file, block.data)
  }
  closeSync(file)
}

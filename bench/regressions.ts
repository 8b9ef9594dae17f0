/**
 * The logistic regressions of a task: as many fits as seven states × ten experiments of Banking77 take, on made-up
 * states of that shape (a large common mean, features of unlike sizes: they run for 50 to 100 iterations). GFLOP/s of
 * the two products of each iteration, next to those of the same product alone on one thread; the same fits by
 * scikit-learn if the peers' Python has it. A line search that tries twice is not counted, so the true share of the
 * roof is a little higher.
 *
 *   node bench/run.mjs regressions [--fits 70] [--rounds 3] [--rows 616] [--width 384] [--classes 77]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { peers, python, scratchFolder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { fitLogisticEach, openMatmul } from './lib/strata.ts'

const shape = {
  fits: Number(flag('fits', '70')),
  rows: Number(flag('rows', '616')),
  width: Number(flag('width', '384')),
  classes: Number(flag('classes', '77')),
}
const { fits, rows, width, classes } = shape
const file = join(scratchFolder('regressions'), 'samples.f32')
const flags = Object.entries(shape).flatMap(([name, value]) => [`--${name}`, String(value)])
/** Multiply-adds of the products of one iteration count two. */
const flopEach = 2 * 2 * rows * (width + 1) * classes

if (flag('turn', '') === '') await compare()
else await takeTurn()

async function compare(): Promise<void> {
  const [rounds, facts] = [Number(flag('rounds', '3')), await machine()]
  writeSamples()
  const contestants: Contestant[] = [
    { name: 'Strata', command: process.execPath, args: [import.meta.filename, '--turn', 'strata', ...flags] },
  ]
  if (existsSync(python))
    contestants.push({
      name: 'scikit-learn',
      command: python,
      args: [join(peers, 'python', 'regressions.py'), '--file', file, ...flags],
    })
  const turns = await contest(contestants, rounds, (name, round) => console.log(`${name}, round ${round + 1}`))
  const [loadAfter] = loadavg()
  const programs = Object.entries(turns).map(([name, list]) => {
    const seconds = median(list.map(({ report }) => Number(report['seconds'])))
    const iterations = Number(list[0]?.report['iterations'])
    return {
      name,
      version: list[0]?.report['version'],
      seconds,
      cpuSeconds: middle(list, 'cpuSeconds'),
      iterations,
      gflops: (flopEach * iterations) / seconds / 1e9,
    }
  })
  const roof = middle(turns['Strata'] ?? [], 'roof')
  const cores = availableParallelism()
  const [own, other] = programs
  console.log(`load before ${String(facts['loadBefore'])}, after ${String(loadAfter)}`)
  console.log(
    table([
      ['program', 'seconds', 'CPU seconds', 'iterations', 'GFLOP/s', `share of ${cores} × ${roof.toFixed(1)}`],
      ...programs.map((p) => [p.name, p.seconds, p.cpuSeconds, p.iterations, p.gflops, p.gflops / (cores * roof)]),
    ]),
  )
  const ratio = own !== undefined && other !== undefined ? other.seconds / own.seconds : undefined
  if (ratio !== undefined) console.log(`scikit-learn takes ${ratio.toFixed(2)} times as long`)
  writeResult('regressions', { machine: facts, loadAfter, rounds, shape, productOnOneThread: roof, ratio, programs })
}

function middle(turns: readonly Turn[], key: string): number {
  return median(turns.map(({ report }) => Number(report[key])))
}

async function takeTurn(): Promise<void> {
  const bytes = readFileSync(file)
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const labels = Int32Array.from({ length: rows }, (_, i) => i % classes)
  const size = rows * width
  const samples = Array.from({ length: fits }, (_, k) => ({
    x: { rows, width, data: all.slice(k * size, (k + 1) * size) },
    labels,
    classes,
  }))
  const [used, started] = [process.cpuUsage(), performance.now()]
  const models = await fitLogisticEach(samples)
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(used)
  const iterations = models.reduce((sum, model) => sum + model.iterations, 0)
  console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, iterations, roof: await productAlone() }))
}

/** The best of many products of scores, in GFLOP/s. */
async function productAlone(): Promise<number> {
  const filled = (count: number) => ({
    rows: count,
    width: width + 1,
    data: new Float64Array(count * (width + 1)).fill(0.5),
  })
  const [design, coefficients, into] = [filled(rows), filled(classes), new Float64Array(rows * classes)]
  const kernels = openMatmul({ threads: 1 })
  let best = Infinity
  for (let turn = 0; turn < 300; turn++) {
    const started = performance.now()
    await kernels.matmul(design, coefficients, { transposeB: true, dtype: 'float64', into })
    best = Math.min(best, performance.now() - started)
  }
  await kernels.close()
  return flopEach / 2 / best / 1e6
}

/** Noisy copies of one centre a class, noisier from fit to fit as states are from layer to layer. */
function writeSamples(): void {
  const next = mulberry(1)
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const drawn = (count: number): Float64Array => Float64Array.from({ length: count }, gauss)
  const [centres, mean, size] = [
    drawn(classes * width),
    drawn(width),
    drawn(width).map((value) => 0.5 * Math.exp(0.7 * value)),
  ]
  const all = new Float32Array(fits * rows * width)
  for (let at = 0; at < all.length; at++) {
    const [j, i, fit] = [at % width, Math.floor(at / width) % rows, Math.floor(at / width / rows)]
    const typical = 8 * (mean[j] ?? 0) + (centres[(i % classes) * width + j] ?? 0)
    all[at] = (size[j] ?? 0) * (typical + (2 + (fit % 7)) * gauss())
  }
  writeFileSync(file, all)
}

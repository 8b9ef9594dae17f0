/**
 * The engines alone, on the graph that Strata writes (all states pooled in it): tokens/s of short and of long texts in
 * every type that is here, what opening and a new shape cost, memory, and how far the vectors are from the first
 * engine's in float32. Each engine and type is a process of its own, in turn.
 *
 *   node bench/run.mjs engines [--rounds 3] [--seconds 3] [--model FOLDER]
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { ComputeType } from '../src/model/passes/index.ts'
import type { Engine } from '../src/platform/runtime/index.ts'
import { contest, median, type Contestant, type Turn } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { model as carriedModel } from './lib/places.ts'
import { machine, table, writeResult } from './lib/report.ts'
import {
  buildGraph,
  engineStates,
  openSession,
  openTensors,
  readFloat32,
  requestOf,
  settleArithmetic,
  specOf,
  typesOf,
} from './lib/strata.ts'

const folder = flag('model', carriedModel)
const seconds = Number(flag('seconds', '3'))
const turn = flag('turn', '')
/** [rows, columns]. */
const shapes = { short: [64, 12], long: [4, 256] } as const
const newShapes = 20

if (turn === '') await compare()
else await takeTurn(turn)

async function compare(): Promise<void> {
  const [rounds, facts, states] = [Number(flag('rounds', '3')), await machine(), await engineStates()]
  const contestants = states.flatMap((state): Contestant[] =>
    state.available
      ? typesOf(state).map((type) => {
          const name = `${state.name} ${type}`
          return {
            name,
            command: process.execPath,
            args: [import.meta.filename, '--turn', name, '--model', folder, '--seconds', String(seconds)],
          }
        })
      : [],
  )
  for (const state of states) if (!state.available) console.log(`${state.name}: ${state.reason}`)
  const turns = await contest(contestants, rounds, (name, round) => console.log(`${name}, round ${round + 1}`))
  const reference = vectorsOf(turns['onnxruntime float32'])
  const engines = Object.entries(turns).map(([name, list]) => {
    const middle = (key: string): number => median(list.map(({ report }) => Number(report[key])))
    const cosines = vectorsOf(list).map((vector, i) => cosine(vector, reference[i] ?? []))
    return {
      name,
      shortTokensPerSecond: middle('short'),
      longTokensPerSecond: middle('long'),
      openMilliseconds: middle('open'),
      firstRunMilliseconds: middle('firstRun'),
      newShapeMilliseconds: middle('newShape'),
      knownShapeMilliseconds: middle('knownShape'),
      residentMiB: middle('residentMiB'),
      peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
      cosineMean: cosines.reduce((sum, value) => sum + value, 0) / cosines.length,
      cosineMin: Math.min(...cosines),
    }
  })
  const [loadAfter] = loadavg()
  console.log(`load before ${String(facts['loadBefore'])}, after ${String(loadAfter)}`)
  console.log(
    table([
      [
        'engine',
        'short tok/s',
        'long tok/s',
        'open ms',
        'first run ms',
        'new shape ms',
        'known ms',
        'MiB',
        'peak MiB',
        '1 - cosine, mean',
        'greatest',
      ],
      ...engines.map((e) => [
        e.name,
        e.shortTokensPerSecond,
        e.longTokensPerSecond,
        e.openMilliseconds,
        e.firstRunMilliseconds,
        e.newShapeMilliseconds,
        e.knownShapeMilliseconds,
        e.residentMiB,
        e.peakMiB,
        (1 - e.cosineMean).toExponential(1),
        (1 - e.cosineMin).toExponential(1),
      ]),
    ]),
  )
  writeResult('engines', { machine: facts, loadAfter, rounds, engines })
}

async function takeTurn(name: string): Promise<void> {
  const [engine, type] = name.split(' ') as [Engine, ComputeType]
  const arithmetic = await settleArithmetic({ engine, dtype: type })
  const spec = specOf(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>, {
    place: folder,
  })
  const tensors = await openTensors(join(folder, 'model.safetensors'))
  const graph = await buildGraph(
    spec,
    tensors,
    { states: 'all', pool: ['mean'], ...requestOf(arithmetic) },
    { readFloat32: (tensor) => readFloat32(tensors, tensor) },
  )
  const before = process.memoryUsage.rss()
  let at = performance.now()
  const lap = (): number => {
    const took = performance.now() - at
    at = performance.now()
    return took
  }
  const session = await openSession(graph, { engine, precision: type === 'int8' ? 'float32' : type })
  const open = lap()
  const run = (rows: number, columns: number, seed = 0) => session.run(feeds(rows, columns, spec.vocabulary, seed))
  await run(...shapes.short)
  const firstRun = lap()
  for (let i = 0; i < newShapes; i++) await run(8, 20 + i)
  const newShape = lap() / newShapes
  for (let i = 0; i < newShapes; i++) await run(8, 20 + i)
  const knownShape = lap() / newShapes
  const speeds = { short: await speed(run, shapes.short), long: await speed(run, shapes.long) }
  const residentMiB = (process.memoryUsage.rss() - before) / 2 ** 20
  const vectors = [
    ...rowsOf((await run(...shapes.short))['pooled.last']),
    ...rowsOf((await run(...shapes.long))['pooled.last']),
  ]
  await session.close()
  console.log(JSON.stringify({ open, firstRun, newShape, knownShape, residentMiB, vectors, ...speeds }))
}

async function speed(
  run: (rows: number, columns: number, seed: number) => Promise<unknown>,
  [rows, columns]: readonly [number, number],
): Promise<number> {
  const started = performance.now()
  let tokens = 0
  for (let seed = 0; performance.now() - started < seconds * 1000; seed++, tokens += rows * columns)
    await run(rows, columns, seed)
  return (tokens * 1000) / (performance.now() - started)
}

function feeds(rows: number, columns: number, vocabulary: number, seed: number) {
  const dims = [rows, columns]
  const ids = Int32Array.from({ length: rows * columns }, (_, i) => 1 + (((i + seed) * 7919) % (vocabulary - 1)))
  return {
    input_ids: { dtype: 'int32' as const, dims, data: ids },
    attention_mask: { dtype: 'int32' as const, dims, data: new Int32Array(ids.length).fill(1) },
  }
}

function rowsOf(output: { dims: readonly number[]; data: ArrayLike<number | bigint> } | undefined): number[][] {
  const [rows = 0, width = 0] = output?.dims ?? []
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: width }, (_column, i) => Number(output?.data[row * width + i])),
  )
}

function vectorsOf(turns: readonly Turn[] | undefined): number[][] {
  return (turns?.[0]?.report['vectors'] ?? []) as number[][]
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

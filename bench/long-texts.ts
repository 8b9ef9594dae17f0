/**
 * One text of 256 … 8,192 tokens through an encoder of BERT-base's shape (110 M seeded weights, 8,192 positions):
 * seconds and peak memory with attention by blocks of queries, and with all scores at once. Each length and way is a
 * process of its own, in turn; 256 tokens are batches of four.
 *
 *   node bench/run.mjs long-texts [--rounds 1] [--lengths 256,1024,2048,4096,8192]
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { contest, median, type Contestant } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { bertShape, madeCheckpoint } from './lib/made-shapes.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { buildGraph, openSession, openTensors, readFloat32, specOf } from './lib/strata.ts'

const width = 768
const folder = madeCheckpoint('long-bert', bertShape({ width, layers: 12, positions: 8192 }))
const turn = flag('turn', '')
const repeats = 5

if (turn === '') await compare()
else await takeTurn(turn)

async function compare(): Promise<void> {
  const [facts, rounds] = [await machine(), Number(flag('rounds', '1'))]
  const lengths = flag('lengths', '256,1024,2048,4096,8192').split(',').map(Number)
  const contestants = lengths.flatMap((length): Contestant[] =>
    ['blocks', 'whole'].map((way) => ({
      name: `${length} ${way}`,
      command: process.execPath,
      args: [import.meta.filename, '--turn', `${length} ${way}`],
    })),
  )
  const turns = await contest(contestants, rounds, (name, round) => console.log(`${name}, round ${round + 1}`))
  const rows = Object.entries(turns).map(([name, list]) => {
    const middle = (key: string): number => median(list.map(({ report }) => Number(report[key])))
    const [length, way] = name.split(' ')
    const vector = list[0]?.report['vector']
    return {
      length: Number(length),
      way,
      seconds: middle('seconds'),
      cpuSeconds: middle('cpuSeconds'),
      peakMiB: median(list.map(({ peakMiB }) => peakMiB)),
      vector,
    }
  })
  const [loadAfter] = loadavg()
  console.log(`load before ${String(facts['loadBefore'])}, after ${String(loadAfter)}`)
  console.log(
    table([
      ['tokens', 'way', 'seconds', 'CPU s', 'peak MiB', 'same bits'],
      ...rows.map((row) => {
        const other = rows.find(({ length, way }) => length === row.length && way !== row.way)
        return [
          row.length,
          row.way ?? '',
          row.seconds.toFixed(2),
          row.cpuSeconds.toFixed(2),
          Math.round(row.peakMiB),
          String(JSON.stringify(other?.vector) === JSON.stringify(row.vector)),
        ]
      }),
    ]),
  )
  writeResult('long-texts', { machine: facts, loadAfter, rounds, rows: rows.map(({ vector: _vector, ...row }) => row) })
}

async function takeTurn(name: string): Promise<void> {
  const [words, way] = name.split(' ')
  const length = Number(words)
  const spec = specOf(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>, {
    place: folder,
  })
  const weights = await openTensors(join(folder, 'model.safetensors'))
  const request = { states: 'all', pool: ['mean'], ...(way === 'whole' ? { blockScores: Infinity } : {}) } as const
  const session = await openSession(
    await buildGraph(spec, weights, request, { readFloat32: (tensor) => readFloat32(weights, tensor) }),
  )
  const rows = Math.max(1, 1024 / length)
  const dims = [rows, length]
  const run = () =>
    session.run({
      input_ids: {
        dtype: 'int32',
        dims,
        data: Int32Array.from({ length: rows * length }, (_, i) => 1000 + ((i * 7919) % 20_000)),
      },
      attention_mask: { dtype: 'int32', dims, data: new Int32Array(rows * length).fill(1) },
    })
  const times: { seconds: number; cpuSeconds: number; vector: number[] }[] = []
  for (let i = 0; i < (length <= 2048 ? repeats : 1); i++) {
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    const outputs = await run()
    const { user, system } = process.cpuUsage(cpu)
    const vector = Array.from({ length: width }, (_, k) => Number(outputs['pooled.last']?.data[k]))
    times.push({ seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6, vector })
  }
  await session.close()
  console.log(JSON.stringify(times.toSorted((a, b) => a.seconds - b.seconds)[0]))
}

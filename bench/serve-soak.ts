/**
 * All-MiniLM-L6-v2 served to 64 clients for ten minutes, a tenth of whom hang up, others of whom send too much, too
 * slowly or nonsense. Every vector is compared with that of `encode`, bit by bit; memory is the server's resident memory
 * just after a collection of garbage. Then the server is killed in the middle of its work and started again on its port.
 *
 *   node bench/run.mjs serve-soak [--seconds 600] [--clients 64] [--seed 1]
 */
import { setTimeout as pause } from 'node:timers/promises'
import { median } from './lib/contest.ts'
import { flag } from './lib/flags.ts'
import { model as folder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, writeResult } from './lib/report.ts'
import { serverOf, type ServerProcess } from './lib/server-process.ts'
import { soak } from './lib/soak.ts'
import { encode, openModel } from './lib/strata.ts'
import { readTexts } from './lib/texts.ts'

const seconds = Number(flag('seconds', '600'))
const clients = Number(flag('clients', '64'))
const facts = await machine()
const maxBody = 2 ** 20
const representations = ['default', 'h2', 'mean:1-4', 'h6:100']
const texts = Object.values(readTexts({ limit: 60, documents: 8 })).flat()

const model = await openModel(folder)
const { name } = model
const wanted: Record<string, Float32Array[]> = {}
for (const representation of representations) {
  const { data, width } = await encode(model, texts, { representation })
  wanted[representation] = texts.map((_, i) => data.slice(i * width, (i + 1) * width))
}
await model.close()

/** Collects garbage and reports the memory after it, at every SIGUSR2. */
const watcher = `process.on('SIGUSR2',()=>{gc();gc();console.error('rss '+process.memoryUsage().rss)})`
const start = (port: number): Promise<ServerProcess> =>
  serverOf([folder], {
    port,
    args: ['--max-body', String(maxBody), '--representation', representations.join()],
    nodeArgs: ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(watcher)}`],
  })
const residents = (server: ServerProcess): number[] =>
  [...server.errors().matchAll(/^rss (\d+)$/gm)].map(([, bytes]) => Number(bytes) / 2 ** 20)

const server = await start(0)
const port = Number(new URL(server.address).port)
const began = performance.now()
const elapsed = (): number => (performance.now() - began) / 1000
const watch = setInterval(() => {
  server.child.kill('SIGUSR2')
  console.log(`${elapsed().toFixed(0)} s, ${residents(server).at(-1)?.toFixed(0) ?? '?'} MiB`)
}, 10_000)
const shared = { address: server.address, texts, wanted, maxBody, gigantic: 256, clients }
const names = { model: name, head: name }
const found = await soak({
  ...shared,
  names,
  draw: mulberry(Number(flag('seed', '1'))),
  isOver: () => elapsed() > seconds,
})
clearInterval(watch)
const memory = residents(server)
const half = memory.slice(memory.length >> 1)
const [third, fourth] = [half.slice(0, half.length >> 1), half.slice(half.length >> 1)].map(median) as [number, number]
// a twentieth of the whole is what one heavy request more or less at the moment of looking makes
const isFlat = fourth <= third * 1.05

const said = server.errors().replaceAll(/^rss .*\n/gm, '')
const cut = soak({ ...shared, names, draw: mulberry(2), isOver: () => server.child.killed })
await pause(500)
await server.stop('SIGKILL')
const { complaints: atDeath } = await cut
const again = await start(port)
const after = await soak({
  ...shared,
  address: again.address,
  names,
  draw: mulberry(3),
  isOver: (requests) => requests >= 500,
})
await again.stop()

const result = {
  seconds: elapsed(),
  ...found,
  memory: { third, fourth, isFlat, all: memory.map(Math.round) },
  killed: { lost: atDeath.length, afterwards: after },
}
console.log(JSON.stringify(result, undefined, 2), said.slice(-1000))
if (seconds >= 600) writeResult('serve-soak', { machine: facts, clients, ...result })
if (found.complaints.length + after.complaints.length > 0 || !isFlat || said.includes('failed')) process.exitCode = 1

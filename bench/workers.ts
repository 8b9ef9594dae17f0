/**
 * Not of speed alone: 10,000 jobs, eight processes on one folder, twenty of them killed at random moments and replaced. Every job is finished, none twice, and what they wrote is what
 * one process writes. And what the claims, markers and events of a job cost, beside jobs that do nothing.
 *
 *   node bench/run.mjs workers [--jobs 10000] [--processes 8] [--kills 20] [--milliseconds 8]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flag } from './lib/flags.ts'
import { scratchFolder } from './lib/places.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { work } from './lib/strata.ts'

const [count, processes, kills, milliseconds] = [
  Number(flag('jobs', '10000')),
  Number(flag('processes', '8')),
  Number(flag('kills', '20')),
  Number(flag('milliseconds', '8')),
]
const jobs = Array.from({ length: count }, (_, i) => ({ id: `job-${i}`, group: `model-${i % 154}`, seconds: 1 }))

if (flag('as', '') === '') await main()
else await take(flag('folder', ''), flag('as', ''), milliseconds)

/** What a job writes depends on the job alone. */
async function take(folder: string, worker: string, waiting: number): Promise<void> {
  await work(
    jobs,
    async ({ id }) => {
      if (waiting > 0) await sleep(waiting)
      await writeFile(join(folder, 'out', id), createHash('sha256').update(id).digest('hex'))
      return { state: 'done' }
    },
    { folder, worker },
  )
}

async function main(): Promise<void> {
  const facts = await machine()
  const [alone, nothing, shared] = ['alone', 'nothing', 'shared'].map((name) => scratchFolder(`workers-${name}`)) as [string, string, string]
  for (const folder of [alone, nothing, shared]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, 'out'), { recursive: true })
  }

  let begun = performance.now()
  for (const { id } of jobs) await writeFile(join(nothing, 'out', id), createHash('sha256').update(id).digest('hex'))
  const bare = (performance.now() - begun) / count
  begun = performance.now()
  await take(alone, 'one', 0)
  const one = (performance.now() - begun) / count

  begun = performance.now()
  const dead = await withKills(shared)
  const together = (performance.now() - begun) / count
  const finished = readdirSync(join(shared, 'jobs')).filter((name) => name.endsWith('.json'))
  const ends = readdirSync(join(shared, 'events')).flatMap((name) => endsIn(join(shared, 'events', name)))
  const twice = ends.length - new Set(ends).size
  const different = jobs.filter(({ id }) => readFileSync(join(shared, 'out', id), 'utf8') !== readFileSync(join(alone, 'out', id), 'utf8')).length

  console.log(
    table([
      ['', `${count} jobs`],
      ['finished', finished.length],
      ['finished twice', twice],
      ['different from one worker’s', different],
      ['processes killed', dead],
      ['a job that does nothing, ms', bare],
      ['the same by one worker, ms', one],
      ['overhead a job, ms', one - bare],
      [`wall time a job, ${processes} processes, jobs of ${milliseconds} ms, ms`, together],
    ]),
  )
  writeResult('workers', {
    machine: facts,
    loadAfter: loadavg()[0],
    jobs: count,
    processes,
    killed: dead,
    finished: finished.length,
    twice,
    different,
    overheadMilliseconds: one - bare,
    together,
  })
  if (finished.length !== count || twice > 0 || different > 0) process.exitCode = 1
}

/** Until no job is left; a killed process is replaced at once, under a name of its own. Returns how many were killed. */
async function withKills(folder: string): Promise<number> {
  const random = mulberry(14)
  const living = new Set<ChildProcess>()
  const ended: Promise<void>[] = []
  let born = 0
  const start = (): void => {
    const args = [process.argv[1] ?? '', '--as', `worker-${++born}`, '--folder', folder, '--jobs', String(count), '--milliseconds', String(milliseconds)]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    living.add(child)
    ended.push(
      new Promise((resolve) => {
        child.on('close', () => {
          living.delete(child)
          resolve()
        })
      }),
    )
  }
  for (let i = 0; i < processes; i++) start()
  let killed = 0
  while (killed < kills) {
    await sleep(200 + 800 * random())
    const [...all] = living
    const victim = all[Math.floor(random() * all.length)]
    if (victim === undefined) break
    if (victim.kill('SIGKILL')) killed++
    start()
  }
  await Promise.all(ended)
  return killed
}

function endsIn(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as { event: string; job?: string })
    .flatMap(({ event, job }) => (event === 'done' || event === 'failed' ? [job ?? ''] : []))
}

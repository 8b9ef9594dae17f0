/**
 * Not of speed alone: 10,000 jobs, eight processes on one folder, twenty of them killed at random moments and replaced.
 * Every job is finished, none twice, and what they wrote is what one process writes. And what the claims, markers and
 * events of a job cost, next to jobs that do nothing.
 *
 *   node bench/run.mjs workers [--jobs 10000] [--processes 8] [--kills 20] [--milliseconds 8]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { flag } from './lib/flags.ts'
import { jobFolder, manyJobs, take, tally, writeJob } from './lib/many-jobs.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'

const [count, processes, kills, milliseconds] = [
  Number(flag('jobs', '10000')),
  Number(flag('processes', '8')),
  Number(flag('kills', '20')),
  Number(flag('milliseconds', '8')),
]
const jobs = manyJobs(count)

if (flag('worker', '') === '') await main()
else {
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  await take(jobs, { folder: flag('folder', ''), worker: flag('worker', ''), milliseconds, signal: stop.signal })
}

async function main(): Promise<void> {
  const facts = await machine()
  const [alone, nothing, shared] = ['alone', 'nothing', 'shared'].map((name) => jobFolder(`workers-${name}`)) as [
    string,
    string,
    string,
  ]

  let begun = performance.now()
  for (const job of jobs) await writeJob(nothing, job)
  const bare = (performance.now() - begun) / count
  begun = performance.now()
  await take(jobs, { folder: alone, worker: 'one', milliseconds: 0 })
  const one = (performance.now() - begun) / count

  begun = performance.now()
  const dead = await withKills(shared)
  const together = (performance.now() - begun) / count
  const { finished, twice, different } = tally(jobs, shared, alone)

  console.log(
    table([
      ['', `${count} jobs`],
      ['finished', finished],
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
    finished,
    twice,
    different,
    overheadMilliseconds: one - bare,
    together,
  })
  if (finished !== count || twice > 0 || different > 0) process.exitCode = 1
}

/**
 * Until no job is left; a killed process is replaced at once, under a name of its own. Returns how many were killed.
 */
async function withKills(folder: string): Promise<number> {
  const random = mulberry(14)
  const living = new Set<ChildProcess>()
  const ended: Promise<void>[] = []
  let born = 0
  const start = (): void => {
    const args = [
      process.argv[1] ?? '',
      '--worker',
      `worker-${++born}`,
      '--folder',
      folder,
      '--jobs',
      String(count),
      '--milliseconds',
      String(milliseconds),
    ]
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

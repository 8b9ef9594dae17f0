/**
 * 10,000 jobs by an array job of eight workers on a real Slurm of two nodes, started here: tasks are queued again in
 * the middle by `scontrol requeue`, and every worker queues itself again when its walltime is over. Every job is
 * finished, none twice, and what they wrote is what one process writes.
 *
 *   node bench/run.mjs slurm [--jobs 10000] [--tasks 8] [--requeues 20] [--milliseconds 200] [--time 3]
 *
 * Wants root and Debian's slurm-wlm and munge. `--time` is in minutes; Slurm tells a worker to end up to two before.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasSlurm, startSlurm } from '../test/slurm-cluster.ts'
import { flag } from './lib/flags.ts'
import { jobFolder, manyJobs, take, tally } from './lib/many-jobs.ts'
import { mulberry } from './lib/random.ts'
import { machine, table, writeResult } from './lib/report.ts'
import { queue, slurmScript, submit } from './lib/strata.ts'

const [count, tasks, requeues, milliseconds, time] = [
  Number(flag('jobs', '10000')),
  Number(flag('tasks', '8')),
  Number(flag('requeues', '20')),
  flag('milliseconds', '200'),
  flag('time', '3'),
]
if (!hasSlurm) throw new Error('no Slurm here: slurm-wlm and munge of Debian, and root')
const facts = await machine()
const jobs = manyJobs(count)
const [alone, shared] = [jobFolder('slurm-alone'), jobFolder('slurm-shared')]
await take(jobs, { folder: alone, worker: 'one', milliseconds: 0 })

const cluster = await startSlurm({ cpus: Math.ceil(tasks / 2) })
Object.assign(process.env, cluster.env)
try {
  const worker = join(import.meta.dirname, 'workers.js')
  const command = [
    process.execPath,
    worker,
    '--folder',
    shared,
    '--jobs',
    String(count),
    '--milliseconds',
    milliseconds,
  ]
  const logs = join(shared, 'logs')
  const begun = performance.now()
  const { id } = await submit(
    shared,
    slurmScript({ name: 'many-jobs', count: tasks, folder: shared, logs, command, time, cpus: 1 }),
    { tasks, logs },
  )
  const asked = await requeueSome(id)
  while ((await queue(id)).length > 0) await sleep(1000)
  const seconds = (performance.now() - begun) / 1000
  const { finished, twice, different, started } = tally(jobs, shared, alone)
  const byThemselves = started - tasks - asked
  console.log(
    table([
      ['', `${count} jobs`],
      ['finished', finished],
      ['finished twice', twice],
      ['different from one worker’s', different],
      ['tasks queued again by scontrol', asked],
      ['tasks that queued themselves again', byThemselves],
      ['seconds', seconds],
    ]),
  )
  writeResult('slurm', {
    machine: facts,
    jobs: count,
    tasks,
    requeued: asked,
    requeuedThemselves: byThemselves,
    finished,
    twice,
    different,
    seconds,
  })
  if (finished !== count || twice > 0 || different > 0) process.exitCode = 1
} finally {
  await cluster.stop()
}

/**
 * Tasks that run, at random, one after another; Slurm would let one wait for two minutes, so it is told to start now.
 * Returns how many.
 */
async function requeueSome(id: string): Promise<number> {
  const random = mulberry(15)
  let asked = 0
  while (asked < requeues) {
    await sleep(1000 + 3000 * random())
    const queued = await queue(id)
    if (queued.length === 0) break
    const running = queued.filter(({ state }) => state === 'RUNNING')
    const task = running[Math.floor(random() * running.length)]?.task
    if (task === undefined) continue
    cluster.run('scontrol', 'requeue', task)
    asked++
    for (let i = 0; i < 300; i++) {
      const state = (await queue(id)).find((one) => one.task === task)?.state
      if (state === undefined) break
      if (state === 'PENDING') {
        cluster.run('scontrol', 'update', `jobid=${task}`, 'starttime=now')
        break
      }
      await sleep(100)
    }
  }
  return asked
}

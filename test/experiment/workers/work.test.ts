import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { forgetFailed, type Job, startWorkers, status, work } from '#experiment/workers'
import { scratchFolder } from '../../scratch.ts'
import { until } from '../../until.ts'

const { path } = scratchFolder()
const script = join(import.meta.dirname, 'one-worker.mjs')

/** Of ten groups; as `one-worker.mjs` has them. */
const jobsOf = (count: number): Job[] =>
  Array.from({ length: count }, (_, i) => ({ id: `job-${i}`, group: `model-${i % 10}`, seconds: 1 }))

const folderOf = (name: string): string => {
  const folder = path(name)
  mkdirSync(join(folder, 'out'), { recursive: true })
  return folder
}
interface Ended {
  readonly event: string
  readonly job?: string
  readonly worker: string
}
const eventsOf = (folder: string): Ended[] =>
  (existsSync(join(folder, 'events')) ? readdirSync(join(folder, 'events')) : []).flatMap((name) =>
    readFileSync(join(folder, 'events', name), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Ended),
  )
const endsOf = (folder: string): string[] =>
  eventsOf(folder).flatMap(({ event, job }) => (event === 'done' || event === 'failed' ? [job ?? ''] : []))
const endedBy = (folder: string, worker: string): number =>
  eventsOf(folder).filter((one) => one.event === 'done' && one.worker === worker).length
const done = async (): Promise<{ state: 'done' }> => ({ state: 'done' })

describe('one worker', () => {
  test('does each job once, group by group, and says how it went', async () => {
    const folder = folderOf('one')
    const seen: Job[] = []
    const summary = await work(
      jobsOf(40),
      async (job) => {
        seen.push(job)
        if (job.id === 'job-7') throw new Error('broken')
        return job.id === 'job-3' ? { state: 'failed', what: 'not today' } : { state: 'done' }
      },
      { folder, worker: 'a' },
    )
    expect(summary).toEqual({ done: 38, failed: 2, stopped: false })
    expect(seen.map(({ group }) => group).filter((group, i, all) => group !== all[i - 1])).toHaveLength(10)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(40)
    const { done, failed, running, workers, secondsLeft } = await status(folder, jobsOf(40))
    expect([
      done,
      failed.map(({ id, what }) => `${id}: ${what}`).sort(),
      running,
      workers.map(({ name }) => name),
      secondsLeft,
    ]).toEqual([38, ['job-3: not today', expect.stringMatching(/^job-7: .*broken/)], [], ['a'], 0])
    expect(readdirSync(join(folder, 'jobs')).filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  test('leaves what is finished, and tries failed jobs again when they are forgotten', async () => {
    const folder = folderOf('again')
    const fail = async (): Promise<{ state: 'failed' }> => ({ state: 'failed' })
    await work(jobsOf(3), fail, { folder, worker: 'a' })
    expect(await work(jobsOf(5), done, { folder, worker: 'b' })).toEqual({ done: 2, failed: 0, stopped: false })
    expect(await forgetFailed(folder, jobsOf(5))).toBe(3)
    expect(await work(jobsOf(5), done, { folder, worker: 'b' })).toEqual({ done: 3, failed: 0, stopped: false })
  })

  test('a failure is no pace: jobs that fail at once leave the rate to those that are done', async () => {
    const folder = folderOf('pace')
    const fails = (id: string): boolean => Number(id.slice(4)) < 8
    await work(jobsOf(10), async ({ id }) => ({ state: fails(id) ? 'failed' : 'done' }), { folder, worker: 'a' })
    const ends = eventsOf(folder).filter(({ event }) => event === 'done') as (Ended & { at: number })[]
    const first = Math.min(
      ...(eventsOf(folder) as (Ended & { at: number })[]).flatMap(({ event, at }) => (event === 'claimed' ? [at] : [])),
    )
    const elapsed = Math.max(1e-3, (Math.max(...ends.map(({ at }) => at)) - first) / 1000)
    const { rate, secondsLeft } = await status(folder, jobsOf(14))
    // two of ten are done, and four are left: twice the time of those two
    expect([rate, secondsLeft]).toEqual([expect.closeTo(2 / elapsed, 6), expect.closeTo(2 * elapsed, 6)])
  })

  test.each(['', '{"state"', '[]', '{}'])('%j is no finished job: the fault says what to do', async (text) => {
    const folder = folderOf(`torn-${text.length}`)
    await work(jobsOf(1), done, { folder, worker: 'a' })
    writeFileSync(join(folder, 'jobs', 'job-0.json'), text)
    await expect(status(folder, jobsOf(1))).rejects.toMatchObject({
      code: 'result.invalid',
      hint: expect.stringContaining('delete it'),
    })
  })

  test('told to stop it gives its claim back, and the job is not finished', async () => {
    const folder = folderOf('stopped')
    const stop = new AbortController()
    const summary = await work(
      jobsOf(5),
      async (_, signal) => {
        stop.abort()
        signal.throwIfAborted()
        return { state: 'done' }
      },
      { folder, worker: 'a', signal: stop.signal },
    )
    expect(summary).toEqual({ done: 0, failed: 0, stopped: true })
    expect(readdirSync(join(folder, 'jobs'))).toEqual([])
    expect(await work(jobsOf(5), done, { folder, worker: 'b' })).toMatchObject({ done: 5 })
  })

  test('a name that is no name of a file is refused', async () => {
    await expect(work(jobsOf(1), done, { folder: folderOf('name'), worker: '../a' })).rejects.toThrow(
      /not a valid name of a worker/,
    )
  })
})

describe('workers on one folder', () => {
  test('two in one process: no job is begun by both', async () => {
    const folder = folderOf('two')
    const begun: string[] = []
    const run = async ({ id }: Job): Promise<{ state: 'done' }> => {
      begun.push(id)
      await turn()
      return { state: 'done' }
    }
    const both = await Promise.all(['a', 'b'].map((worker) => work(jobsOf(60), run, { folder, worker })))
    expect(begun.toSorted()).toEqual(
      jobsOf(60)
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(both.reduce((sum, { done: own }) => sum + own, 0)).toBe(60)
    expect(both.every(({ done: own }) => own > 0)).toBe(true)
  })

  test('a claim of a process that is dead is taken up; one of a process that lives is waited for', async () => {
    const folder = folderOf('dead')
    mkdirSync(join(folder, 'jobs'), { recursive: true })
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => child.on('close', resolve))
    const held = path('held')
    mkdirSync(join(held, 'jobs'), { recursive: true })
    const own = await lockText(held)
    writeFileSync(join(folder, 'jobs', 'job-0.lock'), own.replace(String(process.pid), String(child.pid)))
    expect(await work(jobsOf(1), done, { folder, worker: 'a' })).toMatchObject({ done: 1 })
  })

  test('eight processes, killed at random and started again: every job is finished, none twice, with the same files as of one', async () => {
    const folder = folderOf('eight')
    const count = 400
    const command = [process.execPath, script, folder, String(count), '2']
    // kill −9 of one after another while they work; others go on, and new ones come
    const children = Array.from({ length: 6 }, (_, i) =>
      spawn(process.execPath, [...command.slice(1), '--worker', `killed-${i}`], { stdio: 'ignore' }),
    )
    const all = startWorkers({ command, count: 2, name: 'kept' })
    for (const [i, child] of children.entries()) {
      await until(() => endedBy(folder, `killed-${i}`) > 4 * i || endsOf(folder).length === count)
      child.kill('SIGKILL')
    }
    const exits = await all
    expect(exits.map(({ code }) => code)).toEqual([0, 0])
    const ends = endsOf(folder)
    expect(new Set(ends).size).toBe(ends.length)
    const { done: finished, failed } = await status(folder, jobsOf(count))
    expect([finished, failed.length]).toEqual([396, 4])
    const single = folderOf('single')
    const [exit] = await startWorkers({
      command: [process.execPath, script, single, String(count), '0'],
      count: 1,
      name: 'one',
    })
    expect(exit?.code).toBe(0)
    const outputs = (where: string): string[] =>
      readdirSync(join(where, 'out'))
        .sort()
        .map((name) => `${name} ${readFileSync(join(where, 'out', name), 'utf8')}`)
    expect(outputs(folder)).toEqual(outputs(single))
  })

  test('SIGTERM: each gives back what it holds and ends', async () => {
    const folder = folderOf('term')
    const stop = new AbortController()
    const all = startWorkers({
      command: [process.execPath, script, folder, '200', '40'],
      count: 2,
      name: 'w',
      signal: stop.signal,
    })
    await until(() => ['w-1', 'w-2'].every((worker) => endedBy(folder, worker) > 0))
    stop.abort()
    expect((await all).map(({ code }) => code)).toEqual([0, 0])
    expect(readdirSync(join(folder, 'jobs')).filter((name) => !name.endsWith('.json'))).toEqual([])
    const { done: finished } = await status(folder, jobsOf(200))
    expect(finished).toBeLessThan(200)
    expect(finished).toBeGreaterThan(0)
  })
})

/** What a lock of this process says. */
async function lockText(folder: string): Promise<string> {
  let text = ''
  await work(
    jobsOf(1),
    async () => {
      text = readFileSync(join(folder, 'jobs', 'job-0.lock'), 'utf8')
      return { state: 'done' }
    },
    { folder, worker: 'x' },
  )
  return text
}

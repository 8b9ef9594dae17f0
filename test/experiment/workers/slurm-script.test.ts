import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Job, type ScriptOptions, slurmScript, walltime, workersFor } from '#experiment/workers'
import { scratchFolder } from '../../scratch.ts'
import { until } from '../../until.ts'

const { path, file } = scratchFolder()
const options: ScriptOptions = {
  name: 'mine',
  count: 3,
  folder: '/project',
  logs: '/project/logs',
  command: ['strata', 'run', 'e.yaml'],
}
const program = (name: string, lines: string): void => chmodSync(file(name, `#!/bin/bash\n${lines}\n`), 0o755)

describe('the script', () => {
  test('asks for what is asked, and for nothing else', () => {
    const lines = slurmScript(options).split('\n')
    expect(lines.filter((line) => line.startsWith('#SBATCH'))).toEqual([
      '#SBATCH --job-name=mine',
      '#SBATCH --array=0-2',
      '#SBATCH --chdir=/project',
      '#SBATCH --output=/project/logs/%A_%a.log',
      '#SBATCH --open-mode=append',
      '#SBATCH --signal=B:TERM@60',
      '#SBATCH --requeue',
    ])
    const whole = slurmScript({
      ...options,
      partition: 'gpu',
      time: '1-12',
      cpus: 8,
      gpus: 1,
      memory: '16G',
      setup: ['module load node', 'export A="b c"'],
    })
    for (const line of ['--partition=gpu', '--time=1-12', '--cpus-per-task=8', '--gpus=1', '--mem=16G'])
      expect(whole).toContain(`#SBATCH ${line}\n`)
    expect(whole).toContain('\nmodule load node\nexport A="b c"\n')
  })

  test('hands on names as they are, whatever is in them', () => {
    const hostile = ["it's", 'a b', '$HOME', '`id`', '"; rm -rf /', 'x\ny', '*', '\\']
    program('print', `printf '%s\\0' "$@" > "${path('seen')}"`)
    const script = slurmScript({ ...options, command: [path('print'), ...hostile] })
    const { status } = spawnSync('bash', {
      input: script,
      env: { ...process.env, SLURM_ARRAY_JOB_ID: '7', SLURM_ARRAY_TASK_ID: '1' },
    })
    expect([status, readFileSync(path('seen'), 'utf8').split('\0').slice(0, -1)]).toEqual([
      0,
      [...hostile, '--worker', 'slurm-7-1'],
    ])
  })

  test('quotes paths for Slurm, and refuses what is no line', () => {
    expect(slurmScript({ ...options, folder: '/a "b" c\\d', logs: '/100%/logs' })).toMatch(
      /--chdir="\/a \\"b\\" c\\\\d"\n#SBATCH --output=\/100%%\/logs\/%A_%a\.log/,
    )
    expect(() => slurmScript({ ...options, partition: 'a\n#SBATCH --uid=0' })).toThrow(
      expect.objectContaining({ code: 'usage.value' }),
    )
    expect(() => slurmScript({ ...options, time: 'soon' })).toThrow(/not a time – soon/)
    expect(() => slurmScript({ ...options, time: '2:59' })).toThrow(/too short/)
    expect(slurmScript({ ...options, time: '3' })).toContain('#SBATCH --time=3\n')
  })

  test('tells the worker’s exit code', () => {
    program('fails', 'exit 3')
    expect(spawnSync('bash', { input: slurmScript({ ...options, command: [path('fails')] }) }).status).toBe(3)
  })

  test.each([
    ['RUNNING', true],
    ['CANCELLED', false],
    ['PENDING', false],
  ])('told to end while %s: the worker ends first; queued again: %s', async (state, again) => {
    const own = `told-${state}`
    mkdirSync(path(own))
    program(`${own}/squeue`, `echo ${state}`)
    program(`${own}/scontrol`, `echo "$@" > "${path(`${own}/again`)}"`)
    program(
      `${own}/worker`,
      `trap 'sleep 0.3; touch "${path(`${own}/ended`)}"; exit 0' TERM\ntouch "${path(`${own}/begun`)}"\nwhile true; do sleep 0.05; done`,
    )
    const script = file(`${own}/script.sh`, slurmScript({ ...options, command: [path(`${own}/worker`)] }))
    const child = spawn('bash', [script], {
      env: { ...process.env, PATH: `${path(own)}:${process.env['PATH'] ?? ''}`, SLURM_JOB_ID: '9' },
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await until(() => existsSync(path(`${own}/begun`)))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect([existsSync(path(`${own}/ended`)), existsSync(path(`${own}/again`))]).toEqual([true, again])
  })
})

/** Whether a signal has not reached the process yet, as Linux tells it (proc(5)); elsewhere nobody can say. */
function isSignalPending(pid: number | undefined): boolean {
  try {
    return /^S(ig|hd)Pnd:\s*0*[1-9a-f]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('told twice: the worker ends first all the same', async () => {
  program(
    'slow',
    `trap 'touch "${path('slow-told')}"; until [ -e "${path('slow-may-end')}" ]; do sleep 0.05; done; touch "${path('slow-ended')}"; exit 0' TERM\ntouch "${path('slow-begun')}"\nwhile true; do sleep 0.05; done`,
  )
  const child = spawn('bash', [file('twice.sh', slurmScript({ ...options, command: [path('slow')] }))], {
    env: { ...process.env, SLURM_JOB_ID: '9' },
    // a pipe would be held open by the worker
    stdio: 'ignore',
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  await until(() => existsSync(path('slow-begun')))
  child.kill('SIGTERM')
  await until(() => existsSync(path('slow-told')))
  child.kill('SIGTERM')
  await until(() => !isSignalPending(child.pid))
  child.kill('SIGTERM')
  await until(() => !isSignalPending(child.pid))
  file('slow-may-end', '')
  expect([await ended, existsSync(path('slow-ended'))]).toEqual([0, true])
})

describe('how many workers', () => {
  const jobs = (sizes: readonly number[]): Job[] =>
    sizes.map((seconds, i) => ({ id: String(i), group: `g${i}`, seconds }))

  test.each([
    ['90', 5400],
    ['90:30', 5430],
    ['4:00:00', 14_400],
    ['2-12', 216_000],
    ['1-02:30', 95_400],
  ])('%s is %d seconds', (text, seconds) => {
    expect(walltime(text)).toBe(seconds)
  })

  test('groups are packed whole into the walltime, the largest first', () => {
    // 70 + 30, 60 + 40, 50
    expect(workersFor(jobs([30, 40, 50, 60, 70]), { seconds: 100 })).toBe(3)
    expect(workersFor(jobs([250]), { seconds: 100 })).toBe(1)
    expect(workersFor([...jobs([250]), ...jobs([10, 10, 10])], { seconds: 100 })).toBe(3)
  })

  test('as many as groups without a time; never more than jobs, or than allowed; one where nothing is left', () => {
    const grouped = jobs([1, 1, 1, 1]).map((job, i) => ({ ...job, group: `g${i % 2}` }))
    expect([workersFor(grouped), workersFor(jobs([1, 1, 1]), { most: 2 }), workersFor([])]).toEqual([2, 2, 1])
  })
})

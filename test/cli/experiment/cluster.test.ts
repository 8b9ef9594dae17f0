import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeLock } from '#platform/disk'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { counting } from '../../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../../scratch.ts'
import { hasSlurm, slurm } from '../../slurm.ts'
import { until } from '../../until.ts'
import { type Ran, type RunOptions, strata } from '../program.ts'

const { path, file } = scratchFolder()
const cluster = slurm()

beforeAll(async () => {
  for (const [k, step] of ['step1', 'step10'].entries()) {
    const words = counting(7, 4)
    const values = Float32Array.from(words.values, (value, i) => value + 0.3 * k * Math.sin(3 * i + k))
    await writeSmallModel(path(`run/${step}`), {
      'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
    })
  }
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  file(
    'pairs.csv',
    [
      'first,second,rating',
      ...Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 5) % 11}`),
    ].join('\n'),
  )
  file('corpus.txt', Array.from({ length: 12 }, (_, i) => text(i + 1)).join('\n'))
  file(
    'pairs.yaml',
    'name: Pairs\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
  experiment('experiment.yaml', 20)
  // of 42 jobs all may be finished before a second program has begun
  experiment('longer.yaml', 120)
})

/** Of two checkpoints one sweep, and as many times `seeds` combinations of layers. */
function experiment(name: string, seeds: number): void {
  file(
    name,
    [
      `models: ${path('run')}`,
      'revisions: all',
      'task_files: pairs.yaml',
      'aggregate: { methods: [mean, weighted, cluster], lambda: [0.1, 0.5], quality: diagonal, corpus: corpus.txt }',
      `seeds: [${Array.from({ length: seeds }, (_, i) => i + 1).join(', ')}]`,
      'slurm: { time: "0:10:00", cpus: 1, setup: [echo from the setup] }',
    ].join('\n'),
  )
}

const ran = (
  folder: string,
  flags: readonly string[] = [],
  { name = 'experiment.yaml', ...options }: RunOptions & { name?: string } = {},
): Promise<Ran> =>
  strata(['run', path(name), '--out', path(folder), '--cache-dir', path('cache'), '--quiet', ...flags], options)

const finishedIn = (folder: string): string[] =>
  existsSync(path(`${folder}/jobs`)) ? readdirSync(path(`${folder}/jobs`)).filter((name) => name.endsWith('.json')) : []

function eventsIn(folder: string): { event: string; worker: string; job?: string }[] {
  return readdirSync(path(`${folder}/events`)).flatMap((name) =>
    readFileSync(path(`${folder}/events/${name}`), 'utf8')
      .split('\n')
      // what follows the last end of a line is still being written
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { event: string; worker: string; job?: string }),
  )
}

function scoresIn(folder: string): Record<string, unknown> {
  const files = readdirSync(path(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('Pairs.json'),
  )
  return Object.fromEntries(
    files
      .sort()
      .map((name) => [
        name,
        (JSON.parse(readFileSync(path(`${folder}/${name}`), 'utf8')) as { scores: unknown }).scores,
      ]),
  )
}

/** Each look starts a program. */
const slowly = { milliseconds: 100 }

describe.skipIf(!hasSlurm)('on a real Slurm of two nodes', () => {
  test('an array job does every job once; a task queued again in the middle goes on; the scores are those of one process', async () => {
    const { env, run } = await cluster()
    await ran('alone')
    // nobody is done before this job is: no worker can do all while the other one is not there
    mkdirSync(path('shared folder/jobs'), { recursive: true })
    const last = await takeLock(path(`shared folder/jobs/${finishedIn('alone')[0]?.replace('.json', '.lock')}`), {
      giveUp: () => true,
    })
    const { code, stdout } = await ran('shared folder', ['--on', 'slurm', '--workers', '2'], { env })
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^array \d+ of 2 workers, logs in .*shared folder\/logs\n/),
    ])
    const id = /array (\d+)/.exec(stdout)?.[1] ?? ''
    const queued = (): string[] =>
      run('squeue', '--array', '--noheader', '--format', '%i %T')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
    const starts = (task: number): number =>
      existsSync(path('shared folder/events'))
        ? eventsIn('shared folder').filter((one) => one.event === 'started' && one.worker === `slurm-${id}-${task}`)
            .length
        : 0
    await until(() => starts(0) === 1 && starts(1) === 1, slowly)
    run('scontrol', 'requeue', `${id}_0`)
    await until(() => queued().includes(`${id}_0 PENDING`), slowly)
    expect(queued()).toContain(`${id}_0 PENDING`)
    const refused = await ran('shared folder', ['--on', 'slurm'], { env })
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`array ${id} is already running the jobs`),
    ])
    const asked = await ran('shared folder', ['--status'], { env })
    expect(asked.stdout).toMatch(new RegExp(String.raw`slurm {4}${id}_0  pending`))
    await until(() => starts(0) === 2 || !queued().some((line) => line.startsWith(`${id}_0 `)), slowly)
    expect(starts(0)).toBe(2)
    await last?.release()
    await until(() => queued().length === 0, slowly)
    expect(queued()).toEqual([])

    expect(last).toBeDefined()
    expect(finishedIn('shared folder')).toHaveLength(42)
    expect(scoresIn('shared folder/results')).toEqual(scoresIn('alone/results'))
    const events = eventsIn('shared folder')
    const done = events.filter(({ event }) => event === 'done').map(({ job }) => job)
    // a worker that is killed after it kept a job may not have told of it
    expect([done.length, done.length >= 41]).toEqual([new Set(done).size, true])
    expect([starts(0), starts(1)]).toEqual([2, 1])
    expect(new Set(events.map(({ worker }) => worker)).size).toBe(2)
    expect(readFileSync(path(`shared folder/logs/${id}_1.log`), 'utf8')).toContain('from the setup')
  })

  test('taken back: the workers give back what they hold, and the rest can be done elsewhere', async () => {
    const { env, run } = await cluster()
    const [name, all] = ['longer.yaml', 242]
    await ran('taken', ['--on', 'slurm', '--workers', '2'], { env, name })
    await until(() => finishedIn('taken').length >= 2)
    const { stdout } = await ran('taken', ['--cancel'], { env, name })
    expect(stdout).toMatch(/^array \d+ of 2 is cancelled/)
    await until(() => run('squeue', '--noheader').trim() === '', slowly)
    const left = all - finishedIn('taken').length
    expect([left > 0, run('squeue', '--noheader').trim()]).toEqual([true, ''])
    const { code } = await ran('taken', [], { name })
    expect([code, finishedIn('taken').length]).toEqual([0, all])
    const again = await ran('taken', ['--cancel'], { env, name })
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no array job was submitted from here')])
  })

  test('what Slurm refuses is told in its words', async () => {
    const { env } = await cluster()
    const { code, stderr } = await ran('refused', ['--on', 'slurm', '--partition', 'nowhere'], { env })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cluster\.refused {2}sbatch: .*invalid partition/i)])
  })
})

test('the script is printed before it is handed in; flags win over the file', async () => {
  const { code, stdout } = await ran('printed', [
    '--on',
    'slurm',
    '--dry-run',
    '--cpus',
    '4',
    '--memory',
    '8G',
    '--setup',
    'module load node',
    '--workers',
    '3',
  ])
  expect([code, existsSync(path('printed'))]).toEqual([0, false])
  for (const line of [
    '#SBATCH --array=0-2',
    '#SBATCH --time=0:10:00',
    '#SBATCH --cpus-per-task=4',
    '#SBATCH --mem=8G',
    'module load node',
  ])
    expect(stdout.split('\n')).toContain(line)
  expect(stdout).toMatch(
    / run \S*experiment\.yaml --out \S*printed --cache-dir \S*cache --threads 4 --device cpu --worker "slurm-\$SLURM_ARRAY_JOB_ID-\$SLURM_ARRAY_TASK_ID" &/,
  )
  expect(stdout).not.toContain('from the setup')
})

test('without Slurm it says so', async () => {
  const { code, stderr } = await ran('without', ['--on', 'slurm'], { env: { PATH: '/nowhere' } })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/cluster\.missing {2}sbatch: Slurm is not installed here/)])
})

import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, type RunOptions, strata } from './program.ts'

const { path, file } = scratchFolder()
const steps = ['step1', 'step10', 'step100']

/** Pairs of words that the model knows, rated by one rule or another. */
function pairs(name: string, rating: (i: number) => number): void {
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  const lines = Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${rating(i)}`)
  file(`${name}.csv`, `${['first,second,rating', ...lines].join('\n')}\n`)
  file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: ${name}.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}

beforeAll(async () => {
  for (const [k, step] of steps.entries()) {
    const words = counting(7, 4)
    const values = Float32Array.from(words.values, (value, i) => value + 0.3 * k * Math.sin(3 * i + k))
    await writeSmallModel(path(`run/${step}`), {
      'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
    })
  }
  for (const [k, name] of ['One', 'Two'].entries()) pairs(name, (i) => (i * (5 + 2 * k)) % (11 + k))
  file(
    'corpus.txt',
    Array.from({ length: 12 }, (_, i) => `${'a '.repeat(1 + (i % 4))}${'b '.repeat(i % 3)}`).join('\n'),
  )
  file('experiment.yaml', text(''))
})

const text = (more: string): string =>
  `models: ${path('run')}\nrevisions: all\ntask_files: [One.yaml, Two.yaml]\n${more}`
const ran = (name: string, folder: string, flags: readonly string[] = [], options: RunOptions = {}): Promise<Ran> =>
  strata(['run', path(name), '--out', path(folder), '--cache-dir', path('cache'), '--quiet', ...flags], options)

/** Every result below a folder: its path without the folder of the hash of its settings, and what it scored. */
function scoresIn(folder: string): Record<string, unknown> {
  const files = readdirSync(path(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:One|Two)\.json$/.test(name),
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
/** Those that are finished; a process killed at its claim leaves a file of its own there, which nobody reads. */
const jobsIn = (folder: string): string[] =>
  readdirSync(path(`${folder}/jobs`))
    .filter((name) => name.endsWith('.json'))
    .sort()

describe('strata run', () => {
  test('writes the results that strata layers writes', async () => {
    const { code, stdout } = await ran('experiment.yaml', 'one')
    expect([code, stdout.split('\n')[0]]).toEqual([0, `6 of 6 jobs done; in ${path('one')}/`])
    expect(stdout).toContain(`strata report ${path('one')} --out ${path('one')}/report.html shows the results`)
    for (const step of steps)
      await strata([
        'layers',
        path(`run/${step}`),
        '--task-file',
        path('One.yaml'),
        '--task-file',
        path('Two.yaml'),
        '--results',
        path('layers'),
        '--quiet',
      ])
    const scores = scoresIn('one/results')
    expect(Object.keys(scores)).toHaveLength(steps.length * 2 * 3)
    expect(scores).toEqual(expect.objectContaining(scoresIn('layers')))
    expect(readFileSync(path('one/experiment.yaml'), 'utf8')).toBe(readFileSync(path('experiment.yaml'), 'utf8'))
  })

  test('what is finished is not done again; what the file says more is', async () => {
    const written = (folder: string): number[] =>
      jobsIn(folder).map((name) => statSync(path(`${folder}/jobs/${name}`)).mtimeMs)
    await ran('experiment.yaml', 'again')
    const before = written('again')
    const { stdout } = await ran('experiment.yaml', 'again')
    expect([written('again'), stdout.split('\n')[0]]).toEqual([before, `6 of 6 jobs done; in ${path('again')}/`])
    file('more.yaml', text('max_length: 2\n'))
    await ran('more.yaml', 'again')
    expect(jobsIn('again')).toHaveLength(12)
    // another reading of the texts, on the same vectors' cache, is another score
    const [first, second] = [await scoresOf('experiment.yaml'), await scoresOf('more.yaml')]
    expect(second).not.toEqual(first)
  })

  test('two workers, one killed in the middle: the others’ results, none lost', async () => {
    file(
      'mixed.yaml',
      text(
        'aggregate: { methods: [mean, weighted, cluster], lambda: [0.1, 0.5], quality: diagonal, corpus: corpus.txt }\n',
      ),
    )
    await ran('mixed.yaml', 'alone')
    const half = (): boolean => existsSync(path('shared/jobs')) && jobsIn('shared').length >= 2
    await ran('mixed.yaml', 'shared', ['--worker', 'first'], { killWhen: half })
    const { code } = await ran('mixed.yaml', 'shared', ['--workers', '2'])
    expect([code, scoresIn('shared/results')]).toEqual([0, scoresIn('alone/results')])
    expect(jobsIn('shared')).toEqual(jobsIn('alone'))
    const { stdout } = await ran('mixed.yaml', 'shared', ['--status', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ jobs: 9, done: 9, failed: [], running: [], secondsLeft: 0 })
  })

  test('workers run where they are told to, or not at all', async () => {
    const { code } = await ran('experiment.yaml', 'elsewhere', ['--workers', '2', '--device', 'cuda'], {
      env: { CUDA_VISIBLE_DEVICES: '' },
    })
    expect(code).not.toBe(0)
    const { failed } = JSON.parse((await ran('experiment.yaml', 'elsewhere', ['--status', '--json'])).stdout) as {
      failed: unknown[]
    }
    expect([failed.length, JSON.stringify(failed)]).toEqual([6, expect.stringContaining('cuda')])
  })

  test('a plan of what it would cost, and nothing is written', async () => {
    const { code, stdout } = await ran('experiment.yaml', 'planned', ['--dry-run', '--json'])
    const { jobs, finished, costs } = JSON.parse(stdout) as {
      jobs: unknown[]
      finished: number
      costs: { jobs: number; plan: { entries: unknown[] } }[]
    }
    expect([code, jobs.length, finished, costs.map((cost) => [cost.jobs, cost.plan.entries.length])]).toEqual([
      0,
      6,
      0,
      steps.map(() => [2, 6]),
    ])
    expect(existsSync(path('planned'))).toBe(false)
    const told = await ran('experiment.yaml', 'one', ['--dry-run'])
    expect(told.stdout).toMatch(/experiment: 6 jobs, 6 done[^]*run\/step1 [^]*0 texts to encode/)
  })

  test('a model that does not open fails its jobs, and no others; --resume tries them again', async () => {
    await writeSmallModel(path('run/dumb'), {})
    renameSync(path('run/dumb/tokenizer.json'), path('tokenizer.json'))
    file(
      'broken.yaml',
      `models: [${path('run/step1')}, ${path('run/dumb')}]\nrepresentations: all\ntask_files: One.yaml\n`,
    )
    const { code, stdout } = await ran('broken.yaml', 'broken')
    expect([code, stdout.split('\n')[0]]).toEqual([1, `1 of 2 jobs done, 1 failed; in ${path('broken')}/`])
    expect(stdout).toMatch(/failed {3}\S*dumb {2}One: .*tokenizer/)
    renameSync(path('tokenizer.json'), path('run/dumb/tokenizer.json'))
    const again = await ran('broken.yaml', 'broken')
    expect(again.code).toBe(1)
    const resumed = await ran('broken.yaml', 'broken', ['--resume'])
    expect([resumed.code, resumed.stdout.split('\n')[0]]).toEqual([0, `2 of 2 jobs done; in ${path('broken')}/`])
  })

  test('mistakes are told line by line, and nothing is begun', async () => {
    file('wrong.yaml', 'modls: m\ntask_files: [One.yaml]\nseeds: -1\n')
    const { code, stderr } = await ran('wrong.yaml', 'wrong')
    expect([code, existsSync(path('wrong'))]).toEqual([2, false])
    expect(stderr.replaceAll(path(''), '')).toMatch(
      /2 mistakes\n {2}\/?wrong\.yaml:1:1: unknown key modls \(did you mean models\?\)\n {2}\/?wrong\.yaml:3:8: seeds/,
    )
  })

  test.each([
    [['--worker', 'a', '--workers', '2'], '--worker: cannot be combined with --workers or --on slurm'],
    [['--partition', 'long'], '--partition: needs --on slurm'],
    [['--workers', '2', '--time', '1:00:00'], '--time: needs --on slurm'],
    [['--setup', 'module load node', '--dry-run'], '--setup: needs --on slurm'],
    [['--dry-run', '--status'], '--dry-run: only one of these can be given – --status'],
    [['--status', '--cancel'], '--status: only one of these can be given – --cancel'],
  ])('refuses %j, which would be without effect', async (flags, words) => {
    const { code, stderr } = await ran('experiment.yaml', 'wrong', flags)
    expect([code, stderr, existsSync(path('wrong'))]).toEqual([2, expect.stringContaining(words), false])
  })
})

/** On the one cache, in a folder of its own. */
async function scoresOf(name: string): Promise<Record<string, unknown>> {
  await ran(name, `of-${name}`)
  return Object.fromEntries(
    Object.entries(scoresIn(`of-${name}/results`)).map(([at, scores]) => [
      at.replaceAll(/\/[0-9a-f]{12}\//g, '/'),
      scores,
    ]),
  )
}

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSmallModel } from '../../../experiment/encode/small-model.ts'
import { counting } from '../../../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../../../scratch.ts'
import { type Ran, type RunOptions, strata } from '../../program.ts'

const { path, file } = scratchFolder()
const steps = ['step1', 'step10', 'step100', 'step1000', 'main']

/** Pairs of words that the model knows, rated by one rule or another. */
function pairs(name: string, rating: (i: number) => number): string {
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  const lines = Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${rating(i)}`)
  file(`${name}.csv`, `${['first,second,rating', ...lines].join('\n')}\n`)
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: ${name}.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}

const metricNames = ['sentence_entropy', 'dataset_entropy', 'lidar', 'dime']
let tasks: string[] = []
beforeAll(async () => {
  for (const [k, step] of steps.entries()) {
    const words = counting(7, 4)
    // what training changed
    const values = Float32Array.from(words.values, (value, i) => value + 0.3 * k * Math.sin(3 * i + k))
    await writeSmallModel(path(`run/${step}`), {
      'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
    })
  }
  tasks = ['One', 'Two', 'Three', 'Four'].flatMap((name, k) => [
    '--task-file',
    pairs(name, (i) => (i * (5 + 2 * k)) % (11 + k)),
  ])
})

const searched = (
  folder: string,
  flags: readonly string[],
  { checkpoints = [path('run'), '--revisions', 'all'], ...options }: RunOptions & { checkpoints?: string[] } = {},
): Promise<Ran> =>
  strata(
    ['search', ...checkpoints, ...tasks, '--results', path(folder), '--cache-dir', path('cache'), '--quiet', ...flags],
    options,
  )

interface Pull {
  readonly arm: string
  readonly by: string
  readonly tasks: string[]
  readonly share?: number
  readonly scores: Record<string, number>
  readonly failed?: string
  readonly reward: number | null
  readonly reused: number
}
interface Report {
  readonly best: Pull[]
  readonly spent: number
  readonly failed: number
  readonly ended: string
  readonly baseline: { arm: string } | null
}

const pullsOf = (folder: string): Pull[] =>
  readFileSync(path(`${folder}/trajectory.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pull)
/** Whole lines that a run has written so far. */
const pullsKept = (folder: string): number =>
  existsSync(path(`${folder}/trajectory.jsonl`))
    ? readFileSync(path(`${folder}/trajectory.jsonl`), 'utf8').split('\n').length - 1
    : -1
/** Without what another run may take longer for, or find there. */
const trajectoryOf = (folder: string): string =>
  JSON.stringify(pullsOf(folder), (key, value: unknown) => (['seconds', 'reused'].includes(key) ? undefined : value))
const reportOf = ({ stdout }: Ran): Report =>
  (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { search: Report }).search

describe('means of layers as arms', () => {
  test('of every checkpoint, beside its layers; each is what strata evaluate scores under its name', async () => {
    const flags = ['--policy', 'sweep', '--means', '2', '--reward', 'raw', '--json']
    const report = reportOf(await searched('means', [...flags, '--budget', '100']))
    expect([report.spent, report.failed, report.ended]).toEqual([15, 0, 'no arm left'])
    const pulls = pullsOf('means')
    const means = pulls.filter(({ arm }) => arm.endsWith(' mean:0-1'))
    expect(means.map(({ arm }) => arm.split(' ')[0])).toEqual(steps)
    for (const { arm, scores } of means) {
      const folders = ['--results', path('means-alone'), '--cache-dir', path('means-cache')]
      const checkpoint = path(`run/${arm.split(' ')[0] ?? ''}`)
      const { stdout } = await strata([
        'evaluate',
        checkpoint,
        ...tasks,
        '--representation',
        'mean:0-1',
        ...folders,
        '--json',
        '--quiet',
      ])
      const alone = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { task_name: string; scores: { test: { main_score: number }[] } })
      expect(
        Object.fromEntries(alone.map(({ task_name: name, scores: { test: own } }) => [name, own[0]?.main_score])),
      ).toEqual(scores)
    }
    // no layer of a checkpoint has the scores of its mean
    const layers = pulls.filter(({ arm }) => !arm.includes('mean')).map(({ scores }) => JSON.stringify(scores))
    expect(means.filter(({ scores }) => layers.includes(JSON.stringify(scores)))).toEqual([])
    const without = await searched('means', ['--policy', 'sweep', '--reward', 'raw', '--json', '--budget', '100'])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('means')])
    const one = await searched('means-of-one', ['--means', '1,2'])
    expect([one.code, one.stderr]).toEqual([2, expect.stringMatching(/--means.*an average needs at least two layers/)])
  })
})

describe('strata search', () => {
  test('a sweep is what strata layers writes: it reads those results, and strata layers reads its', async () => {
    for (const step of steps.slice(0, 3)) {
      const { code } = await strata([
        'layers',
        path(`run/${step}`),
        ...tasks,
        '--results',
        path('grid'),
        '--cache-dir',
        path('cache'),
        '--quiet',
      ])
      expect(code).toBe(0)
    }
    const ran = await searched('grid', ['--policy', 'sweep', '--budget', '10', '--reward', 'raw', '--json'])
    const { best, ended, spent } = reportOf(ran)
    expect([ran.code, best.length, spent, ended]).toEqual([0, 10, 10, 'no arm left'])
    expect(pullsOf('grid').map(({ reused }) => reused)).toEqual([4, 4, 4, 4, 4, 4, 0, 0, 0, 0])
    expect(pullsOf('grid').map(({ arm }) => arm)).toEqual(steps.flatMap((step) => [`${step} h0`, `${step} h1`]))
    const { stdout } = await strata([
      'layers',
      path('run/main'),
      ...tasks,
      '--results',
      path('grid'),
      '--cache-dir',
      path('cache'),
      '--layers',
      '0',
    ])
    expect(stdout).toContain('4 results (4 reused)')
    // over the finished grid any search costs nothing
    await searched('grid', ['--policy', 'random', '--budget', '6', '--out', path('free')])
    expect(pullsOf('free').map(({ reused }) => reused)).toEqual([4, 4, 4, 4, 4, 4])
    expect(new Set(best.map(({ reward }) => reward)).size).toBeGreaterThan(5)
  })

  test('the baseline comes first and is charged; rewards are measured by it', async () => {
    const { best, spent, baseline } = reportOf(
      await searched('grid', [
        '--policy',
        'random',
        '--budget',
        '5',
        '--baseline',
        'step10',
        '--out',
        path('based'),
        '--json',
      ]),
    )
    const pulls = pullsOf('based')
    expect(pulls.slice(0, 3).map(({ arm, by }) => `${arm} ${by}`)).toEqual([
      'step10 h0 baseline',
      'step10 h1 baseline',
      `${pulls[2]?.arm} policy`,
    ])
    expect([spent, best.length, baseline?.arm.startsWith('step10 ')]).toEqual([5, 5, true])
    // of two layers the z are 1 and −1, task by task
    const of = (arm: string): number => best.find((pull) => pull.arm === arm)?.reward ?? Number.NaN
    expect(of('step10 h0') + of('step10 h1')).toBeCloseTo(0, 10)
  })

  test(
    'killed five times and resumed: the trajectory of one that was never disturbed',
    { timeout: 240_000 },
    async () => {
      const flags = [
        '--policy',
        'thompson',
        '--context',
        'effective_rank,mean_pairwise_cosine',
        '--budget',
        '9',
        '--seed',
        '3',
      ]
      expect((await searched('whole', flags)).code).toBe(0)
      for (const pulls of [0, 1, 3, 5, 8])
        await searched('killed', flags, { killWhen: () => pullsKept('killed') >= pulls })
      const { code } = await searched('killed', flags)
      expect([code, trajectoryOf('killed')]).toEqual([0, trajectoryOf('whole')])
      expect(pullsOf('killed')).toHaveLength(9)
      const summary = JSON.parse(readFileSync(path('killed/search.json'), 'utf8')) as {
        pulls: number
        ended: string
        best: { arm: string; reward: number }
        rewards: Record<string, number>
      }
      expect([summary.pulls, summary.ended, summary.best.arm]).toEqual([
        9,
        'budget',
        expect.stringMatching(/^(step\d+|main) h[01]$/),
      ])
      // what each arm is worth, for whoever asks the folder
      expect([Object.keys(summary.rewards).length, Math.max(...Object.values(summary.rewards))]).toEqual([
        9,
        summary.best.reward,
      ])
    },
  )

  test('what a kill cut short is made good, and a larger budget goes on', async () => {
    const flags = ['--policy', 'random', '--reward', 'raw']
    await searched('grid', [...flags, '--budget', '8', '--out', path('eight')])
    await searched('grid', [...flags, '--budget', '4', '--out', path('cut')])
    writeFileSync(
      path('cut/trajectory.jsonl'),
      `${readFileSync(path('cut/trajectory.jsonl'), 'utf8')}{"seq":4,"arm":"st`,
    )
    await searched('grid', [...flags, '--budget', '8', '--out', path('cut')])
    expect(trajectoryOf('cut')).toBe(trajectoryOf('eight'))
  })

  test.each(['linucb', 'linucb-disjoint', 'gp-ei', 'halving'])('%s spends its budget and no more', async (policy) => {
    const report = reportOf(
      await searched('grid', [
        '--policy',
        policy,
        // nothing is known of the arms of halving
        ...(policy === 'halving' ? [] : ['--context', 'effective_rank,anisotropy']),
        '--budget',
        '6',
        '--out',
        path(policy),
        '--json',
      ]),
    )
    expect(report.spent).toBeLessThanOrEqual(6)
    expect(report.spent).toBeGreaterThan(4)
    expect(report.best.length).toBeGreaterThan(1)
    expect(report.failed).toBe(0)
  })

  test(
    'halving over texts: a share of the rows has scores and names of its own, killed or not',
    { timeout: 240_000 },
    async () => {
      const flags = ['--policy', 'halving', '--limit', '0.25,0.5', '--budget', '8', '--reward', 'raw']
      const report = reportOf(await searched('texts', [...flags, '--json']))
      const pulls = pullsOf('texts')
      const arms = (share: number | undefined): string[] =>
        pulls.filter((pull) => pull.share === share).map(({ arm }) => arm)
      expect([arms(0.25).length, arms(0.5).length, arms(undefined).length]).toEqual([10, 5, 3])
      expect([report.spent, report.best.length, report.failed]).toEqual([8, 3, 0])
      const [winner = ''] = arms(undefined)
      const scoresOf = (share: number | undefined): unknown =>
        pulls.find((pull) => pull.arm === winner && pull.share === share)?.scores
      expect(new Set([0.25, 0.5, undefined].map((share) => JSON.stringify(scoresOf(share)))).size).toBe(3)
      // on the same ledger and cache the whole is what it is alone, and each share is found again
      const [step = '', layer = ''] = winner.split(' ')
      const alone = await strata([
        'layers',
        path(`run/${step}`),
        ...tasks,
        '--layers',
        layer.slice(1),
        '--results',
        path('alone'),
        '--cache-dir',
        path('other'),
        '--json',
      ])
      expect(alone.code).toBe(0)
      await searched('texts', ['--policy', 'sweep', '--budget', '10', '--reward', 'raw', '--out', path('after')])
      const swept = pullsOf('after')
      expect(swept.map(({ arm, reused }) => [arm, reused])).toEqual(
        swept.map(({ arm }) => [arm, arms(undefined).includes(arm) ? 4 : 0]),
      )
      expect(swept.find(({ arm }) => arm === winner)?.scores).toEqual(scoresOf(undefined))
      await searched('texts', [...flags, '--out', path('again')])
      expect(pullsOf('again').map(({ reused }) => reused)).toEqual(pulls.map(() => 4))
      for (const kept of [4, 11]) await searched('cut short', flags, { killWhen: () => pullsKept('cut short') >= kept })
      await searched('cut short', flags)
      expect(trajectoryOf('cut short')).toBe(trajectoryOf('texts'))
    },
  )

  test.each([
    [['--policy', 'linucb', '--limit', '0.5'], /usage\.conflict.*--limit: linucb scores every arm on all of the texts/],
    [['--policy', 'halving', '--limit', '0.5,2'], /--limit: must be shares – 0\.5,2, wanted numbers between 0 and 1/],
    [['--policy', 'halving', '--limit', ''], /--limit: must be shares – wanted/],
    [
      ['--policy', 'halving', '--limit', '0.5', '--tasks', 'MasakhaNEWSClusteringS2S'],
      /usage\.conflict.*--limit: .*MasakhaNEWSClusteringS2S/,
    ],
    [
      ['--replay', 'nowhere.jsonl', '--limit', '0.5'],
      /usage\.conflict.*recorded scores are of whole tasks, so shares cannot be replayed/,
    ],
    [['--replay', 'nowhere.jsonl', '--means', '2'], /usage\.conflict.*only the arms that were recorded/],
  ])('refuses %j', async (flags, words) => {
    const { code, stderr } = await searched('refused', flags)
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
  })

  test.each([
    ['linucb', 'last'],
    ['gp-ei', 'last'],
    ['linucb-disjoint', 'first'],
  ])('%s pulls arms without context %s, and they are told', async (policy, when) => {
    // of the first layers nothing is known, of one checkpoint nothing at all
    const known = ['step1', 'step10', 'step1000', 'main']
    const layers = (k: number): object => ({
      1: Object.fromEntries(metricNames.map((name, m) => [name, Math.sin(3 * k + m)])),
    })
    const metrics = file('metrics.json', JSON.stringify({ model: 'run', revision: known[0], layers: layers(0) }))
    const lines = file(
      'metrics.jsonl',
      known.map((revision, k) => `${JSON.stringify({ model: 'run', revision, layers: layers(k) })}\n`).join(''),
    )
    const flags = ['--policy', policy, '--reward', 'raw', '--budget', '10', '--out', path(`unknown-${policy}`)]
    const ran = await searched('grid', [...flags, '--context', lines])
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('6 arms without a context.')])
    const order = pullsOf(`unknown-${policy}`).map(({ arm }) => arm)
    const has = (arm: string): boolean => arm.endsWith(' h1') && !arm.startsWith('step100 ')
    const [before, after] = when === 'last' ? [order.slice(0, 4), order.slice(4)] : [order.slice(6), order.slice(0, 6)]
    expect([before.every(has), after.some(has), order.length]).toEqual([true, false, 10])
    // one arm that is known is enough for it to go on
    const lone = reportOf(
      await searched('grid', [
        '--policy',
        policy,
        '--reward',
        'raw',
        '--budget',
        '3',
        '--out',
        path(`lone-${policy}`),
        '--json',
        '--context',
        metrics,
      ]),
    )
    expect([lone.best.length, lone.failed]).toEqual([3, 0])
  })

  test('other settings in the same folder are refused, by name', async () => {
    await searched('grid', ['--policy', 'random', '--budget', '4', '--out', path('mine')])
    const { code, stderr } = await searched('grid', [
      '--policy',
      'random',
      '--seed',
      '9',
      '--budget',
      '4',
      '--out',
      path('mine'),
    ])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(
      /usage\.conflict.*the folder contains another search: its seed differs – 42, wanted 9[^]*--out FOLDER/,
    )
  })

  test('so is another way to read the models, and another folder behind the same names', async () => {
    const flags = ['--policy', 'random', '--budget', '4', '--out', path('read')]
    expect((await searched('grid', flags)).code).toBe(0)
    const otherwise = await searched('grid', [...flags, '--max-length', '4'])
    expect(otherwise.code).not.toBe(0)
    expect(otherwise.stderr).toMatch(/the folder contains another search: its model differs/)
    // the baseline is the same, its neighbours are not said to be
    cpSync(path('run'), path('twin'), { recursive: true })
    const twin = await searched('grid', flags, { checkpoints: [path('twin'), '--revisions', 'all'] })
    expect(twin.code).not.toBe(0)
    expect(twin.stderr).toMatch(/the folder contains another search: its references differs/)
  })

  test('pulls of changed inputs are made again: checkpoints, baseline or not, and rows', async () => {
    cpSync(path('run'), path('moving'), { recursive: true })
    file('moving.csv', readFileSync(path('One.csv'), 'utf8'))
    const task = file('moving.yaml', readFileSync(path('One.yaml'), 'utf8').replace(/One/g, 'moving'))
    const shared = ['--task-file', task, '--cache-dir', path('cache')]
    const rewards = async (name: string): Promise<{ rewards: string; stderr: string }> => {
      const flags = ['--revisions', 'all', '--policy', 'sweep', '--budget', '10', '--results', path(name)]
      const { stderr } = await strata(['search', path('moving'), ...shared, ...flags])
      const summary = JSON.parse(readFileSync(path(`${name}/search.json`), 'utf8')) as { rewards: object }
      return { rewards: JSON.stringify(summary.rewards), stderr }
    }
    let before = (await rewards('moved')).rewards
    for (const [k, change] of [
      () => cpSync(path('run/step1'), path('moving/step100'), { recursive: true }),
      () => cpSync(path('run/step1'), path('moving/main'), { recursive: true }),
      () => writeFileSync(path('moving.csv'), readFileSync(path('Two.csv'))),
    ].entries()) {
      change()
      const again = await rewards('moved')
      const fresh = await rewards(`moved-${k}`)
      expect(fresh.rewards).not.toBe(before)
      expect(again.rewards).toBe(fresh.rewards)
      expect(again.stderr).toMatch(/notice {2}.*: \d+ pulls are made again/)
      before = fresh.rewards
    }
    expect((await rewards('moved')).stderr).not.toMatch(/made again/)
    // scores that another command has made anew in the same ledger
    cpSync(path('run/step10'), path('moving/step1000'), { recursive: true })
    await strata(['layers', path('moving/step1000'), ...shared, '--results', path('moved')])
    expect((await rewards('moved')).rewards).toBe((await rewards('moved-last')).rewards)
    // a checkpoint that lacks a layer now: its arm fails, as in a folder of its own
    await writeSmallModel(path('moving/step100'), { 'config.json': { num_hidden_layers: 0 } })
    expect((await rewards('moved')).rewards).toBe((await rewards('moved-shallow')).rewards)
  })

  test('counts arms that share the best reward, and names the unscored baseline where the seconds end first', async () => {
    const flags = [
      '--revisions',
      'all',
      '--policy',
      'sweep',
      '--budget',
      '10',
      '--clip',
      '0.001',
      '--baseline',
      'step10',
    ]
    const folders = ['--results', path('tied'), '--cache-dir', path('cache')]
    const tied = await strata(['search', path('run'), ...tasks.slice(0, 2), ...flags, ...folders])
    expect(tied.stdout).toMatch(/\d arms share the best reward, the bound of --clip 0\.001/)
    const early = await searched('early', ['--policy', 'sweep', '--budget', '10', '--budget-seconds', '0.000001'])
    expect(early.stdout).toMatch(/No arm has a reward: \d layers? of the baseline.*--budget-seconds/)
  })

  test('a failed pull is tried again, and what followed from it is chosen anew', async () => {
    cpSync(path('run'), path('away'), { recursive: true })
    const flags = ['--policy', 'sweep', '--budget', '10', '--json']
    const checkpoints = [path('away'), '--revisions', steps.join(',')]
    renameSync(path('away/step10/model.safetensors'), path('away/later.safetensors'))
    const first = await searched('mended', flags, { checkpoints })
    expect([first.code, reportOf(first).failed]).toEqual([1, 2])
    // still away: the same pulls
    const kept = trajectoryOf('mended')
    expect((await searched('mended', flags, { checkpoints })).code).toBe(1)
    expect(trajectoryOf('mended')).toBe(kept)
    renameSync(path('away/later.safetensors'), path('away/step10/model.safetensors'))
    const second = await searched('mended', flags, { checkpoints })
    expect([second.code, reportOf(second).failed]).toEqual([0, 0])
    await searched('never-away', flags, { checkpoints })
    expect(trajectoryOf('mended')).toBe(trajectoryOf('never-away'))
  })

  test('metrics that are other than they were, and pulls without their settings, are refused', async () => {
    const flags = ['--policy', 'linucb', '--reward', 'raw', '--budget', '4']
    const metrics = (factor: number): string =>
      file(
        'told.jsonl',
        steps
          .map((revision, k) => ({
            model: 'run',
            revision,
            layers: { 1: Object.fromEntries(metricNames.map((name, m) => [name, Math.sin(factor * k + m)])) },
          }))
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      )
    const told = ['--context', metrics(3), '--out', path('told')]
    expect((await searched('grid', [...flags, ...told])).code).toBe(0)
    expect((await searched('grid', [...flags, ...told])).code).toBe(0)
    metrics(5)
    const other = await searched('grid', [...flags, ...told])
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/the folder contains another search: its features differs/),
    ])
    metrics(3)
    rmSync(path('told/search.json'))
    const lost = await searched('grid', [...flags, ...told])
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/search\.json is gone[^]*remove trajectory/)])
  })

  test('a checkpoint that cannot be opened is a failed arm, and the search goes on', async () => {
    mkdirSync(path('broken/step2'), { recursive: true })
    writeFileSync(path('broken/step2/config.json'), '{"model_type": "bert"')
    const checkpoints = [path('run/step1'), path('broken/step2'), path('run/step10')]
    const ran = await searched('failing', ['--policy', 'sweep', '--budget', '6', '--json'], { checkpoints })
    const pulls = pullsOf('failing')
    expect([ran.code, pulls.length, reportOf(ran).failed]).toEqual([1, 6, 2])
    expect(pulls.filter(({ failed }) => failed !== undefined).map(({ arm }) => arm)).toEqual(['step2 h0', 'step2 h1'])
    expect(pulls.find(({ arm }) => arm === 'step2 h0')?.failed).toMatch(/broken\/step2: no weights/)
  })

  test('settings of a merge are checkpoints, and no model is written', async () => {
    file(
      'slerp.yml',
      `merge_method: slerp\nbase_model: ${path('run/step1')}\nmodels:\n  - model: ${path('run/step1')}\n  - model: ${path('run/main')}\nparameters:\n  t: 0\ndtype: float32\n`,
    )
    const asked = (out: string, ...flags: string[]): Promise<Ran> =>
      searched('merges', ['--reward', 'raw', '--json', '--out', path(out), ...flags], {
        checkpoints: ['--merge', path('slerp.yml'), '--vary', 't=0:1:0.25'],
      })
    const whole = reportOf(await asked('merged', '--policy', 'sweep', '--budget', '10'))
    expect(new Set(whole.best.map(({ arm }) => arm.split(' ')[0]))).toEqual(
      new Set(['t=0', 't=0.25', 't=0.5', 't=0.75', 't=1']),
    )
    expect(new Set(whole.best.map(({ reward }) => reward)).size).toBeGreaterThan(6)
    // the ends are the models themselves
    const raw = reportOf(await searched('grid', ['--policy', 'sweep', '--budget', '10', '--reward', 'raw', '--json']))
    const rewardIn = ({ best }: Report, arm: string): number =>
      best.find((pull) => pull.arm === arm)?.reward ?? Number.NaN
    expect(rewardIn(whole, 't=1 h1')).toBeCloseTo(rewardIn(raw, 'main h1'), 4)
    expect(
      readdirSync(path('merges'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.safetensors'),
      ),
    ).toEqual([])
    expect(readdirSync(path('merged/recipes'))).toHaveLength(5)
  })

  test('every so many of the checkpoints, in the order of training', async () => {
    const { stdout } = await searched('none', ['--dry-run', '--json', '--policy', 'random'], {
      checkpoints: [path('run'), '--revisions', 'every:2'],
    })
    expect(JSON.parse(stdout)).toMatchObject({
      checkpoints: ['step1', 'step100', 'main'],
      tasks: ['One', 'Two', 'Three', 'Four'],
    })
    expect(existsSync(path('none'))).toBe(false)
  })

  test.each([
    [['--budget', '0'], /--budget: must be a whole number, 1 or greater/],
    [['--budget', '2'], /--budget: the 2 layers of the baseline use up the budget – 2/],
    [['--baseline', 'step2'], /--baseline: no such checkpoint – step2, wanted step1, step10/],
    [['--revisions', 'step1,step11'], /--revisions: no such revision of .*run – step11.*\n.*did you mean/],
    [['--policy', 'random,sweep'], /--policy: a search has only one policy/],
    [['--budget', '3,5'], /--budget: a search has only one budget/],
    [['--vary', 't=0:1:0.5'], /--vary: needs a recipe to vary/],
    [['--context', 'efective_rank', '--policy', 'linucb'], /efective_rank[^]*effective_rank/],
    [['--layers', '7'], /7/],
  ])('refuses %j', async (flags, words) => {
    const { code, stderr } = await searched('refused', ['--policy', 'random', ...flags])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(words)
    expect(existsSync(path('refused/trajectory.jsonl'))).toBe(false)
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { carriedHub } from '../carried.ts'
import { scratchFolder } from '../scratch.ts'
import { pairsTask } from './pairs-task.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()

let task: string
beforeAll(async () => {
  await writeSmallModel(path('model'))
  task = pairsTask(file, 'Pairs')
})

const asked = (command: string, ...flags: readonly string[]) =>
  strata([
    command,
    path('model'),
    '--task-file',
    task,
    '--cache-dir',
    path('cache'),
    '--results',
    path('results'),
    ...flags,
  ])

interface Combined {
  readonly method: string
  readonly lambda: number | null
  readonly similarity: string | null
  readonly layerNorm: string
  readonly weights?: Record<string, number>
}

function combinationsIn(stdout: string): {
  combinations: Combined[]
  report: { sentence: string; files: Record<string, string> }
} {
  const documents = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result & { aggregate?: { sentence: string; files: Record<string, string> } })
  return {
    combinations: documents.flatMap(({ strata: own }) =>
      own?.settings['combination'] === undefined ? [] : [own.settings['combination'] as Combined],
    ),
    report: documents.at(-1)?.aggregate ?? { sentence: '', files: {} },
  }
}

describe('strata aggregate', () => {
  test('prints one result a line, each with what it is, and the report', async () => {
    const { stdout, code } = await asked(
      'aggregate',
      '--methods',
      'weighted,mean,best',
      '--lambda',
      '0,1',
      '--layer-norm',
      'l2',
      '--json',
    )
    expect(code).toBe(0)
    const { combinations, report } = combinationsIn(stdout)
    expect(new Set(combinations.map(({ method }) => method))).toEqual(new Set(['weighted', 'mean', 'best']))
    expect(combinations.find(({ method }) => method === 'mean')).toMatchObject({
      lambda: null,
      similarity: null,
      layerNorm: 'l2',
      weights: { 0: 0.5, 1: 0.5 },
    })
    expect(
      combinations
        .filter(({ method }) => method === 'weighted')
        .every(({ lambda, similarity }) => (lambda === 0 || lambda === 1) && similarity === 'cka'),
    ).toBe(true)
    expect(report.sentence).toMatch(/mix of layers that validation chose/)
    expect(existsSync(report.files['Pairs'] ?? '')).toBe(true)
  })

  test('tries λ = 0.5 and all methods where nothing is said, and draws and tabulates what is asked', async () => {
    const { stdout, stderr, code } = await asked(
      'aggregate',
      '--tables',
      path('tables'),
      '--plot',
      path('grid.svg'),
      '--components',
      '3',
    )
    expect([code, stderr.includes('error')]).toEqual([0, false])
    expect(stdout).toMatch(/weighted_greedy[^]*all_pca[^]*chosen by validation/)
    // which layer is best, what the chosen mix is made of, and one question per family of tests
    expect(stdout).toMatch(/^best is h[01] on Pairs$/m)
    expect(stdout).toMatch(/^ {2}weights: \d\.\d\d h[01] \+ \d\.\d\d h[01]$/m)
    expect(stdout.match(/^.*\? \(.*Holm over .*\)$/gm)).toHaveLength(2)
    expect(readFileSync(path('tables/results_table.csv'), 'utf8')).toContain('weighted_lambda0.5')
    expect(readFileSync(path('grid.svg'), 'utf8')).toContain('all_pca')
  })

  test('leaves a folder whose report names rows by what they are, each with a mean, and misses nothing', async () => {
    const results = path('results-named')
    const flags = ['--methods', 'weighted,mean', '--lambda', '0,1', '--task-file', task, '--cache-dir', path('cache')]
    const { code, stderr } = await strata(['aggregate', path('model'), ...flags, '--results', results])
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    const { stdout } = await strata(['report', results, '--format', 'json'])
    const { standings, missing, choices } = JSON.parse(stdout) as {
      standings: { rows: { name: string; mean: number | null }[] }[]
      missing: unknown[]
      choices: { mix: string; layer: string; overTasks: unknown[] }[]
    }
    expect(standings[0]?.rows.map(({ name, mean }) => [name, typeof mean])).toEqual(
      [
        'h0',
        'h1',
        'default',
        'mean',
        'weighted λ=0 cka',
        'weighted λ=1 cka',
        'layer chosen by validation',
        'weighted (chosen by validation)',
        'mix chosen by validation',
      ].map((name) => [name, 'number']),
    )
    expect([missing, choices[0]?.overTasks.length]).toEqual([[], 1])
  })

  test('plans the memory of the states that combinations share, and of the axes that projections find', async () => {
    const memory = async (command: string, ...flags: readonly string[]): Promise<number> =>
      (JSON.parse((await asked(command, ...flags, '--dry-run', '--json')).stdout) as { memoryBytes: number })
        .memoryBytes
    const [scores, plain, projected] = [
      await memory('layers'),
      await memory('aggregate', '--methods', 'mean'),
      await memory('aggregate', '--methods', 'mean,all_pca'),
    ]
    // two states of width 4
    expect([plain - scores, projected - plain]).toEqual([2 ** 28, 12 * (2 * 4) ** 2 * 8])
  })

  test('takes a similarity matrix, qualities and poolings', async () => {
    const matrix = file(
      'S.json',
      JSON.stringify([
        [1, 0.2],
        [0.2, 1],
      ]),
    )
    const quality = file('q.json', JSON.stringify({ 0: 0.4, 1: 0.4 }))
    const flags = ['--similarity-matrix', matrix, '--quality', quality, '--methods', 'weighted', '--json']
    const { combinations } = combinationsIn((await asked('aggregate', ...flags)).stdout)
    // equal qualities, a symmetric matrix: equal weights
    expect(combinations).toMatchObject([{ similarity: 'S', weights: { 0: 0.5, 1: 0.5 } }])
    const { stdout } = await asked('aggregate', ...flags, '--pooling', 'mean,cls')
    const names = stdout
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as Partial<Result>).strata?.representation ?? [])
    expect(names.filter((name) => name.startsWith('weighted-')).length).toBe(2)
    expect(new Set(names.filter((name) => name.startsWith('weighted-'))).size).toBe(2)
  })

  test.each([
    [['--lambda', '-1'], '--lambda'],
    [['--methods', 'wieghted'], 'weighted'],
    [['--quality', 'validatoin'], 'validation'],
    [['--plot', 'grid.jpg'], '.svg'],
    [['--similarity', 'ckaa'], 'cka'],
    [['--layer-norm', 'l3'], '--layer-norm'],
    [['--quality', './nowhere.json', '--methods', 'mean,best'], 'nowhere.json'],
  ])('%j is refused', async (flags, word) => {
    const { code, stderr } = await asked('aggregate', ...flags)
    expect([code === 0, stderr.includes(word)]).toEqual([false, true])
  })

  test('writes a mix that evaluate, encode and metrics take', async () => {
    const { report } = combinationsIn((await asked('aggregate', '--methods', 'mean', '--json')).stdout)
    const mix = report.files['Pairs'] ?? ''
    const evaluated = JSON.parse((await asked('evaluate', '--representation', mix, '--json')).stdout.trim()) as Result
    expect(evaluated.strata.representation).toMatch(/^mean-[0-9a-f]{8}$/)
    const texts = file('words.txt', 'a b\nb b a\na\n')
    expect(
      (
        await strata([
          'encode',
          path('model'),
          texts,
          '--representation',
          mix,
          '--out',
          path('v.npy'),
          '--cache-dir',
          path('cache'),
        ])
      ).code,
    ).toBe(0)
    const metrics = await strata([
      'metrics',
      path('model'),
      '--texts',
      texts,
      '--representation',
      mix,
      '--metrics',
      'effective_rank',
      '--json',
      '--cache-dir',
      path('cache'),
    ])
    expect(Object.keys((JSON.parse(metrics.stdout) as { layers: object }).layers)).toEqual([
      '0',
      '1',
      evaluated.strata.representation,
    ])
  })
})

describe('strata truncate', () => {
  test('finds the fewest layers that are enough, and says what they cost', async () => {
    const cut = async (
      loss: string,
    ): Promise<{ h: number; of: number; mean: number[]; tasks: { chosen: number; whole: number }[] }> =>
      JSON.parse((await asked('truncate', '--max-loss', loss, '--json')).stdout) as {
        h: number
        of: number
        mean: number[]
        tasks: { chosen: number; whole: number }[]
      }
    const [all, none] = [await cut('0.99'), await cut('0')]
    expect([all.h, all.of]).toEqual([0, 1])
    expect(none.h).toBe((none.mean[0] ?? 0) >= (none.mean[1] ?? 0) ? 0 : 1)
    expect(typeof all.tasks[0]?.chosen).toBe('number')
  })

  test('writes a decoder whose embeddings alone would be enough with a block, and says so', async () => {
    const decoder = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
    const folders = ['--cache-dir', path('cache-decoder'), '--results', path('results-decoder')]
    const flags = ['--task-file', task, '--max-loss', '0.99', '--out', path('decoder-cut')]
    const { code, stdout, stderr } = await strata(['truncate', decoder, ...flags, ...folders])
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    expect(stdout).toContain('stories260K: h1, 1 of 5 blocks')
    expect(stderr).toMatch(/h1 and above are considered instead/)
    expect(JSON.parse(readFileSync(path('decoder-cut/config.json'), 'utf8'))).toMatchObject({ num_hidden_layers: 1 })
  })

  test('a loss of all points is refused: 1 was meant as one point', async () => {
    const { code, stderr } = await asked('truncate', '--max-loss', '1')
    expect([code, stderr]).toEqual([2, expect.stringContaining('below 1: 0.01 is one point')])
  })

  test('without rows to choose by is refused', async () => {
    const bare = file(
      'Bare.yaml',
      'name: Bare\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: Pairs-test.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
    )
    const { code, stderr } = await strata([
      'truncate',
      path('model'),
      '--task-file',
      bare,
      '--cache-dir',
      path('cache'),
      '--results',
      path('results'),
    ])
    expect([code, stderr.includes('choose')]).toEqual([2, true])
  })
})

describe('names of subsets are given for all tasks at once', () => {
  const two = (command: string, subsets: string, ...flags: string[]) =>
    strata(
      [
        command,
        path('model'),
        '--tasks',
        'STS17',
        '--task-file',
        task,
        '--subsets',
        subsets,
        '--cache-dir',
        path('cache-subsets'),
        '--results',
        path('results-subsets'),
        '--json',
        ...flags,
      ],
      { env: carriedHub },
    )

  test.each([
    ['truncate', ['--max-loss', '0.01']],
    ['aggregate', ['--methods', 'best']],
    ['search', ['--policy', 'halving', '--layers', '0,1', '--budget', '3']],
  ] as const)('%s: each task answers to those it has', async (command, flags) => {
    const { stdout, stderr, code } = await two(command, 'en-en,default', ...flags)
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    expect(stdout).toContain('STS17')
    expect(stdout).toContain('Pairs')
  })

  test.each(['truncate', 'aggregate', 'search'])('%s refuses a name that none has', async (command) => {
    const { stderr, code } = await two(command, 'en-en,defualt')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--subsets: none of the tasks has such a subset/)])
  })

  test('so do rows of tasks', async () => {
    const rows = (subsets: string) =>
      strata(['tasks', 'STS17', '--task-file', task, '--rows', '--limit', '1', '--subsets', subsets], {
        env: carriedHub,
      })
    const { stdout, code } = await rows('en-en,default')
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 2])
    expect(await rows('en-en,nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no(ne| such)/) as string,
    })
    const some = await rows('en-en')
    expect([some.code, some.stderr]).toEqual([1, expect.stringMatching(/missing {2}Pairs: .*en-en/)])
  })
})

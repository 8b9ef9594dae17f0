import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Comparison } from '#experiment/compare'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { madeFolder } from '../result/report/made-folder.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'

const { path, file } = scratchFolder()
const root = path('made')
const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
const lines = Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 5) % 11}`)
file('pairs.csv', `${['sentence1,sentence2,score', ...lines].join('\n')}\n`)
const task = file(
  'pairs.yaml',
  'name: Pairs\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata: { test: pairs.csv }\n',
)

beforeAll(async () => {
  await madeFolder(root)
  await writeSmallModel(path('one'))
  const words = counting(7, 4)
  const values = Float32Array.from(words.values, (value, i) => value + Math.sin(3 * i))
  await writeSmallModel(path('two'), {
    'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
  })
})

const compare = (...args: string[]): Promise<Ran> => strata(['compare', ...args, '--cache-dir', path('cache')])

describe('strata compare', () => {
  test('scores what is missing, tells texts, size and parameters; then needs no model', async () => {
    const run = ['--task-file', task, '--results', path('results'), '--score']
    const { code, stdout, stderr } = await compare(path('one'), `${path('two')}#h0`, ...run, '--json')
    expect([code, stderr]).toEqual([0, ''])
    const first = JSON.parse(stdout) as Comparison
    expect(first.report.rows.map(({ model, representation }) => [model, representation.split('+')[0]])).toEqual([
      ['one', 'default'],
      ['two', 'h0'],
    ])
    expect(first.tasks).toMatchObject([
      { task: 'Pairs', name: first.report.rows[1]?.name, against: first.report.rows[0]?.name },
    ])
    const [item] = first.changed
    const [sentence1, sentence2] = (lines[item?.item ?? -1] ?? '').split(',')
    expect(item?.texts).toEqual([sentence1, sentence2])
    expect(first.costs.map(({ bytes, parameters }) => bytes === 4 * (parameters ?? 0) && bytes > 0)).toEqual([
      true,
      true,
    ])

    // recorded seconds are no speed
    expect(first.speed).toBeNull()
    const measured = await compare(path('one'), `${path('two')}#h0`, ...run, '--speed', '--json')
    const { speed, report } = JSON.parse(measured.stdout) as Comparison
    expect(speed?.rows.map(({ name }) => name)).toEqual(report.rows.map(({ name }) => name))
    expect(speed?.rows.flatMap(({ sizes }) => sizes.map(({ batch }) => batch))).toEqual([1, 64, 1, 64])
    expect((await compare(path('one'), `${path('two')}#h0`, '--results', path('results'), '--speed')).code).toBe(2)

    const again = await compare('one', 'two#h0', '--results', path('results'), '--task-file', task, '--json')
    const second = JSON.parse(again.stdout) as Comparison
    expect([second.tasks, second.changed]).toEqual([first.tasks, first.changed])

    // other rows than those that were scored
    file('pairs.csv', `${['sentence1,sentence2,score', 'b,b,1', ...lines].join('\n')}\n`)
    const third = JSON.parse(
      (await compare('one', 'two#h0', '--results', path('results'), '--task-file', task, '--json')).stdout,
    ) as Comparison
    expect(new Set(third.changed.map(({ texts }) => texts))).toEqual(new Set([null]))
    expect(third.untold).toEqual([
      { task: 'Pairs', reason: 'the rows on this machine differ from those that were scored' },
    ])
  })

  test('representations of one model by --representation', async () => {
    const { code, stdout } = await compare(
      'org/model',
      '--representation',
      'default,h2,h10',
      '--results',
      root,
      '--tasks',
      'Labels,Pairs',
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /Labels +h2 +90\.00 +60\.00 +\+30\.00 +\+\d+\.\d\d +\+\d+\.\d\d +< 0\.001 +< 0\.001 +better\* +60 +0 +140\n/,
    )
    expect(stdout).toMatch(/Pairs +h2 +45\.00 +30\.00 +\+15\.00 +– +– +– +– +not tested +– +– +–\n/)
    expect(stdout).toContain('2 differences have no interval: scores of single items are not stored.')
    expect(stdout).not.toContain('Rare')
  })

  test('a folder that is only read is narrowed by parts, types and languages', async () => {
    const scoresOf = async (...flags: string[]): Promise<Record<string, (number | null)[]>> => {
      const { report } = JSON.parse(
        (await compare('org/model', 'org/model#h2', '--results', root, ...flags, '--json')).stdout,
      ) as Comparison
      return Object.fromEntries(
        report.tasks.map(({ name }, at) => [name, report.rows.map(({ scores }) => scores[at] ?? null)]),
      )
    }
    expect(await scoresOf('--tasks', 'Both')).toEqual({ Both: [(0.6 + 0.99) / 2, (0.9 + 0.99) / 2] })
    expect(await scoresOf('--tasks', 'Both', '--subsets', 'en')).toEqual({ Both: [0.6, 0.9] })
    // a failure stays one, whatever part is asked for
    expect(await scoresOf('--subsets', 'de')).toEqual({ Both: [0.99, 0.99], Rare: [null, null] })
    expect(Object.keys(await scoresOf('--splits', 'test'))).toEqual(['Both', 'Labels', 'Pairs', 'Rare'])
  })

  test('comes in every format, printed or written', async () => {
    const asked = ['org/model', 'org/model#h2', '--results', root, '--tasks', 'Labels']
    expect((await compare(...asked, '--format', 'md')).stdout).toMatch(
      /^# Comparison\n[\s\S]*## Against default, task by task\n[\s\S]*\| \*\*better\*\* \|/,
    )
    expect((await compare(...asked, '--format', 'latex')).stdout).toContain(String.raw`\toprule`)
    const [header = '', , line = ''] = (await compare(...asked, '--format', 'csv')).stdout.split('\n')
    const row = Object.fromEntries(header.split(',').map((name, i) => [name, line.split(',')[i]]))
    expect(row).toMatchObject({
      task: 'Labels',
      representation: 'h2',
      score: '0.9',
      against: 'default',
      verdict: 'better',
      items_ahead: '60',
      items_behind: '0',
    })
    const { code, stdout, stderr } = await compare(...asked, '--out', path('page.html'))
    expect([code, stdout, stderr.includes('2 rows × 1 task →')]).toEqual([0, '', true])
    expect(readFileSync(path('page.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*Items that changed most[\s\S]*Size/)
  })

  test.each([
    { args: ['org/model'], words: 'a comparison needs at least two' },
    { args: ['org/model', 'org/model#h22', '--results', root], words: 'org/model#h2' },
    { args: ['org/model', 'org/model#default', '--results', root], words: 'named twice' },
    { args: ['org/model', 'org/model#h2', '--results', root, '--tasks', 'Labls'], words: 'did you mean Labels?' },
    { args: ['org/model', 'org/model#h2', '--results', root, '--out', 'x.pdf'], words: '.html' },
    {
      args: ['org/model', 'org/model#h2', '--results', root, '--format', 'table', '--out', 'x.md'],
      words: 'cannot be written to a file',
    },
    { args: ['org/model', 'org/model#h2'], words: 'no task is given' },
    {
      args: ['org/model', 'org/model#h2', '--results', root, '--subsets', 'nonsense'],
      words: 'no result has this subset',
    },
    { args: ['org/model', 'org/model#h2', '--results', root, '--splits', 'tset'], words: 'did you mean test?' },
    { args: ['org/model', 'org/model#h2', '--results', root, '--types', 'Speech'], words: 'no such type of task' },
    { args: ['org/model', 'org/model#h2', '--results', root, '--pooling', 'cls'], words: '--pooling' },
    { args: ['org/model', 'org/model#h2', '--results', root, '--output-folder', root], words: 'old name of --results' },
    {
      args: ['org/model', 'org/model#h2', '--results', root, '--changed', '-1'],
      words: 'must be a whole number, 0 or greater',
    },
  ])('$args is refused: exit 2', async ({ args, words }) => {
    const { code, stderr } = await compare(...args)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})

import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Report } from '#result/report'
import { browser, chromium, seriousFindings } from '../browser.ts'
import { scratchFolder } from '../scratch.ts'
import { shared, sharedPath } from '../shared.ts'
import { madeFolder } from '../result/report/made-folder.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const open = browser()
const root = path('results')

beforeAll(async () => {
  await madeFolder(root)
})

/** The trajectory of a search that pulled the layers of a checkpoint in turn. */
const pulled = (checkpoint: string, tasks: readonly string[], scores: readonly number[]): string =>
  scores
    .map((score, seq) => {
      const [arm, layer] = [`${checkpoint} h${seq}`, `h${seq}`]
      const byTask = Object.fromEntries(tasks.map((task) => [task, score]))
      return `${JSON.stringify({ seq, arm, checkpoint, layer, by: 'baseline', tasks, scores: byTask, seconds: 1, reused: 0 })}\n`
    })
    .join('')

test('strata report prints Markdown, or the value as JSON', async () => {
  const { code, stdout } = await strata(['report', root])
  expect(code).toBe(0)
  expect(stdout).toMatch(/## Representations by tasks[\s\S]*\| h2 \| \*\*75\.00\*\* \|/)
  const json = await strata([
    'report',
    root,
    '--json',
    '--baseline',
    'h1',
    '--tasks',
    'lab*,Pairs',
    '--representation',
    'h1,h2',
  ])
  const report = JSON.parse(json.stdout) as Report
  expect([report.held?.baseline, report.tasks.map(({ name }) => name), report.rows.map(({ name }) => name)]).toEqual([
    'h1',
    ['Labels', 'Pairs'],
    ['h1', 'h2'],
  ])
})

test('strata report writes what the name of its file says', async () => {
  const { code, stdout, stderr } = await strata(['report', root, '--out', path('page/report.html')])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('5 rows × 4 tasks →')
  expect(readFileSync(path('page/report.html'), 'utf8')).toMatch(/^<!doctype html>/)
})

test.each([
  { args: [], words: 'missing required argument' },
  { args: [root, '--out', 'report.pdf'], words: '.html' },
  { args: [root, '--baseline', 'h11'], words: 'did you mean h1?' },
  { args: [root, '--tasks', 'Labels,Labls'], words: 'did you mean Labels?' },
  { args: [root, '--format', 'pdf'], words: 'html' },
])('$args is refused: exit 2', async ({ args, words }) => {
  const { code, stderr } = await strata(['report', ...args])
  expect(stderr).toContain(words)
  expect(code).toBe(2)
})

test('a folder that is not there: exit 1', async () => {
  const { code, stderr } = await strata(['report', path('nowhere')])
  expect([code, stderr.includes('no such folder')]).toEqual([1, true])
})

test('a search, a folder of similarities and a similarity are sources on their own', async () => {
  const similarity = JSON.stringify({
    model: 'tiny',
    against: null,
    dataset: 'texts',
    metrics: { CKA: { mean: [[1]] } },
  })
  mkdirSync(path('alone/search'), { recursive: true })
  file(
    'alone/search/search.json',
    JSON.stringify({ best: { arm: 'm h1', reward: 1.5 }, settings: { policy: 'gp-ei' } }),
  )
  file('alone/search/trajectory.jsonl', pulled('m', ['One'], [0.5, 0.6]))
  mkdirSync(path('alone/similar/tiny_mean_texts'), { recursive: true })
  file('alone/similar/tiny_mean_texts/similarities.json', similarity)
  file('alone/similarity.json', similarity)
  const sources: [string, RegExp][] = [
    ['alone/search', /## Searches[\s\S]*\| search \| gp-ei \| 2 \| m h1 \| 1\.500 \| 60\.00 \|/],
    ['alone/similar', /CKA of tiny on texts[\s\S]*\| h0 \| 1\.000 \|/],
    ['alone/similar/tiny_mean_texts', /CKA of tiny on texts[\s\S]*\| h0 \| 1\.000 \|/],
    ['alone/similarity.json', /CKA of tiny on texts[\s\S]*\| h0 \| 1\.000 \|/],
  ]
  for (const [source, shown] of sources) {
    const { code, stdout, stderr } = await strata(['report', path(source)])
    expect([source, code, stderr]).toEqual([source, 0, ''])
    expect(stdout).toMatch(shown)
    expect(stdout).not.toMatch(/Coverage/)
    const page = await strata(['report', path(source), '--out', path('alone/page.html')])
    expect([page.code, readFileSync(path('alone/page.html'), 'utf8')]).toEqual([
      0,
      expect.stringContaining('No results of tasks'),
    ])
  }
  mkdirSync(path('alone/empty'))
  expect((await strata(['report', path('alone/empty')])).stderr).toMatch(/no result that passes the filters/)
})

test('recorded scores, a replay, a search, a similarity and metrics, each by what it is', async () => {
  const steps = ['step1', 'step2', 'step4']
  const layers = [0, 1, 2, 3]
  const scores = steps.flatMap((revision, k) =>
    layers.flatMap((layer) =>
      ['One', 'Two'].map((task, t) => ({
        family: 'Tiny',
        size: '1m',
        revision,
        layer,
        task,
        split: 'test',
        main_score: { en: 0.4 + 0.05 * k + 0.01 * ((layer * 3 + t) % 4) },
      })),
    ),
  )
  file('scores.jsonl', scores.map((row) => JSON.stringify(row)).join('\n'))
  const metrics = ['entropy_dataset', 'curvature'].flatMap((metric, m) =>
    steps.map((revision, k) => ({
      family: 'Tiny',
      size: '1m',
      revision,
      corpus: 'wikitext',
      metric,
      values: { [m === 0 ? 'logNlogD' : 'raw']: layers.map((h) => k + h * (m + 0.1)) },
    })),
  )
  file('metrics.jsonl', metrics.map((row) => JSON.stringify(row)).join('\n'))
  const replayed = await strata([
    'search',
    '--replay',
    path('scores.jsonl'),
    '--policy',
    'random,sweep',
    '--budget',
    '2,6',
    '--seeds',
    '5',
    '--json',
  ])
  file('replay.json', replayed.stdout)
  file(
    'similar.json',
    JSON.stringify({
      model: 'tiny',
      against: null,
      dataset: 'texts',
      metrics: {
        CKA: {
          mean: [
            [1, 0.3],
            [0.3, 1],
          ],
          std: [
            [0, 0],
            [0, 0],
          ],
        },
      },
    }),
  )
  mkdirSync(path('search'))
  file(
    'search/search.json',
    JSON.stringify({ pulls: 2, best: { arm: 'step4 h1', reward: 1.5 }, settings: { policy: 'gp-ei' } }),
  )
  file('search/trajectory.jsonl', pulled('step4', ['One', 'Two'], [0.3, 0.2]))
  const sources = ['scores.jsonl', 'replay.json', 'similar.json', 'search'].map(path)
  const { code, stdout, stderr } = await strata(['report', ...sources, '--context', path('metrics.jsonl'), '--json'])
  expect([code, stderr]).toEqual([0, ''])
  const { rows, metrics: held, beside } = JSON.parse(stdout) as Report
  expect([rows.length, rows.at(-1)?.name]).toEqual([12, 'step4 h3'])
  expect(new Map(held.map(({ name, rows: count }) => [name, count]))).toEqual(
    new Map([
      ['curvature', 12],
      ['dataset_entropy', 12],
    ]),
  )
  expect(beside.searches).toEqual([
    { name: 'search', policy: 'gp-ei', spent: 2, best: 'step4 h1', reward: 1.5, curve: [0.3, 0.3] },
  ])
  expect([beside.replays[0]?.model, beside.replays[0]?.replays.length, beside.similarities[0]?.metric]).toEqual([
    'Tiny-1m',
    2,
    'CKA',
  ])
})

test.each([
  ['other.json', '{"a":1}', 'must be a replay or a similarity'],
  ['gone.jsonl', undefined, 'no such folder of results, and no such file'],
])('%s is refused', async (name, content, words) => {
  if (content !== undefined) file(name, content)
  const { code, stderr } = await strata(['report', root, path(name)])
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)])
})

test.skipIf(shared === undefined || chromium === undefined)(
  'the 350 arms × 32 tasks of Pythia-410m: a page of at most 2 MB, sound at 1,280 and 400 pixels, without a request or a finding',
  async () => {
    const scores = sharedPath('data', 'reference', 'layer_by_layer_mteb.jsonl.gz')
    const context = sharedPath('data', 'reference', 'layer_by_layer_metrics.jsonl.gz')
    const replayed = await strata([
      'search',
      'pythia-410m',
      '--replay',
      scores,
      '--context',
      context,
      '--baseline',
      'main',
      '--budget',
      '10,50',
      '--policy',
      'linucb',
      '--json',
    ])
    file('pythia.json', replayed.stdout)
    await strata([
      'report',
      scores,
      path('pythia.json'),
      '--models',
      'pythia-410m',
      '--context',
      context,
      '--out',
      path('pythia.html'),
    ])
    expect(statSync(path('pythia.html')).size).toBeLessThan(2e6)
    for (const width of [1280, 400]) {
      const { page, complaints, requests } = await open(path('pythia.html'), { width })
      expect(await page.$$eval('#representations tbody tr', (rows) => rows.length)).toBe(350)
      await page.click('#representations thead th:nth-child(2) button')
      expect(await page.$eval('#representations tbody th', ({ textContent }) => textContent)).toBe('step64000 h19')
      await page.type('#representations input', 'step512 h2')
      expect(await page.$eval('#representations output', ({ textContent }) => textContent)).toBe('6 of 350 rows')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await seriousFindings(page)).toEqual([])
      expect([complaints, requests]).toEqual([[], []])
    }
  },
)

/**
 * Command lines and files of the five documents that Strata was built after, as they stand: each works, is planned, or
 * is answered with the line that does the same. docs/coming-from.md says which.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeRun } from '../experiment/locales/merginguriel.ts'
import { scratchFolder } from '../scratch.ts'
import { shared, sharedPath } from '../shared.ts'
import { type Ran, repo, strata } from './program.ts'
import { categories, hubAt, seedsWorld } from './seeds-world.ts'

const { path, file } = scratchFolder()
const seeds = join(repo, 'test', 'cli', 'seeds')
const env = hubAt(path(''))
const run = (words: readonly string[]): Promise<Ran> => strata(words, { env, cwd: path('') })

beforeAll(async () => {
  await seedsWorld(path(''))
  // as the page shows them
  file('similarity_merge_sq-AL.yml', blocks.find((block) => block.includes('merge_method:')) ?? '')
  cpSync(join(seeds, 'mteb_layersweep.yaml'), path('mteb_layersweep.yaml'))
  writeRun(path('results/average_sq-AL'), { accuracy: 0.5, locale: 'sq-AL' })
})

/** As a shell reads a line. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
const oneLine = (text: string): string => text.replaceAll(/\\\n/g, ' ').replaceAll(/\s+/g, ' ').trim()

/** Lines of the documents, continued lines and quoted ones as one. */
function linesIn(text: string): string[] {
  return [...text.matchAll(/^(?!#)\S(?:\\\n|"[^"]*"|[^\n"])*/gm)].map(([line]) => oneLine(line))
}

interface Row {
  readonly there: string
  readonly here: string
  readonly state: string
}

const page = readFileSync(join(repo, 'docs', 'coming-from.md'), 'utf8')
const rows: Row[] = [...page.matchAll(/^\| `(.+?)` \| `(strata .+?)` \| (\w+) \|$/gm)].map(
  ([, there = '', here = '', state = '']) => ({ there, here, state }),
)
const blocks = [...page.matchAll(/^```yaml\n([^`]*)```$/gm)].map(([, block = '']) => block)
const lines = linesIn(readFileSync(join(seeds, 'lines.txt'), 'utf8'))

test('the table of the page has every line of the documents, and says of each what becomes of it', () => {
  const named = new Set(rows.map(({ there }) => there))
  expect(lines.filter((line) => !named.has(line))).toEqual([])
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['works', 'planned', 'answered']))
})

/** What a shell itself does: no line of a program. */
const shells = /^(?:cd|chmod) /

test.skipIf(!shared)('the lines and files are those of the documents', () => {
  const folder = sharedPath('sources')
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  for (const name of readdirSync(seeds).filter((one) => one.endsWith('.yaml')))
    expect(texts.some((text) => text.includes(readFileSync(join(seeds, name), 'utf8')))).toBe(true)
  // fences are not paired everywhere in the documents: a line of a program is known by its first word
  const typed = texts.flatMap((text) => linesIn(text.replaceAll(/^ +(?=\.\/)/gm, '')))
  const programs = typed
    .map((line) => line.replace(/ +#[^"]*$/, ''))
    .filter((line) => /^(?:pip|python3?|uv) |^\.\/\w+\.sh$/.test(line) && !shells.test(line))
  expect(programs.filter((line) => !lines.includes(line))).toEqual([])
})

test.each(rows)('$there is answered with $here', async ({ there, here }) => {
  const { code, stderr } = await run(wordsOf(there))
  expect([code, stderr.split('\n')[1]?.trim()]).toEqual([2, here])
})

/** A path of another machine is where the grid has written. */
const placed = (here: string): string[] =>
  wordsOf(here.replace(/\/home\/\S*\/grid\//, './similarity_results/')).slice(1)

describe('the answers', () => {
  // the grid makes the matrices that others read
  const first = rows.filter(({ here }) => here.startsWith('strata similarity'))
  const answers = rows.filter(({ here }, at) => rows.findIndex((other) => other.here === here) === at)
  const working = answers.filter(({ state, here }) => state === 'works' && !here.startsWith('strata similarity'))

  test.each(first)('$here works', async ({ here }) => {
    const { code, stderr } = await run(placed(here))
    expect([code, stderr]).toEqual([0, expect.stringContaining('4 of 4 written')])
    const written = JSON.parse(readFileSync(path('similarity_results/grid_search_summary.json'), 'utf8')) as object
    expect(written).toMatchObject({
      total_experiments: 4,
      successful: 4,
      failed: 0,
      configuration: { models: ['bert-base-uncased', 'roberta-base'], pooling: ['mean', 'cls'], datasets: ['c4'] },
    })
    mkdirSync(path('results'), { recursive: true })
    cpSync(path('similarity_results/bert_base_uncased_mean_c4/similarities/CKA.npy'), path('results/CKA.npy'))
  })

  test.each(working)('$here works', async ({ here }) => {
    if (here.includes('harness_results'))
      cpSync(path('evaluate/results/harness'), path('harness_results'), { recursive: true })
    const { code, stdout, stderr } = await run(placed(here))
    expect([code, stdout.length > 0, code === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, true, ''])
  })

  test.each(answers.filter(({ state }) => state === 'planned'))('$here is planned', async ({ here }) => {
    const { code, stdout, stderr } = await run([...placed(here), '--dry-run'])
    expect([code, stdout.length > 0, code === 0 ? '' : stderr]).toEqual([0, true, ''])
  })
})

describe('files as they stand', () => {
  const stages = ['models_config.yaml', 'aggregation_config.yaml', 'experiment_config.yaml'].map((name) =>
    join(seeds, name),
  )

  test('the three files of layer aggregation run: tasks whose data is there are scored and combined, with the tree of tables; the others fail one by one', async () => {
    // in another order than the document's
    const { code, stdout } = await run(['run', ...stages.toReversed(), '--out', path('aggregation'), '--quiet'])
    const missing = stdout.split('\n').filter((line) => line.startsWith('failed'))
    expect([code, missing.filter((line) => !line.includes('not in the cache'))]).toEqual([1, []])
    expect(stdout).toMatch(/^18 of 168 jobs done, 150 failed/)
    const tables = path('aggregation/tables')
    expect(readdirSync(tables).toSorted()).toEqual([
      'all_minilm_l6_v2',
      'bert_base_uncased',
      'experiment_summary.json',
      'results_table.csv',
      'results_table.md',
      'roberta_base',
    ])
    const own = join(tables, 'bert_base_uncased')
    expect(readdirSync(own).toSorted()).toEqual([
      'cluster_pca',
      'experiment_summary.json',
      'greedy',
      'selected_pca',
      'summary.csv',
      'weighted',
    ])
    // one task of each category, as the registry's list of types has them
    expect(readdirSync(join(own, 'weighted')).toSorted()).toEqual(Object.keys(categories).toSorted())
    const [head = '', ...scores] = readFileSync(join(tables, 'results_table.csv'), 'utf8').trim().split('\n')
    // (weighted, greedy, selected_pca at one λ, cluster_pca) × three similarities × three models
    expect([head.split(',').length - 1, scores.length]).toEqual([4 * 3 * 3, 6])
    expect(
      scores.every((line) =>
        line
          .split(',')
          .slice(1)
          .every((cell) => Number.isFinite(Number(cell))),
      ),
    ).toBe(true)
  })

  test('the configuration of mteb-layersweep with its bandit searches every size on vectors of length 1, and finds its pulls again', async () => {
    const name = file(
      'bandit.yaml',
      `${readFileSync(join(seeds, 'mteb_layersweep.yaml'), 'utf8')}mteb: { tasks: [STSBenchmark, EmotionClassification] }\nbandit: { enabled: true, budget: 3 }\n`,
    )
    const bandit = (...flags: string[]): Promise<Ran> => run(['run', name, '--out', path('bandit'), ...flags])
    const plan = await bandit('--dry-run')
    expect(plan.stdout.match(/^EleutherAI\/pythia-\w+ mean +1 /gm)).toHaveLength(3)
    const { code, stdout, stderr } = await bandit()
    expect([code, stdout.split('\n')[0]]).toEqual([0, `3 of 3 jobs done; in ${path('bandit')}/`])
    expect(stderr.match(/^done .*best arm main h\d, reward [\d.e-]+, 2 arms pulled$/gm)).toHaveLength(3)
    const searches = readdirSync(path('bandit/searches')).toSorted()
    expect(searches).toEqual(['410m', '14m', '70m'].toSorted().map((size) => `EleutherAI__pythia-${size}_mean_42`))
    const trajectory = path(`bandit/searches/${searches[0]}/trajectory.jsonl`)
    const before = readFileSync(trajectory, 'utf8')
    const again = await bandit()
    expect([again.code, again.stderr.includes('claimed'), readFileSync(trajectory, 'utf8')]).toEqual([0, false, before])
    const results = path('bandit/results/EleutherAI__pythia-14m/1234567890abcdef1234567890abcdef12345678/experiments')
    expect(readdirSync(results).toSorted()).toEqual(['h0+len2048+unit', 'h1+len2048+unit'])
    expect(existsSync(join(results, 'h0+len2048+unit', 'EmotionClassification.json'))).toBe(true)
  })
})

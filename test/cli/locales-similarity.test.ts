/** `strata locales --similarity task-vectors` and `hidden-states`, by the program: weights, kept values, refusals. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'
import { hubAt, seedsWorld } from './seeds-world.ts'

const { path } = scratchFolder()
const run = (...words: string[]): Promise<Ran> =>
  strata(['locales', '--models', './m', ...words], { env: hubAt(path('')), cwd: path('') })
const study = (results: string, ...words: string[]): Promise<Ran> =>
  run('--results', results, '--mode', 'similarity', '--locales', 'sq-AL', '--temperature', 'none', ...words)
const byVectors = ['--similarity', 'task-vectors', '--base-model', './ancestor'] as const
const byStates = ['--similarity', 'hidden-states'] as const
const kept = (name: string): string => readFileSync(path(`cache/similarities/${name}.jsonl`), 'utf8')

/** By source, in the order of the recipe. */
function weights(results: string): Record<string, number> {
  const recipe = readFileSync(path(`${results}/recipes/similarity_merge_sq-AL.yml`), 'utf8')
  const found = [...recipe.matchAll(/m\/([\w-]+).*?weight[" ]*: *([\d.e-]+)/g)]
  return Object.fromEntries(found.map(([, source = '', weight]) => [source, Number(weight)]))
}

/** The ancestor plus steps in the first numbers of its embeddings, under another head each. */
async function tuned(folder: string, ...steps: readonly number[]): Promise<void> {
  const words = counting(7, 4)
  await writeSmallModel(path(folder), {
    'config.json': {
      architectures: ['BertForSequenceClassification'],
      id2label: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, `LABEL_${i}`])),
    },
    'model.safetensors': {
      'embeddings.word_embeddings.weight': {
        ...words,
        values: Float32Array.from(words.values, (value, i) => value + (steps[i - 16] ?? 0)),
      },
      'classifier.weight': {
        ...counting(60, 4),
        values: Float32Array.from({ length: 240 }, (_, i) => Math.sin(i + steps.length + (steps[0] ?? 0))),
      },
      'classifier.bias': counting(60),
    },
  })
}

beforeAll(async () => {
  await seedsWorld(path(''))
  await tuned('ancestor')
  await tuned('m/sq-AL', 1)
  await tuned('m/cy-GB', 0.5, 0.5)
  await tuned('m/ja-JP', 0.25, 0.75)
})

test('task vectors: weights in proportion to the cosines, and in a second run those that were kept', async () => {
  expect((await study('vectors', ...byVectors)).code).toBe(0)
  const [near, far] = [1 / Math.sqrt(2), 1 / Math.sqrt(10)]
  const first = weights('vectors')
  expect(Object.keys(first)).toEqual(['cy-GB', 'ja-JP'])
  // the ancestor's numbers have seven digits
  expect(first['cy-GB']).toBeCloseTo(near / (near + far), 6)
  expect(first['ja-JP']).toBeCloseTo(far / (near + far), 6)
  const lines = kept('task-vectors')
  await study('vectors-2', ...byVectors)
  expect([kept('task-vectors'), weights('vectors-2')]).toEqual([lines, first])
  // the run trusts the kept values, so it has computed nothing
  writeFileSync(path('cache/similarities/task-vectors.jsonl'), lines.replaceAll(/"value":[\d.]+/g, '"value":0.5'))
  await study('vectors-3', ...byVectors)
  expect(weights('vectors-3')).toEqual({ 'cy-GB': 0.5, 'ja-JP': 0.5 })
  rmSync(path('cache/similarities/task-vectors.jsonl'))
  // another weight is another pair, in the same folder too, and the earlier pairs are still there
  await tuned('m/ja-JP', -0.25, 0.75)
  await study('vectors', ...byVectors)
  expect(weights('vectors')).toEqual({ 'cy-GB': 1 })
  await tuned('m/ja-JP', 0.25, 0.75)
  await study('vectors', ...byVectors)
  expect(weights('vectors')).toEqual(first)
  // another base, too: seen from cy-GB, ja-JP went the other way
  const { code, stderr } = await study('vectors', '--similarity', 'task-vectors', '--base-model', './m/cy-GB')
  expect([code, stderr]).toEqual([2, expect.stringContaining('no source for this target')])
})

test('hidden states: another number of texts or tokens in the same folder answers as in a new one', async () => {
  const settings = [[], ['--similarity-texts', '4'], ['--max-length', '2'], []]
  const found: Record<string, number>[] = []
  for (const [at, words] of settings.entries()) {
    const { code, stderr } = await study('states', ...byStates, ...words)
    expect([code, stderr.includes('failed')]).toEqual([0, false])
    found.push(weights('states'))
    await study(`states-${at}`, ...byStates, ...words, '--cache-dir', `cache-${at}`)
    expect([at, weights(`states-${at}`)]).toEqual([at, found[at]])
  }
  expect(found[3]).toEqual(found[0])
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(3)
  const lines = kept('hidden-states')
  expect(lines.trim().split('\n')).toHaveLength(6)
  writeFileSync(path('cache/similarities/hidden-states.jsonl'), lines.replaceAll(/"value":[\d.]+/g, '"value":0.25'))
  await study('states', ...byStates)
  expect(weights('states')).toEqual({ 'cy-GB': 0.5, 'ja-JP': 0.5 })
  rmSync(path('cache/similarities/hidden-states.jsonl'))
})

test.each([{ words: byVectors }, { words: byStates }])('$words have a table of the sources, too', async ({ words }) => {
  const { code } = await run(
    '--results',
    'chosen',
    '--mode',
    'similarity',
    '--locales',
    'sq-AL',
    ...words,
    '--choose',
    'greedy',
  )
  expect(code).toBe(0)
  // the picks by rank: 1 and 1/2, or 1 where the second adds nothing
  expect(Object.values(weights('chosen')).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9)
})

test('a target needs a model of its own; a source that cannot be opened is none', async () => {
  const lone = ['--results', 'lone', '--mode', 'similarity', '--locales', 'de-DE', ...byVectors]
  const without = await run(...lone)
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('de-DE: has no model of its own')])
  writeFileSync(path('models.csv'), 'locale,model_name\nsq-AL,./m/sq-AL\ncy-GB,./m/cy-GB\nja-JP,./m/gone\n')
  const asked = ['--models', 'models.csv', '--mode', 'similarity', '--results', 'lone', ...byVectors]
  const source = await strata(['locales', ...asked, '--locales', 'sq-AL'], { env: hubAt(path('')), cwd: path('') })
  expect([source.code, source.stderr]).toEqual([0, expect.stringContaining('no source  ./m/gone')])
  expect(weights('lone')).toEqual({ 'cy-GB': 1 })
  const target = await strata(['locales', ...asked, '--locales', 'ja-JP'], { env: hubAt(path('')), cwd: path('') })
  expect([target.code, target.stderr]).toEqual([2, expect.stringMatching(/ja-JP.*has no model.*gone/)])
})

test.each([
  [['--similarity', 'task-vectors'], 'name it with --base-model'],
  [['--similarity', 'task-vektors'], 'did you mean task-vectors?'],
  [['--similarity-texts', '9'], 'add --similarity hidden-states'],
  [[...byVectors, '--lambda', '1'], 'add --choose qp'],
] as const)('%j is refused: %s', async (words, hint) => {
  const { code, stderr } = await run(...words)
  expect([code, stderr]).toEqual([2, expect.stringContaining(hint)])
})

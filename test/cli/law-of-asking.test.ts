/**
 * The law of asking: an invocation answers the same whatever its folders hold. Two invocations whose answers differ in
 * empty folders are asked one after the other in one folder, with one cache; the second must answer as it did alone.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { nightly } from '../nightly.ts'
import { scratchFolder } from '../scratch.ts'
import { toAnswer } from './answers.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()

/** Two splits of two subsets in two languages. */
function task(name: string, seed: number): string {
  const words = (i: number, length: number): string =>
    Array.from({ length }, (_, k) => 'ab'[(i >> (k % 4)) & 1]).join(' ')
  for (const [at, part] of ['en-dev', 'en-test', 'de-dev', 'de-test'].entries())
    file(
      `${name}-${part}.csv`,
      [
        'sentence1,sentence2,score',
        ...Array.from(
          { length: 10 },
          (_, i) =>
            `${words(i + at + seed, 1 + (i % 4))},${words(3 * i + at, 2 + (i % 3))},${(i * (at + 2 + seed)) % 11}`,
        ),
        '',
      ].join('\n'),
    )
  const subsets = ['en', 'de'].map((one) => `${one}: { dev: ${name}-${one}-dev.csv, test: ${name}-${one}-test.csv }`)
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nsplits: [test]\nlanguages: { en: [eng-Latn], de: [deu-Latn] }\ndata: { subsets: { ${subsets.join(', ')} } }\n`,
  )
}

let tasks: string[] = []
beforeAll(async () => {
  await writeSmallModel(path('model'))
  const words = counting(7, 4)
  // another model in a folder of the same name
  const values = Float32Array.from(words.values, (value, i) => value + Math.sin(3 * i))
  mkdirSync(path('elsewhere'))
  await writeSmallModel(path('elsewhere/model'), {
    'model.safetensors': { 'embeddings.word_embeddings.weight': { ...words, values } },
  })
  tasks = ['One', 'Two'].map((name, at) => task(name, 2 * at))
})

const own =
  (...more: string[]): (() => string[]) =>
  () => ['evaluate', path('model'), ...both(), ...more]
const layers =
  (...more: string[]): (() => string[]) =>
  () => ['layers', path('model'), ...both(), ...more]
const both = (): string[] => tasks.flatMap((one) => ['--task-file', one])

const invocations: Readonly<Record<string, () => string[]>> = {
  evaluate: own(),
  'evaluate, one task': () => ['evaluate', path('model'), '--task-file', tasks[0] ?? ''],
  'evaluate, another model of the name': () => ['evaluate', path('elsewhere/model'), ...both()],
  'evaluate --splits dev': own('--splits', 'dev'),
  'evaluate --splits dev,test': own('--splits', 'dev,test'),
  'evaluate --subsets en': own('--subsets', 'en'),
  'evaluate --subsets de': own('--subsets', 'de'),
  'evaluate --languages deu': own('--languages', 'deu'),
  'evaluate --languages fra': own('--languages', 'fra'),
  'evaluate --representation h0': own('--representation', 'h0'),
  'evaluate --representation default,h1': own('--representation', 'default,h1'),
  'evaluate --pooling max': own('--pooling', 'max'),
  'evaluate --max-length 3': own('--max-length', '3'),
  'evaluate --prompt': own('--prompt', 'a '),
  'evaluate --dtype int8': own('--dtype', 'int8'),
  layers: layers(),
  'layers --layers 0': layers('--layers', '0'),
  'layers --subsets de': layers('--subsets', 'de'),
  'layers --layers 0,1 --splits dev': layers('--layers', '0,1', '--splits', 'dev'),
}
const names = Object.keys(invocations)

async function answerIn(folder: string, name: string): Promise<string> {
  const places = ['--results', path(folder), '--cache-dir', path(`${folder}-cache`), '--json']
  return toAnswer(await strata([...(invocations[name]?.() ?? []), ...places]), path(folder))
}

/** Every ninth, so that each comes first and second with others; at night all. */
const pairs = names.flatMap((first, i) =>
  names.flatMap((second, j) => (i !== j && (nightly || (5 * i + 7 * j) % 9 === 0) ? [[first, second] as const] : [])),
)

describe('an invocation answers as it does in empty folders', () => {
  const alone = new Map<string, Promise<string>>()
  const fresh = (name: string): Promise<string> => {
    const known = alone.get(name) ?? answerIn(`alone-${names.indexOf(name)}`, name)
    alone.set(name, known)
    return known
  }

  test.each(pairs)('after %s: %s', async (first, second) => {
    const folder = `after-${names.indexOf(first)}-${names.indexOf(second)}`
    await answerIn(folder, first)
    expect(await answerIn(folder, second)).toBe(await fresh(second))
  })

  test('and the answers are not all the same', async () => {
    const answers = await Promise.all(names.map(fresh))
    expect(new Set(answers).size).toBeGreaterThan(names.length - 3)
    expect(readFileSync(path('One.yaml'), 'utf8')).toContain('deu-Latn')
  })
})

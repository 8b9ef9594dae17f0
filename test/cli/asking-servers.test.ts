import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'
import { running } from './serving.ts'

const { path, file } = scratchFolder()
const model = 'assets/models/stories260K'
const sentences = [
  'Once upon a time there was a little girl named Lily.',
  'Tom had a big red ball and he liked to play with it.',
  'The cat sat on the mat and looked at the bird.',
  'Mum said that it was time to go to bed.',
  'They went to the park and saw a dog.',
  'It rained all day, so they stayed at home.',
  'The dog ran after the ball.',
  'Lily was sad because her toy was broken.',
]
const at = (i: number): string => sentences[i % sentences.length] ?? ''

beforeAll(() => {
  const pairs = Array.from({ length: 12 }, (_, i) => ({
    sentence1: at(i),
    sentence2: at(3 * i + 1),
    score: (i * 7) % 5,
  }))
  file('pairs.json', JSON.stringify(pairs))
  file('pairs.yaml', 'name: Pairs\ntype: STS\ndata: { test: pairs.json }\n')
  file('corpus.json', JSON.stringify(sentences.map((text, i) => ({ _id: `d${i}`, text }))))
  const questions = ['Who is sad?', 'Where is the cat?', 'What did Tom like?', 'What did the dog do?']
  file('queries.json', JSON.stringify(questions.map((text, i) => ({ _id: `q${i}`, text }))))
  file('qrels.tsv', 'query-id\tcorpus-id\tscore\nq0\td7\t1\nq1\td2\t1\nq2\td1\t1\nq3\td6\t1\nq3\td4\t1\n')
  file(
    'search.yaml',
    'name: Search\ntype: Retrieval\ndata: { corpus: corpus.json, queries: queries.json, qrels: qrels.tsv }\n',
  )
  const labelled = Array.from({ length: 16 }, (_, i) => ({ text: `${at(i)} ${at(5 * i + 2)}`, label: i % 2 }))
  file('labelled.json', JSON.stringify(labelled))
  file(
    'kinds.yaml',
    'name: Kinds\ntype: Classification\nsamples_per_label: 4\ndata: { train: labelled.json, test: labelled.json }\n',
  )
})

const tasks = ['pairs.yaml', 'search.yaml', 'kinds.yaml']
const taskFlags = (names = tasks): string[] => names.flatMap((name) => ['--task-file', path(name)])

async function scores(args: readonly string[], names = tasks): Promise<Map<string, Result>> {
  const { code, stdout, stderr } = await strata(['evaluate', ...taskFlags(names), '--json', ...args])
  if (code !== 0) throw new Error(`${stderr}${stdout}`)
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result)
  return new Map(results.map((result) => [result.task_name, result]))
}

/** Every number of the scores, by its place. */
function numbers(value: unknown, place = ''): [string, number][] {
  if (typeof value === 'number') return [[place, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => numbers(one, `${place}/${name}`))
}

const served = (address: string, more = ''): string[] => [
  '--model',
  'openai-embeddings',
  '--model_args',
  `base_url=${address}/v1,model=stories260K${more}`,
]
const kept = (name: string): string[] => ['--results', path(`${name}-results`), '--cache-dir', path(`${name}-cache`)]

describe('strata evaluate asks a server for vectors', () => {
  test('our own server gives the scores of the model itself', async () => {
    const own = await scores([model, ...kept('own'), '--representation', 'default'])
    const inner = await scores([model, ...kept('own'), '--representation', 'h2'])
    await running([model], { OMP_NUM_THREADS: '1' }, async (address) => {
      const asked = await scores([...served(address, ',batch=3,num_concurrent=2'), ...kept('asked')])
      const behind = await scores([...served(address, '#h2,encoding_format=base64'), ...kept('asked')])
      const tei = ['--model', 'tei-embeddings', '--model_args', `base_url=${address}/embed,model=stories260K`]
      const embedded = await scores([...tei, ...kept('asked')])
      for (const [found, wanted] of [
        [asked, own],
        [behind, inner],
        // its vectors have length 1, and the tasks compare by cosine or learn from them
        [embedded, await scores([model, ...kept('own'), '--normalize'])],
      ] as const)
        for (const name of ['Pairs', 'Search', 'Kinds']) {
          const expected = numbers(wanted.get(name)?.scores)
          const actual = new Map(numbers(found.get(name)?.scores))
          expect(expected.length).toBeGreaterThan(3)
          // both ways send the same float32: 1e-6 is the bound that was asked for
          for (const [place, value] of expected) expect(actual.get(place), `${name}${place}`).toBeCloseTo(value, 6)
        }
      // another layer has other scores, so that equal ones mean something
      expect(numbers(own.get('Pairs')?.scores)).not.toEqual(numbers(inner.get('Pairs')?.scores))
    })
  })
})

/** `strata moments`, by the program: its numbers, and when a file is taken again. */
import { appendFileSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { openTensors, readFloat32 } from '#files/formats'
import { diagonalFisher } from '#model/gradient'
import { findTasks } from '#task/registry'
import { scratchFolder } from '../scratch.ts'
import { type Ran, strata } from './program.ts'
import { hubAt, seedsWorld } from './seeds-world.ts'

const { path } = scratchFolder()
const run = (...words: string[]): Promise<Ran> => strata(['moments', ...words], { env: hubAt(path('')), cwd: path('') })
const asked = (out: string, ...words: string[]): Promise<Ran> =>
  run('./k/sq-AL', '--subset', 'sq-AL', '--out', out, ...words)
const bytes = (name: string): string => readFileSync(path(name)).toString('base64')

beforeAll(() => seedsWorld(path('')))

test('labelled: the classes are those of the data, by the names of the head', async () => {
  expect((await asked('all.safetensors', '--labels', 'labelled')).code).toBe(0)
  const { tasks } = await findTasks(['MASSIVEIntent'])
  const names = tasks[0]?.labels ?? []
  const train = readFileSync(
    path(`hub/datasets--AmazonScience--massive/snapshots/1234567890abcdef1234567890abcdef12345678/sq-AL/train.jsonl`),
    'utf8',
  )
  const examples = train
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { utt: string; intent: string })
    .map(({ utt, intent }) => ({
      ids: utt.split(' ').map((word) => (word === 'a' ? 4 : 5)),
      label: names.indexOf(intent),
    }))
  expect(examples).toHaveLength(20)
  const config = JSON.parse(readFileSync(path('k/sq-AL/config.json'), 'utf8')) as Record<string, unknown>
  const tensors = await openTensors(path('k/sq-AL/model.safetensors'))
  const wanted = await diagonalFisher({ config, tensors, examples, labels: 'labelled' })
  const written = await openTensors(path('all.safetensors'))
  expect(written.names().toSorted()).toEqual([...wanted.keys()].toSorted())
  for (const [name, values] of wanted) expect(await readFloat32(written, name)).toEqual(values)
  for (const one of [tensors, written]) await one.close()
})

test('a file is taken again while the same would be written, and no longer', async () => {
  const states = async (...words: string[]): Promise<string> => {
    const { code, stdout } = await asked('kept.safetensors', '--json', ...words)
    const { reused, texts } = JSON.parse(stdout) as { reused: boolean; texts: number }
    expect(code).toBe(0)
    return `${texts} ${reused ? 'kept' : 'written'}`
  }
  expect([await states(), await states()]).toEqual(['20 written', '20 kept'])
  const first = bytes('kept.safetensors')
  for (const other of [
    ['--texts', '5'],
    ['--labels', 'expected'],
    ['--labels', 'labelled'],
    ['--seed', '7'],
    ['--max-length', '2'],
    ['--split', 'test'],
    ['--kind', 'gram'],
  ]) {
    expect([other, await states(...other)]).toEqual([other, expect.stringMatching(/ written$/)])
    expect([other, bytes('kept.safetensors') === first]).toEqual([other, false])
  }
  expect([await states(), bytes('kept.safetensors') === first]).toEqual(['20 written', true])
  // other weights under the same name, and a file that somebody changed
  const elsewhere = await run('./k/cy-GB', '--subset', 'sq-AL', '--out', 'kept.safetensors')
  expect([elsewhere.code, bytes('kept.safetensors') === first]).toEqual([0, false])
  expect(await states()).toBe('20 written')
  appendFileSync(path('kept.safetensors'), 'x')
  expect([await states(), bytes('kept.safetensors') === first]).toEqual(['20 written', true])
})

test.each([
  [['./k/sq-AL', '--out', 'x.safetensors'], 'several subsets'],
  [['./k/sq-AL', '--subset', 'sq-AX', '--out', 'x.safetensors'], 'sq-AX'],
  [['./k/sq-AL', '--subset', 'sq-AL'], 'no file is given to write'],
  [['./k/sq-AL', '--subset', 'sq-AL', '--out', 'x.safetensors', '--kind', 'gram', '--seed', '3'], 'no effect on Gram'],
  [['./k/sq-AL', '--subset', 'sq-AL', '--out', 'x.safetensors', '--split', 'dev'], 'dev'],
  [
    ['./k/sq-AL', '--subset', 'default', '--task', 'EmotionClassification', '--out', 'x.safetensors'],
    'for classifiers',
  ],
  [['./model', '--subset', 'sq-AL', '--out', 'x.safetensors'], 'BertForSequenceClassification'],
  [['./k/xx', '--subset', 'sq-AL', '--out', 'x.safetensors'], 'no such folder'],
] as const)('%j is refused: %s', async (words, said) => {
  const { code, stderr } = await run(...words)
  expect([code, stderr]).toEqual([expect.toSatisfy((status: number) => status > 0), expect.stringContaining(said)])
})

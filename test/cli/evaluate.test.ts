import { beforeAll, expect, test } from 'vitest'
import type { Result } from '#core'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { shared, sharedPath } from '../shared.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const table = (texts: readonly string[]): string =>
  ['sentence1,sentence2,score', ...texts.map((text, i) => `${text},b a,${String(i)}`), ''].join('\n')
file('dev.csv', table(['a', 'a b', 'b b a', 'b']))
file('test.csv', table(['b a a', 'b', 'a', 'a a b']))
const task = file('pairs.yaml', 'name: Pairs\ntype: STS\nsplits: [test]\ndata: { dev: dev.csv, test: test.csv }\n')
const modules = ['Transformer', 'Pooling'].map((name, idx) => ({
  idx,
  name,
  path: ['', '1_Pooling'][idx],
  type: `sentence_transformers.models.${name}`,
}))
beforeAll(async () => {
  await writeSmallModel(path('model'), {
    'modules.json': modules,
    '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true },
    'config_sentence_transformers.json': { prompts: { own: 'b b ' } },
  })
})

async function asked(...flags: readonly string[]): Promise<Result> {
  const folders = ['--results', path('results'), '--cache-dir', path('cache')]
  const { stdout, stderr } = await strata([
    'evaluate',
    path('model'),
    '--task-file',
    task,
    '--json',
    ...folders,
    ...flags,
  ])
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Result
}

test('flags of strata evaluate reach what they ask for', async () => {
  const { scores, strata: first } = await asked(
    '--splits',
    'dev,test',
    '--profile',
    'mteb-1',
    '--prompt',
    'a ',
    '--max-length',
    '3',
  )
  expect(Object.keys(scores ?? {})).toEqual(['dev', 'test'])
  expect(first).toMatchObject({ status: 'ok', profile: 'mteb-1', settings: { prompt: 'a ', maxLength: 3 } })
  const { strata: second } = await asked(
    '--prompt-name',
    'own',
    '--pooling',
    'lasttoken',
    '--architecture',
    'roberta',
    '--representation',
    'h0',
  )
  expect(second).toMatchObject({ status: 'ok', profile: 'mteb-2', settings: { prompt: 'b b ', pooling: 'lasttoken' } })
  expect(second.representation).toMatch(/^h0\+lasttoken\+prompt-own.*\+as-roberta$/)
  expect(await asked('--threads', '5000')).toMatchObject({
    error: { code: 'usage.value', message: '--threads: is not a number of threads – 5000, wanted 1 … 1024' },
  })
})

test.skipIf(!shared)('strata encode norms every state of a decoder, token by token the last one alone', async () => {
  const normOf = async (...flags: readonly string[]): Promise<unknown> => {
    const model = sharedPath('models', 'pico', 'sentence-transformers', 'lasttoken-qwen2')
    const { stdout } = await strata([
      'encode',
      model,
      '--dry-run',
      '--json',
      '--out',
      path('never.safetensors'),
      ...flags,
    ])
    return (JSON.parse(stdout) as { settings: { finalNorm: unknown } }).settings.finalNorm
  }
  expect([await normOf(), await normOf('--tokens'), await normOf('--tokens', '--final-norm', 'always')]).toEqual([
    'always',
    'native',
    'always',
  ])
})

test('splits are named for all tasks at once: each answers to those that its data have', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, i) => `${'a '.repeat(1 + (i % 4))},${'b '.repeat(1 + (i % 3))}a,${(i * 5) % 6}`,
  )
  file('rows.csv', `first,second,rating\n${rows.join('\n')}\n`)
  for (const [name, splits] of Object.entries({ Both: ['test', 'validation'], One: ['test'] }))
    file(
      `${name}.yaml`,
      `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata: { ${splits.map((split) => `${split}: rows.csv`).join(', ')} }\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`,
    )
  const scored = (...words: string[]) =>
    strata([
      'evaluate',
      path('splits-model'),
      ...words.flatMap((name) => ['--task-file', path(`${name}.yaml`)]),
      '--splits',
      'test,validation',
      '--results',
      path('splits'),
      '--cache-dir',
      path('cache'),
      '--json',
    ])
  await writeSmallModel(path('splits-model'))
  const splitsIn = ({ stdout }: { stdout: string }) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { scores, strata: own } = JSON.parse(line) as {
          scores?: Record<string, unknown>
          strata: { status: string; notices?: string[] }
        }
        return [Object.keys(scores ?? {}), own.status, own.notices?.filter((one) => one.includes('no split'))]
      })
  const first = await scored('Both', 'One')
  const answered = [
    [['test', 'validation'], 'ok', []],
    [['test'], 'ok', ['no split validation: left out, the other tasks may have it']],
  ]
  expect([first.code, splitsIn(first).map(([splits, status, notices]) => [splits, status, notices ?? []])]).toEqual([
    0,
    answered,
  ])
  const again = await strata([
    'evaluate',
    path('splits-model'),
    '--task-file',
    path('Both.yaml'),
    '--task-file',
    path('One.yaml'),
    '--splits',
    'test,validation',
    '--results',
    path('splits'),
    '--dry-run',
  ])
  expect(again.stdout).toContain('0 to run, 2 reused')
  // for one task alone it is a mistake
  const alone = await scored('One')
  expect([alone.code, splitsIn(alone)[0]?.[1]]).toEqual([1, 'failed'])
})

test('a split that one of several tasks lacks is in no mean, and is forgotten where a task is asked alone', async () => {
  await writeSmallModel(path('lacking-model'))
  const rows = Array.from({ length: 12 }, (_, i) => `${'a '.repeat(1 + (i % 4))},${'b '.repeat(1 + (i % 3))}a,${i}`)
  file('lacking.csv', `sentence1,sentence2,score\n${rows.join('\n')}\n`)
  for (const [name, splits] of Object.entries({ Whole: ['test', 'validation'], Lacking: ['test'] }))
    file(
      `${name}.yaml`,
      `name: ${name}\ntype: STS\nsplits: [test]\ndata: { ${splits.map((split) => `${split}: lacking.csv`).join(', ')} }\n`,
    )
  const ask = async (folder: string, names: readonly string[]) => {
    const files = names.flatMap((name) => ['--task-file', path(`${name}.yaml`)])
    const places = ['--results', path(folder), '--cache-dir', path('cache')]
    const { code, stdout, stderr } = await strata(
      ['evaluate', path('lacking-model'), ...files, '--splits', 'test,validation', ...places],
      {},
    )
    return { code, stderr, table: stdout.slice(0, stdout.indexOf('scores × 100')) }
  }
  const both = await ask('lacking', ['Whole', 'Lacking'])
  expect([both.code, both.table]).toEqual([0, expect.stringContaining('over 2 tasks')])
  expect(both.stderr).toContain('Lacking default: no split validation')
  const alone = await ask('lacking', ['Lacking'])
  expect([alone.code, alone.stderr]).toEqual([1, expect.not.stringContaining('the other tasks may have it')])
  expect(alone).toEqual(await ask('lacking-fresh', ['Lacking']))
})

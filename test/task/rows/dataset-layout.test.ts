import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readLayout } from '../../../src/task/rows/dataset-layout.ts'
import { globMatcher } from '../../../src/task/rows/glob.ts'
import { splitsByName } from '../../../src/task/rows/split-files.ts'
import { makeRepo, readme } from './made-repo.ts'

const holds = <Values>(property: fc.IProperty<Values>): void => fc.assert(property, { seed: 1 })

async function layout(files: Record<string, string>) {
  const repo = await makeRepo(files)
  onTestFinished(repo.remove)
  const { configs, standard } = await readLayout(repo.files)
  return {
    configs: Object.fromEntries([...configs].map(([name, { splits }]) => [name, Object.fromEntries(splits)])),
    standard: standard?.name,
  }
}

const head = (yaml: string): string => `---\n${yaml}\n---\ntext`

describe('splits by file names, as Hugging Face datasets has them', () => {
  test.each([
    [
      'file names',
      ['train.jsonl.gz', 'validation.jsonl.gz', 'test.jsonl.gz'],
      { train: ['train.jsonl.gz'], validation: ['validation.jsonl.gz'], test: ['test.jsonl.gz'] },
    ],
    [
      'keywords between separators',
      ['my-train_0.csv', 'dev.csv', 'contest.csv'],
      { train: ['my-train_0.csv'], validation: ['dev.csv'] },
    ],
    [
      'exported shards, of any split name',
      ['data/test-00001-of-00002.parquet', 'data/test-00000-of-00002.parquet', 'data/extra-00000-of-00001-abc.parquet'],
      {
        test: ['data/test-00000-of-00002.parquet', 'data/test-00001-of-00002.parquet'],
        extra: ['data/extra-00000-of-00001-abc.parquet'],
      },
    ],
    [
      'folders before files',
      ['test/part-train.jsonl', 'train/a.jsonl'],
      { train: ['train/a.jsonl'], test: ['test/part-train.jsonl'] },
    ],
    [
      'nothing telling: all is train',
      ['b.jsonl', 'a.jsonl', 'README.md', '.hidden.jsonl', 'dataset_infos.json'],
      { train: ['a.jsonl', 'b.jsonl'] },
    ],
    ['no rows at all', ['README.md', 'script.py'], {}],
  ])('%s', (_, paths, want) => expect(Object.fromEntries(splitsByName(paths))).toEqual(want))
})

describe('configs of a README', () => {
  test('paths, lists, globs and folders, files in order', async () => {
    const files = Object.fromEntries(
      ['en/test.jsonl', 'de/test.jsonl', 'de/more/test.jsonl', 'x/b.jsonl', 'x/a.jsonl'].map((path) => [path, '{}\n']),
    )
    const found = await layout({
      ...files,
      'README.md': readme({
        en: { test: 'en/test.jsonl' },
        all: { test: '*/test.jsonl' },
        deep: { test: ['**/test.jsonl', 'en/test.jsonl'] },
        folder: { train: 'x' },
      }),
    })
    expect(found.configs).toEqual({
      en: { test: ['en/test.jsonl'] },
      all: { test: ['de/test.jsonl', 'en/test.jsonl'] },
      // what two patterns match is read twice, as the reference does
      deep: { test: ['de/more/test.jsonl', 'de/test.jsonl', 'en/test.jsonl', 'en/test.jsonl'] },
      folder: { train: ['x/a.jsonl', 'x/b.jsonl'] },
    })
    expect(found.standard).toBeUndefined()
  })
  test.each([
    [
      'a single path is train',
      'configs:\n- config_name: default\n  data_files: a.csv',
      { default: { train: ['a.csv'] } },
      'default',
    ],
    [
      'a mapping from split to path',
      'configs:\n- config_name: main\n  data_files: {test: a.csv}',
      { main: { test: ['a.csv'] } },
      'main',
    ],
    [
      'a folder with split names inside',
      'configs:\n- config_name: only\n  data_dir: d',
      { only: { test: ['d/test.csv'] } },
      'only',
    ],
    [
      'patterns relative to a folder',
      'configs:\n- config_name: only\n  data_dir: d/\n  data_files:\n  - split: test\n    path: "*.csv"',
      { only: { test: ['d/test.csv'] } },
      'only',
    ],
    [
      'a config marked as default',
      'configs:\n- config_name: a\n  data_files: a.csv\n- config_name: b\n  default: true\n  data_files: a.csv',
      { a: { train: ['a.csv'] }, b: { train: ['a.csv'] } },
      'b',
    ],
    [
      'a config whose name is a number',
      'configs:\n- config_name: 2021\n  data_files: a.csv',
      { '2021': { train: ['a.csv'] } },
      '2021',
    ],
    ['no configs: names decide', 'license: mit', { default: { test: ['d/test.csv'] } }, 'default'],
    [
      'a glob that matches nothing leaves an empty split',
      'configs:\n- config_name: default\n  data_files: "no/*.csv"',
      { default: { train: [] } },
      'default',
    ],
  ])('%s', async (_, yaml, configs, standard) => {
    expect(await layout({ 'a.csv': 'x\n1\n', 'd/test.csv': 'x\n1\n', 'README.md': head(yaml) })).toEqual({
      configs,
      standard,
    })
  })
  test('a file that is named and not there is refused', async () => {
    await expect(layout({ 'README.md': readme({ default: { test: 'gone.jsonl' } }) })).rejects.toMatchObject({
      code: 'task.split',
      message: expect.stringContaining('gone.jsonl') as string,
    })
  })
  test('a head that is not YAML is refused with its place', async () => {
    await expect(layout({ 'README.md': head('configs: [') })).rejects.toMatchObject({ code: 'format.yaml' })
  })
  test('odd values of known keys are ignored, not trusted', async () => {
    expect(
      await layout({ 'test.csv': 'x\n1\n', 'README.md': head('configs: 7\ndataset_info: [null, 3, {features: x}]') }),
    ).toMatchObject({
      configs: { default: {} },
    })
  })
})

describe('globs', () => {
  test.each([
    ['*.csv', 'a.csv', true],
    ['*.csv', 'd/a.csv', false],
    ['**/*.csv', 'a.csv', true],
    ['**/*.csv', 'd/e/a.csv', true],
    ['data/train-*', 'data/train-00000.parquet', true],
    ['[a-c]?.json{l,}', 'b1.jsonl', true],
    ['[!a-c]?.jsonl', 'b1.jsonl', false],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/xb', false],
    ['a**b', 'a/x/b', true],
    ['?', '/', false],
    ['{a,b}{c,d}', 'bc', true],
    ['{train,test}.csv', 'test.csv', true],
    ['a.b', 'axb', false],
    ['(a|b)+$', '(a|b)+$', true],
  ])('%s on %s: %s', (pattern, path, want) => expect(globMatcher(pattern)(path)).toBe(want))
  test('a path without pattern characters matches itself and nothing else', () =>
    holds(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (path, other) => {
        const plain = path.replace(/[*?[\]{}]/g, '')
        expect(globMatcher(plain)(plain)).toBe(true)
        expect(globMatcher(plain)(other)).toBe(plain === other)
      }),
    ))
  test('many stars do not take forever', () => expect(globMatcher('*a'.repeat(12) + 'b')('a'.repeat(60))).toBe(false))
})

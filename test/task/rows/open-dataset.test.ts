import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hubSettings, openRepo } from '#files/hub'
import { readSplit } from '../../../src/task/rows/dataset.ts'
import { exportLayout } from '../../../src/task/rows/dataset-layout.ts'
import { openDatasetAt, parquetBranch } from '../../../src/task/rows/open-dataset.ts'
import { createTableWriter } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const scratch = scratchFolder()
const [main, converted] = ['a'.repeat(40), 'b'.repeat(40)]

/** An offline cache as Hugging Face's own library lays it out: revisions of `org/name`, each with its files. */
async function cache(
  name: string,
  revisions: Record<string, { commit: string; files: Record<string, string | readonly string[]> }>,
) {
  const repo = join(scratch.path(name), 'hub', 'datasets--org--name')
  for (const [revision, { commit, files }] of Object.entries(revisions)) {
    mkdirSync(dirname(join(repo, 'refs', revision)), { recursive: true })
    writeFileSync(join(repo, 'refs', revision), commit)
    for (const [path, content] of Object.entries(files)) {
      const at = join(repo, 'snapshots', commit, path)
      mkdirSync(dirname(at), { recursive: true })
      if (typeof content === 'string') writeFileSync(at, content)
      else {
        const writer = await createTableWriter(at, [{ name: 'text', type: 'text' }])
        await writer.append(content.map((text) => ({ text })))
        await writer.finish()
      }
    }
  }
  const settings = hubSettings({ HF_HOME: scratch.path(name), HF_HUB_OFFLINE: '1' })
  return (path: string, revision: string) => openRepo(`${path}@${revision}`, { type: 'dataset', settings })
}

describe('a data set that is a script', () => {
  test('is read as the hub has converted it', async () => {
    const open = await cache('converted', {
      main: { commit: main, files: { 'README.md': '# A data set\n', 'name.py': 'import datasets\n' } },
      [parquetBranch]: {
        commit: converted,
        files: {
          'en/test/0001.parquet': ['c'],
          'en/test/0000.parquet': ['a', 'b'],
          'en/partial-train/0000.parquet': ['t'],
          'de/name-test-00000-of-00001.parquet': ['d'],
        },
      },
    })
    const dataset = await openDatasetAt(open, 'org/name', 'main', 'task')
    expect(dataset.revision).toBe(converted)
    const read = async (config: string, split: string): Promise<unknown> => {
      const own = dataset.layout.configs.get(config)
      if (own === undefined) throw new Error(config)
      return (await readSplit(dataset, own, split, { columns: ['text'] })).columns['text']
    }
    expect(await read('en', 'test')).toEqual(['a', 'b', 'c'])
    expect(await read('en', 'train')).toEqual(['t'])
    expect(await read('de', 'test')).toEqual(['d'])
    const asked = await openDatasetAt(open, 'org/name', parquetBranch, 'task')
    expect([...asked.layout.configs.keys()]).toEqual([...dataset.layout.configs.keys()])
  })
  test('is refused by name, with what to fetch, when it was not converted', async () => {
    const open = await cache('script', {
      main: { commit: main, files: { 'name.py': 'import datasets\n', LICENSE: 'x' } },
    })
    await expect(openDatasetAt(open, 'org/name', 'main', 'task')).rejects.toMatchObject({
      code: 'task.unsupported',
      message: expect.stringContaining('name.py') as string,
      hint: expect.stringContaining('refs/convert/parquet org/name') as string,
    })
  })
  test('the files that a script reads are not taken for rows, unless the head says so', async () => {
    const files = { 'name.py': 'import datasets\n', 'train.csv': 'raw\nx\n' }
    const hidden = await cache('raw', { main: { commit: main, files } })
    await expect(openDatasetAt(hidden, 'org/name', 'main', 'task')).rejects.toMatchObject({ code: 'task.unsupported' })
    const declared = await cache('said', {
      main: {
        commit: main,
        files: { ...files, 'README.md': '---\nconfigs:\n- config_name: default\n  data_files: train.csv\n---\n' },
      },
    })
    expect((await openDatasetAt(declared, 'org/name', 'main', 'task')).layout.standard?.splits).toEqual(
      new Map([['train', ['train.csv']]]),
    )
    const other = await cache('tools', {
      main: { commit: main, files: { 'convert.py': 'pass\n', 'train.csv': 'a\nx\n' } },
    })
    expect((await openDatasetAt(other, 'org/name', 'main', 'task')).revision).toBe(main)
  })
  test('files of other kinds are refused as such', async () => {
    const open = await cache('pictures', {
      main: {
        commit: main,
        files: {
          'a.png': 'x',
          'b.arrow': 'y',
          'README.md': '---\nconfigs:\n- config_name: default\n  data_files: b.arrow\n---\n',
        },
      },
    })
    await expect(openDatasetAt(open, 'org/name', 'main', 'task')).rejects.toMatchObject({
      code: 'task.unsupported',
      message: expect.stringContaining('a.png') as string,
    })
  })
})

test('the layout of the branch with converted data', () => {
  const { configs, standard } = exportLayout([
    'default/train/0000.parquet',
    'default/my-set-valid.parquet',
    'x/deep/er/0000.parquet',
    '.gitattributes',
  ])
  expect(Object.fromEntries([...configs].map(([name, { splits }]) => [name, Object.fromEntries(splits)]))).toEqual({
    default: { train: ['default/train/0000.parquet'], valid: ['default/my-set-valid.parquet'] },
  })
  expect(standard?.name).toBe('default')
})

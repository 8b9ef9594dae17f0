import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readColumns } from '#files/tables'

const root = join(import.meta.dirname, '..')
const assets = join(root, 'assets')
const files = (folder: string) =>
  readdirSync(join(assets, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(assets, folder, name))
    .filter((path) => !lstatSync(path).isDirectory())
const snapshot = (repo: string, revision: string, ...path: string[]) =>
  join(assets, 'hub', repo, 'snapshots', revision, ...path)

test('NOTICE names the source and the licence of everything that is carried', () => {
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8')
  for (const folder of ['hub', 'golden', 'models', 'harness'])
    for (const name of readdirSync(join(assets, folder))) {
      const entry = new RegExp(`^(?:assets.*, )?assets/${folder}/${name}(?:,.*)?\\n(?: .*\\n)+`, 'm').exec(notice)?.[0]
      expect(entry ?? `no entry for ${name}`).toContain(name)
      for (const part of ['What', 'By', 'Licence']) expect(entry).toContain(`\n  ${part} `)
    }
})

test('files are plain, so that every checkout and archive holds them whole', () => {
  expect(
    [...files('hub'), ...files('golden'), ...files('harness')].filter((path) => !lstatSync(path).isFile()),
  ).toEqual([])
})

test('what goes into the npm package is small', () => {
  const bytes = [...files('golden'), ...files('harness')].reduce((sum, path) => sum + statSync(path).size, 0)
  expect(bytes).toBeLessThan(1_400_000)
})

// row counts of the tasks' own statistics (mteb's descriptive_stats)
test.each([
  ...['ar-ar', 'en-ar', 'en-en', 'en-tr', 'es-en', 'es-es'].map((pair) => [
    snapshot(
      'datasets--mteb--sts17-crosslingual-sts',
      'faeb762787bd10488a50c8b5be4a3b82e411949c',
      pair,
      'test.jsonl.gz',
    ),
    ['sentence1', 'sentence2', 'score'],
    250,
  ]),
  [
    snapshot('datasets--mteb--banking77', '0fd18e25b25c072e09e0d92ab615fda904d66300', 'train.jsonl.gz'),
    ['text', 'label'],
    10_003,
  ],
  [
    snapshot('datasets--mteb--banking77', '0fd18e25b25c072e09e0d92ab615fda904d66300', 'test.jsonl.gz'),
    ['text', 'label'],
    3080,
  ],
  ...['ar', 'de', 'el', 'en', 'es', 'hi', 'ro', 'ru', 'th', 'tr', 'vi', 'zh'].map((language) => [
    snapshot('datasets--mteb--XQuADRetrieval', '194842d6a49baddf6cd3f4d5130ab3c7756268d2', language, 'corpus.jsonl.gz'),
    ['_id', 'text'],
    240,
  ]),
] as [string, string[], number][])('%s has its rows', async (path, columns, rows) => {
  expect((await readColumns([path], { columns })).rows).toBe(rows)
})

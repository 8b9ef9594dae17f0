import { mkdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepo } from '#files/hub'
import { createTableWriter } from '#files/tables'
import { type TextsRequest, datasetTexts, type OpenDataset } from '#task/rows'
import { codeOf, commit, older, scene, scratch, type Scene } from '../../files/hub/scene.ts'
import type { RepoSpec } from '../../files/hub/server.ts'

const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const shard = (split: string, at: number) => ({
  lfs: gzipSync(lines([0, 1, 2].map((row) => ({ text: `${split} ${at} ${row}`, url: 'https://example.org' })))),
})
const head = (body: string): string => `---\n${body}---\n`

/** As C4 is laid out: configs of packed shards, one of them marked. */
const web: RepoSpec = {
  type: 'dataset',
  name: 'org/web',
  refs: { main: commit, old: older },
  commits: {
    [commit]: {
      'README.md': head(
        [
          'configs:',
          '- config_name: en',
          '  default: true',
          '  data_files:',
          '  - {split: train, path: "en/c4-train.*.json.gz"}',
          '  - {split: validation, path: "en/c4-validation.*.json.gz"}',
          '- config_name: de',
          '  data_files: [{split: train, path: "de/*.json.gz"}]',
          '',
        ].join('\n'),
      ),
      ...Object.fromEntries([0, 1, 2].map((at) => [`en/c4-train.0000${at}-of-00003.json.gz`, shard('train', at)])),
      'en/c4-validation.00000-of-00001.json.gz': shard('validation', 0),
      'de/c4-train.00000-of-00001.json.gz': shard('deutsch', 0),
    },
    [older]: { 'train.jsonl': lines([{ sentence: 'an older one', label: 1 }]) },
  },
}

const opener =
  ({ settings }: Scene): OpenDataset =>
  (path, revision) =>
    openRepo(path, { type: 'dataset', revision, settings })

async function read(open: OpenDataset, asked: TextsRequest): Promise<{ name: string; texts: string[] }> {
  const { name, batches } = await datasetTexts(open, asked)
  const texts: string[] = []
  for await (const batch of batches) texts.push(...batch.map(({ text }) => text))
  return { name, texts }
}

/** Files of rows that were asked for. */
const fetched = ({ hub }: Scene): string[] => [
  ...new Set(
    hub
      .take()
      .flatMap(
        ({ path }) => /resolve\/[^/]+\/(.*\.(?:json\.gz|jsonl|parquet))$/.exec(decodeURIComponent(path))?.[1] ?? [],
      ),
  ),
]

describe('texts of a data set of the hub', () => {
  test.each([
    [2, ['train 0 0', 'train 0 1'], 1],
    [3, ['train 0 0', 'train 0 1', 'train 0 2'], 1],
    [4, ['train 0 0', 'train 0 1', 'train 0 2', 'train 1 0'], 2],
    [
      undefined,
      [
        'train 0 0',
        'train 0 1',
        'train 0 2',
        'train 1 0',
        'train 1 1',
        'train 1 2',
        'train 2 0',
        'train 2 1',
        'train 2 2',
      ],
      3,
    ],
  ])('%s of them come from no more shards than hold them', async (most, texts, shards) => {
    const there = await scene([web])
    expect(await read(opener(there), { path: 'org/web', most })).toEqual({ name: 'org/web:en:train:text', texts })
    expect(fetched(there)).toEqual([0, 1, 2].slice(0, shards).map((at) => `en/c4-train.0000${at}-of-00003.json.gz`))
  })

  test('are of the config, split, column and revision that are asked', async () => {
    const there = await scene([web])
    expect((await read(opener(there), { path: 'org/web', config: 'de', most: 1 })).texts).toEqual(['deutsch 0 0'])
    expect(
      await read(opener(there), { path: 'org/web', config: 'en', split: 'validation', column: 'url', most: 1 }),
    ).toEqual({
      name: 'org/web:en:validation:url',
      texts: ['https://example.org'],
    })
    expect(await read(opener(there), { path: 'org/web', revision: 'old' })).toEqual({
      name: 'org/web:default:train:sentence',
      texts: ['an older one'],
    })
  })

  test.each<[string, TextsRequest, string, RegExp]>([
    ['config', { path: 'org/web', config: 'fr' }, 'task.subset', /no config fr/],
    ['split', { path: 'org/web', split: 'test' }, 'task.split', /train.*validation/],
    ['column', { path: 'org/web', column: 'txt' }, 'task.column', /no column txt.*text.*url/s],
    ['repository', { path: 'org/none' }, 'hub.missing', /org\/none/],
  ])(
    'a %s that is not there is said so, before any shard is fetched that is not needed',
    async (_, asked, code, words) => {
      const there = await scene([web])
      const refused = datasetTexts(opener(there), asked)
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
      expect(fetched(there).length).toBeLessThanOrEqual(1)
    },
  )

  test('need a config by name where none is the default', async () => {
    const several = head('configs:\n- {config_name: a, data_files: a.jsonl}\n- {config_name: b, data_files: b.jsonl}\n')
    const there = await scene([
      {
        ...web,
        commits: {
          [commit]: { 'README.md': several, 'a.jsonl': lines([{ text: 'a' }]), 'b.jsonl': lines([{ text: 'b' }]) },
        },
      },
    ])
    await expect(datasetTexts(opener(there), { path: 'org/web' })).rejects.toMatchObject({
      code: 'task.subset',
      message: expect.stringMatching(/a.*b/s),
    })
    expect((await read(opener(there), { path: 'org/web', config: 'b' })).texts).toEqual(['b'])
  })
})

describe('texts of a folder', () => {
  const folder: OpenDataset = (path, revision) => openRepo(path, { type: 'dataset', revision })

  test('of parquet: the first usual column, rows without a text passed over', async () => {
    const path = await scratch()
    await mkdir(join(path, 'data'))
    for (const at of [0, 1]) {
      const writer = await createTableWriter(join(path, 'data', `train-0000${at}-of-00002.parquet`), [
        { name: 'content', type: 'text' },
        { name: 'sentence1', type: 'text' },
        { name: 'score', type: 'number' },
      ])
      await writer.append([
        { content: 'c', sentence1: `s${at}`, score: 1 },
        { content: 'c', sentence1: null, score: 2 },
      ])
      await writer.finish()
    }
    expect(await read(folder, { path })).toEqual({ name: `${path}:default:train:sentence1`, texts: ['s0', 's1'] })
    expect((await read(folder, { path, column: 'content', most: 3 })).texts).toEqual(['c', 'c', 'c'])
    expect(await codeOf(read(folder, { path, column: 'score' }))).toBe('task.column')
  })

  test('columns of other names are listed', async () => {
    const path = await scratch()
    await writeFile(join(path, 'train.jsonl'), lines([{ body: 'x', id: 3 }]))
    await expect(datasetTexts(folder, { path })).rejects.toMatchObject({
      code: 'task.column',
      message: expect.stringMatching(/body.*id/s),
    })
    expect((await read(folder, { path, column: 'body' })).texts).toEqual(['x'])
  })
})

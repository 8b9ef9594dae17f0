import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openModel } from '#experiment/open'
import { openRepo } from '#files/hub'
import { writeSmallModel } from '../encode/small-model.ts'
import { counting } from '../../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const commit = '1234567890abcdef1234567890abcdef12345678'

beforeAll(async () => {
  const repo = path('hub/models--org--runs')
  mkdirSync(`${repo}/refs`, { recursive: true })
  writeFileSync(`${repo}/refs/main`, commit)
  const norm = { 'embeddings.LayerNorm.weight': { ...counting(4), values: Float32Array.of(3, -1, 2, 1) } }
  await writeSmallModel(`${repo}/snapshots/${commit}/epoch-1`)
  await writeSmallModel(`${repo}/snapshots/${commit}/all/epoch-9`, { 'model.safetensors': norm })
})

async function vectorOf(reference: string): Promise<{ name: string; revision: string; vector: number[] }> {
  vi.stubEnv('HF_HUB_CACHE', path('hub'))
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  const model = await openModel(reference)
  onTestFinished(() => model.close())
  const embedder = await model.embedder()
  const { data } = await embedder.embed(['a b a'])
  return { name: model.name, revision: await model.revision(), vector: [...data] }
}

test('a folder of a repository is a model, by its own name and the commit of all', async () => {
  const [one, nine] = [await vectorOf('org/runs/epoch-1'), await vectorOf('org/runs/all/epoch-9')]
  expect([one.name, nine.name]).toEqual(['org/runs/epoch-1', 'org/runs/all/epoch-9'])
  expect([one.revision, nine.revision]).toEqual([commit, commit])
  const alone = await vectorOf(`${path('hub')}/models--org--runs/snapshots/${commit}/all/epoch-9`)
  expect(nine.vector).toEqual(alone.vector)
  expect(one.vector).not.toEqual(nine.vector)
})

test('its files are those below the folder', async () => {
  vi.stubEnv('HF_HUB_CACHE', path('hub'))
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  const files = await openRepo('org/runs/epoch-1')
  expect((await files.list()).toSorted()).toEqual([
    'config.json',
    'model.safetensors',
    'tokenizer.json',
    'tokenizer_config.json',
  ])
  expect([await files.has('config.json'), await files.has('epoch-9/config.json')]).toEqual([true, false])
  await expect(files.local('../all/epoch-9/config.json')).rejects.toMatchObject({ code: 'file.outside' })
  await expect(openRepo('org/runs/epoch-1', { type: 'dataset' })).rejects.toMatchObject({ code: 'hub.name' })
})

test('a path that was mistyped is said to be no folder either', async () => {
  vi.stubEnv('HF_HUB_CACHE', path('hub'))
  vi.stubEnv('HF_HUB_OFFLINE', '1')
  await expect(openModel('models/k/sq-AL')).rejects.toMatchObject({
    code: expect.stringMatching(/^hub\./),
    hint: 'no folder ./models/k/sq-AL is here either',
  })
  await expect(openModel('org/runs/epoch-2')).rejects.toThrow('org/runs/epoch-2')
})

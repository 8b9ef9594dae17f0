import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluate } from '#experiment/sweep'
import { openModel } from '#experiment/open'
import { useCarriedHub } from '../../carried.ts'

const snapshots = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'assets',
  'hub',
  'models--sentence-transformers--all-MiniLM-L6-v2',
  'snapshots',
)
const settings = 'config_sentence_transformers.json'
let folder: string
let restore: () => void
beforeAll(async () => {
  restore = useCarriedHub()
  folder = await mkdtemp(join(tmpdir(), 'strata-similarity-'))
  const [snapshot = ''] = await readdir(snapshots)
  await cp(join(snapshots, snapshot), join(folder, 'model'), { recursive: true, dereference: true })
  // the carried files cannot be written to
  await rm(join(folder, 'model', settings))
})
afterAll(async () => {
  restore()
  await rm(folder, { recursive: true, force: true })
})

test("a model's own similarity is what its folder says, and stands in the result", async () => {
  await writeFile(join(folder, 'model', settings), JSON.stringify({ similarity_fn_name: 'manhattan' }))
  const model = await openModel(join(folder, 'model'))
  const [result] = await evaluate(model, {
    tasks: ['STS17'],
    subsets: ['en-en'],
    outputFolder: join(folder, 'results'),
  })
  await model.close()
  const [scores] = result?.scores?.['test'] ?? []
  expect(result?.strata.settings).toMatchObject({ similarity: 'manhattan' })
  expect(scores?.['pearson']).toBe(scores?.['manhattan_pearson'])
  expect(scores?.['pearson']).not.toBe(scores?.['cosine_pearson'])
})

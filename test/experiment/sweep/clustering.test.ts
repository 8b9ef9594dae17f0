import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RepoFiles, Result } from '#core'
import { openVectors } from '#experiment/open'
import { runSweep } from '#experiment/sweep'
import { narrow, writeNpy } from '#files/formats'
import type { KMeansProfile } from '#platform/linalg'
import type { Model } from '#model/checkpoint'
import { findTasks } from '#task/registry'
import type { TaskInfo } from '#task/rows'
import { sampleData } from '../../platform/linalg/sample-data.ts'
import { makeRepo, readme } from '../../task/rows/made-repo.ts'

const subsets = ['a', 'b', 'c']
const { x, labels } = sampleData({ n: 300, d: 8, K: 5, seed: 9, noise: 1.5, scale: 1, unit: true })
const rowsOf = (at: number) =>
  Array.from({ length: 100 }, (_, i) => ({ sentences: `x${100 * at + i}`, labels: `class ${labels[100 * at + i]}` }))

describe('a clustering task in a sweep', () => {
  const root = mkdtempSync(join(tmpdir(), 'strata-clustering-'))
  let model: Model
  let task: TaskInfo
  let repo: { files: RepoFiles; remove: () => Promise<void> }
  beforeAll(async () => {
    const [vectors, texts] = [join(root, 'vectors.npy'), join(root, 'texts.txt')]
    await writeNpy(vectors, { dtype: 'F32', shape: [300, 8], bytes: narrow(x.data, 'F32') })
    writeFileSync(texts, Array.from({ length: 300 }, (_, i) => `x${i}\n`).join(''))
    model = await openVectors({ vectors, texts })
    const files = Object.fromEntries(subsets.map((subset, at) => [`${subset}.jsonl`, rowsOf(at)]))
    repo = await makeRepo({
      'README.md': readme(Object.fromEntries(subsets.map((subset) => [subset, { test: `${subset}.jsonl` }]))),
      ...files,
    })
    const [known] = (await findTasks(['WikiClusteringP2P.v2'])).tasks
    if (known === undefined) throw new Error('no such task')
    task = {
      ...known,
      subsets: Object.fromEntries(subsets.map((subset) => [subset, ['eng-Latn']])),
      params: {
        ...known.params,
        max_document_to_embed: 60,
        max_documents_per_cluster: 200,
        n_clusters: 3,
        k_mean_batch_size: 50,
      },
    }
  })
  afterAll(async () => {
    await model.close()
    await repo.remove()
    rmSync(root, { recursive: true, force: true })
  })

  async function run(
    folder: string,
    more: { subsets?: string[]; kmeans?: KMeansProfile } = {},
  ): Promise<{ result: Result; reason: string }> {
    const ownData = new Map([[task.dataset.path, () => Promise.resolve(repo.files)]])
    for await (const found of runSweep(model, {
      tasks: [task],
      representations: [{ kind: 'default' }],
      outputFolder: join(root, folder),
      ownData,
      ...more,
    }))
      return found
    throw new Error('no result')
  }
  const scoreOf = ({ result }: { result: Result }, subset: string): number | null | undefined =>
    result.scores?.['test']?.find(({ hf_subset: name }) => name === subset)?.main_score

  test('the k-means that was followed is recorded; another one has results of its own', async () => {
    const [standard, other] = [await run('profiles'), await run('profiles', { kmeans: 'B' })]
    expect(standard.result.strata).toMatchObject({ representation: 'default', settings: { kmeans: 'A' } })
    expect(other.result.strata).toMatchObject({ representation: 'default+kmeans-B', settings: { kmeans: 'B' } })
    expect(other.result.strata.fingerprint).not.toBe(standard.result.strata.fingerprint)
    expect(scoreOf(other, 'a')).not.toBe(scoreOf(standard, 'a'))
    const there = await readdir(join(root, 'profiles'), { recursive: true })
    expect(there.filter((path) => path.endsWith('WikiClusteringP2P.v2.json'))).toHaveLength(2)
  })

  test('a subset that is added is scored among the others: its samples depend on theirs', async () => {
    const whole = await run('whole')
    const first = await run('parts', { subsets: ['a', 'c'] })
    expect(scoreOf(first, 'a')).toBe(scoreOf(whole, 'a'))
    expect(scoreOf(first, 'c')).not.toBe(scoreOf(whole, 'c'))
    const all = await run('parts')
    expect(all.reason).toContain('scored whole')
    for (const subset of subsets) expect(scoreOf(all, subset)).toBe(scoreOf(whole, subset))
  })

  test('what is there in full is found again', async () => {
    const [first, again] = [await run('again'), await run('again')]
    expect(again.result.date).toBe(first.result.date)
  })
})

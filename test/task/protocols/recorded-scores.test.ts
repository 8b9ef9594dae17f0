import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Embedder } from '#core'
import { type Profile, loadTask } from '#task/rows'
import { evaluateTask } from '#task/protocols'
import { openRepo } from '#files/hub'
import { findTasks } from '#task/registry'
import { shared, sharedPath } from '../../shared.ts'
import { offScores } from './made-tasks.ts'
import { gloveEmbedder } from './glove.ts'

type Recorded = Record<string, unknown> & { scores_per_experiment?: Record<string, number>[] }

const folders: Record<string, string> = {
  'mteb/stsbenchmark-sts': 'stsbenchmark',
  'mteb/sts12-sts': 'sts12',
  'mteb/sts13-sts': 'sts13',
  'mteb/sts15-sts': 'sts15',
  'mteb/sickr-sts': 'sickr',
  'mteb/banking77': 'banking77',
  'mteb/emotion': 'emotion',
}

describe.skipIf(!shared)('GloVe on real tasks gives the scores recorded with mteb 1.39.7', () => {
  let root = ''
  let embedder: Embedder
  beforeAll(() => {
    embedder = gloveEmbedder()
    root = mkdtempSync(join(tmpdir(), 'strata-recorded-'))
    for (const file of ['corpus.jsonl.gz', 'queries.jsonl.gz', 'qrels'])
      symlinkSync(sharedPath('data', 'scifact', file), join(root, file))
    const config = (name: string, split: string, path: string): string =>
      `- config_name: ${name}\n  data_files:\n  - split: ${split}\n    path: ${path}\n`
    writeFileSync(
      join(root, 'README.md'),
      `---\nconfigs:\n${config('default', 'test', 'qrels/test.tsv')}${config('corpus', 'corpus', 'corpus.jsonl.gz')}${config('queries', 'queries', '"*ies.jsonl.gz"')}---\n`,
    )
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const score = async (name: string, profile: Profile) => {
    const { tasks } = await findTasks([name])
    const [task] = tasks
    if (task === undefined) throw new Error(`no task ${name}`)
    const loaded = await loadTask(task, {
      openDataset: (path) => openRepo(folders[path] === undefined ? root : sharedPath('data', folders[path])),
      profile,
    })
    return { loaded, ...(await evaluateTask(loaded, embedder)) }
  }
  const recorded = (name: string): Recorded => {
    const file = JSON.parse(readFileSync(sharedPath('specs', 'minilm_layer_scores.json'), 'utf8')) as {
      scores: Record<string, Record<string, Record<string, Recorded>>>
    }
    return file.scores['glove-6B-100d-30k']?.['static']?.[name] ?? {}
  }
  const numbers = (scores: Recorded): Record<string, number> =>
    Object.fromEntries(
      Object.entries(scores).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )

  // float32 sums of the two libraries differ in the last place, which can part or join tied ranks: at most 2.6e-7 seen
  test.each(['STSBenchmark', 'STS12', 'STS13', 'STS15', 'SICK-R'])('%s, every correlation', async (name) => {
    const { scores } = await score(name, 'mteb-1')
    const [got] = scores['test'] ?? []
    const want = numbers(recorded(name))
    expect(Object.keys(want).length).toBeGreaterThan(8)
    expect(offScores(got, want, () => 1e-6)).toEqual([])
  })

  test.each(['Banking77Classification', 'EmotionClassification'])('%s, every experiment', async (name) => {
    const { scores } = await score(name, 'mteb-1')
    const [got] = scores['test'] ?? []
    const want = recorded(name)
    const experiments = got?.['scores_per_experiment'] as Record<string, number>[]
    expect(experiments).toHaveLength(10)
    // the recorded fits ran in float32 (scikit-learn 1.9), ours in float64: one prediction of 3,080 differs, 3.2e-4
    expect(want.scores_per_experiment?.flatMap((one, i) => offScores(experiments[i], one, () => 5e-4))).toEqual([])
    expect(offScores(got, numbers(want), () => 1e-4)).toEqual([])
  })

  test('SciFact, every measure', async () => {
    const { scores, loaded } = await score('SciFact', 'mteb-1')
    expect(loaded.counts).toEqual({ queries: 300, documents: 5183 })
    const [got] = scores['test'] ?? []
    const want = numbers(recorded('SciFact'))
    expect(Object.keys(want).length).toBeGreaterThan(140)
    // seen: 1e-8, abstention areas 2.4e-6; another machine's float32 products may swap two nearly equal documents
    expect(offScores(got, want, (metric) => (metric.startsWith('nauc') ? 1e-3 : 1e-4))).toEqual([])
    expect(
      Object.keys(got ?? {})
        .filter((key) => !['hf_subset', 'languages'].includes(key))
        .sort(),
    ).toEqual(
      Object.keys(recorded('SciFact'))
        .filter((key) => !['hf_subset', 'split'].includes(key))
        .sort(),
    )
  })
})

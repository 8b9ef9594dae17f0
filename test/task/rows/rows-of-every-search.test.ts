import { describe, expect, onTestFinished, test } from 'vitest'
import type { RepoFiles } from '#core'
import { findTasks } from '#task/registry'
import { type LoadedTask, loadTask, type TaskInfo, textsAt } from '#task/rows'
import { goldenFolder } from '../../golden-of.ts'
import { makeRepo, type Row } from './made-repo.ts'

type Splits<Value> = Record<string, Record<string, Value>>

/** A retrieval task as evaluation sees it. */
interface Search {
  corpus: [id: string, text: string][]
  queries: [id: string, text: string][]
  qrels: Record<string, Record<string, number>>
  top_ranked?: Record<string, string[]>
}

/** Made-up rows, and what mteb's own code makes of them (oracles/task_rows_retrieval.py). */
interface Recorded {
  task: string
  mteb: string
  classLabels: Record<string, Splits<string[]>>
  datasets: Record<string, Splits<Row[]>>
  out: Splits<Search>
}

const recorded = new Map(
  goldenFolder<Recorded>('task/rows', 'rows')
    .filter(({ out }) =>
      Object.values(out).some((splits) => Object.values(splits).some((search) => 'corpus' in search)),
    )
    .map((pair) => [pair.task, pair] as const),
)

async function repository(configs: Splits<Row[]>, labels: Splits<string[]> = {}): Promise<RepoFiles> {
  const files: Record<string, string | Row[]> = {}
  for (const [config, splits] of Object.entries(configs))
    for (const [split, rows] of Object.entries(splits)) files[`${config}/${split}.jsonl`] = rows
  const head = {
    configs: Object.entries(configs).map(([config, splits]) => ({
      config_name: config,
      data_files: Object.keys(splits).map((split) => ({ split, path: `${config}/${split}.jsonl` })),
    })),
    dataset_info: Object.entries(labels).map(([config, columns]) => ({
      config_name: config,
      features: Object.entries(columns).map(([name, names]) => ({ name, dtype: { class_label: { names } } })),
    })),
  }
  const repo = await makeRepo({ ...files, 'README.md': `---\n${JSON.stringify(head)}\n---\n` })
  onTestFinished(repo.remove)
  return repo.files
}

async function taskNamed(name: string): Promise<TaskInfo> {
  const [task] = (await findTasks([name])).tasks
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}

function searches(loaded: LoadedTask): Splits<Search> {
  if (loaded.protocol !== 'AbsTaskRetrieval') throw new Error(`${loaded.task.name} is no search`)
  const out: Splits<Search> = {}
  for (const { subset, split, corpus, queries, qrels, candidates } of loaded.parts) {
    ;(out[subset] ??= {})[split] = {
      corpus: textsAt(
        corpus.texts,
        corpus.ids.map((_, i) => i),
      ).map((text, i) => [corpus.ids[i] ?? '', text]),
      queries: queries.texts.map((text, i) => [queries.ids[i] ?? '', text]),
      qrels: Object.fromEntries([...qrels].map(([query, grades]) => [query, Object.fromEntries(grades)])),
      ...(candidates && { top_ranked: Object.fromEntries([...candidates].map(([query, ids]) => [query, [...ids]])) }),
    }
  }
  return out
}

async function load({ task, datasets, classLabels, out }: Recorded): Promise<LoadedTask> {
  const repos = new Map<string, RepoFiles>()
  for (const [path, configs] of Object.entries(datasets)) repos.set(path, await repository(configs, classLabels[path]))
  return loadTask(await taskNamed(task), {
    openDataset: (path) => {
      const files = repos.get(path)
      return files === undefined ? Promise.reject(new Error(`${path} was not recorded`)) : Promise.resolve(files)
    },
    subsets: Object.keys(out),
    splits: [...new Set(Object.values(out).flatMap((splits) => Object.keys(splits)))],
  })
}

describe('retrieval tasks read what mteb 2.26.24 reads', () => {
  test.each([...recorded.keys()])('%s', async (name) => {
    const pair = recorded.get(name) as Recorded
    expect(pair.mteb).toBe('2.26.24')
    const loaded = await load(pair)
    expect(loaded.missing).toEqual([])
    expect(searches(loaded)).toEqual(pair.out)
  })
})

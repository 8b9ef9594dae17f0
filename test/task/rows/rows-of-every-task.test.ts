import { describe, expect, onTestFinished, test } from 'vitest'
import { findTasks } from '#task/registry'
import { taskRows } from '../../../src/task/rows/task-rows.ts'
import { type PackedRows, unpackRows } from './packed-rows.ts'
import { goldenFolder } from '../../golden-of.ts'
import { makeRepo, type Row } from './made-repo.ts'

/** Rows in, and what the reference's own code makes of them: oracles/task_rows*.py. */
interface Recorded {
  task: string
  mteb: string
  datasets: Record<string, Record<string, Record<string, PackedRows>>>
  classLabels: Record<string, Record<string, Record<string, string[]>>>
  out: Record<string, Record<string, PackedRows>>
}

const recorded = goldenFolder<Recorded>('task/rows', 'rows')
  // searches have three tables and a test of their own
  .filter(({ out }) => !Object.values(out).some((splits) => Object.values(splits).some((rows) => 'corpus' in rows)))

async function repositories({ datasets, classLabels }: Recorded) {
  const made = new Map<string, Awaited<ReturnType<typeof makeRepo>>['files']>()
  for (const [path, configs] of Object.entries(datasets)) {
    const files: Record<string, readonly Row[]> = {}
    for (const [config, splits] of Object.entries(configs))
      for (const [split, rows] of Object.entries(splits)) files[`${config}/${split}.jsonl`] = unpackRows(rows)
    const head = {
      configs: Object.entries(configs).map(([config, splits]) => ({
        config_name: config,
        data_files: Object.keys(splits).map((split) => ({ split, path: `${config}/${split}.jsonl` })),
      })),
      dataset_info: Object.entries(classLabels[path] ?? {}).map(([config, columns]) => ({
        config_name: config,
        features: Object.entries(columns).map(([name, names]) => ({
          name,
          dtype: { class_label: { names: Object.fromEntries(names.entries()) } },
        })),
      })),
    }
    const repo = await makeRepo({ ...files, 'README.md': `---\n${JSON.stringify(head)}\n---\n` })
    onTestFinished(repo.remove)
    made.set(path, repo.files)
  }
  return made
}

describe('rows of tasks, as mteb 2.26.24 makes them', () => {
  test.each(recorded)('$task', async (record) => {
    expect(record.mteb).toBe('2.26.24')
    const [task] = (await findTasks([record.task])).tasks
    if (task === undefined) throw new Error(`no task ${record.task}`)
    const repos = await repositories(record)
    const { rows } = await taskRows(task, {
      openDataset: (path) => {
        const files = repos.get(path)
        return files === undefined ? Promise.reject(new Error(`${path} was not recorded`)) : Promise.resolve(files)
      },
      subsets: Object.keys(record.out),
      splits: [...new Set(Object.values(record.out).flatMap((splits) => Object.keys(splits)))],
    })
    const out: Record<string, Record<string, unknown[]>> = {}
    for (const { subset, split, row } of rows()) ((out[subset] ??= {})[split] ??= []).push(row)
    const wanted = Object.entries(record.out).map(([subset, splits]) => [
      subset,
      Object.fromEntries(Object.entries(splits).map(([split, own]) => [split, unpackRows(own)])),
    ])
    expect(out).toEqual(Object.fromEntries(wanted))
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepo } from '#files/hub'
import { type Dataset, readSplit } from '../../../src/task/rows/dataset.ts'
import { readLayout } from '../../../src/task/rows/dataset-layout.ts'
import { scratchFolder } from '../../scratch.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  files: Record<string, string | { base64: string }>
  refused?: string
  standard?: string | null
  configs?: Record<string, { splits: Record<string, Record<string, unknown>[]>; classLabels: Record<string, string[]> }>
}

// what Hugging Face datasets reads from the same folders: oracles/dataset_layouts.py
const recorded = goldenOf<{
  datasets: string
  cases: Record<string, Case>
}>('task/rows', 'dataset-layouts')
const scratch = scratchFolder()

async function open(name: string, files: Case['files']): Promise<Dataset> {
  const root = scratch.path(name.replaceAll(/\W+/g, '-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'))
  }
  const repo = await openRepo({ kind: 'folder', path: root })
  return { files: repo, layout: await readLayout(repo), revision: 'x', place: name }
}

describe(`folders as Hugging Face datasets ${recorded.datasets} reads them`, () => {
  const readable = Object.entries(recorded.cases).filter(([, { refused }]) => refused === undefined)
  test.each(readable)('%s', async (name, { files, configs = {}, standard }) => {
    const dataset = await open(name, files)
    expect(dataset.layout.standard?.name ?? null).toBe(standard)
    expect([...dataset.layout.configs.keys()]).toEqual(Object.keys(configs))
    for (const [config, { splits, classLabels }] of Object.entries(configs)) {
      const own = dataset.layout.configs.get(config)
      if (own === undefined) throw new Error(config)
      expect([...own.splits].flatMap(([split, paths]) => (paths.length > 0 ? [split] : []))).toEqual(
        Object.keys(splits),
      )
      for (const [split, rows] of Object.entries(splits)) {
        const names = Object.keys(rows[0] ?? {})
        const read = await readSplit(dataset, own, split, { columns: names })
        expect(
          Array.from({ length: read.rows }, (_, i) =>
            Object.fromEntries(names.map((column) => [column, read.columns[column]?.[i]])),
          ),
        ).toEqual(rows)
        expect(Object.fromEntries(read.classLabels)).toEqual(classLabels)
      }
    }
  })
})

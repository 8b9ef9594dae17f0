/**
 * The folder that lm-evaluation-harness writes: one results file, and with `--log_samples` one file of documents per
 * task.
 */
import { basename, dirname, extname, join } from 'node:path'
import { makeFolder, pathName, writeWhole } from '#platform/disk'
import { dateId, sanitized } from './results-document.ts'
import type { SampleRow } from './sample-rows.ts'

export interface OutputPlace {
  readonly folder: string
  readonly results: string
  samples(task: string): string
}

/**
 * `path`: a folder, in which the model has its own, or a `.json` file, whose name gets the date. Names of tasks and
 * models come from files and flags: none of them leads out of the folder.
 */
export function outputPlace(path: string, modelName: string, date: Date): OutputPlace {
  const stamp = dateId(date)
  const single = extname(path) === '.json'
  const folder = single ? dirname(path) : join(path, folderName(modelName))
  return {
    folder,
    results: join(folder, single ? `${basename(path, '.json')}_${stamp}.json` : `results_${stamp}.json`),
    samples: (task) => join(folder, `${pathName(`samples_${task}`)}_${stamp}.jsonl`),
  }
}

/** The harness's name for it; a name of dots alone would be the folder itself, or its parent. */
function folderName(modelName: string): string {
  const plain = sanitized(modelName)
  return /^\.*$/.test(plain) ? pathName(plain) : plain
}

/** Throws `file.write`. */
export async function writeResults(path: string, document: unknown): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, `${JSON.stringify(document, null, 2)}\n`)
}

/** JSON in which an integer that no number holds stands as it is. JSON.stringify knows none: it gets marked digits. */
function exactJson(row: SampleRow): string {
  let marked = false
  const text = JSON.stringify(row, (_, value: unknown) => {
    if (typeof value !== 'bigint') return value
    marked = true
    return `\u0000${value}\u0000`
  })
  return marked ? text.replace(/"\\u0000(-?\d+)\\u0000"/g, '$1') : text
}

export async function writeSamples(path: string, rows: readonly SampleRow[]): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, rows.map((row) => `${exactJson(row)}\n`).join(''))
}

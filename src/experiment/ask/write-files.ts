/**
 * The folder that lm-evaluation-harness writes: one results file, and with `--log_samples` a file of documents for each
 * task.
 */
import { basename, dirname, extname, join } from 'node:path'
import { makeFolder, writeWhole } from '#platform/disk'
import { dateId, sanitized } from './results-document.ts'
import type { SampleRow } from './sample-rows.ts'

export interface OutputPlace {
  readonly folder: string
  readonly results: string
  samples(task: string): string
}

/** `path`: a folder, in which the model has its own, or a `.json` file, whose name gets the date. */
export function outputPlace(path: string, modelName: string, date: Date): OutputPlace {
  const stamp = dateId(date)
  const single = extname(path) === '.json'
  const folder = single ? dirname(path) : join(path, sanitized(modelName))
  return {
    folder,
    results: join(folder, single ? `${basename(path, '.json')}_${stamp}.json` : `results_${stamp}.json`),
    samples: (task) => join(folder, `samples_${task}_${stamp}.jsonl`),
  }
}

/** Throws `file.write`. */
export async function writeResults(path: string, document: unknown): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, `${JSON.stringify(document, null, 2)}\n`)
}

export async function writeSamples(path: string, rows: readonly SampleRow[]): Promise<void> {
  await makeFolder(dirname(path))
  await writeWhole(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

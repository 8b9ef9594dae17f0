/** A harness run and its folder: answers stored as they arrive, documents task by task, results at the end. */
import { extname } from 'node:path'
import { openAnswers } from './answers.ts'
import type { RecordedAnswer } from './ask-model.ts'
import { type ModelAsNamed, resultsDocument } from './results-document.ts'
import { type HarnessRun, runHarness, type RunOptions, type TaskRun } from './run-harness.ts'
import { sampleRows, taskHash } from './sample-rows.ts'
import { groupFingerprints } from './task-identity.ts'
import { writeTaskResult } from './write-task-result.ts'
import { outputPlace, writeResults, writeSamples } from './write-files.ts'

export interface FolderOptions extends Omit<RunOptions, 'answers'>, ModelAsNamed {
  /** A folder, in which the model has its own, or a `.json` file; without one nothing is written. */
  readonly outputPath?: string | undefined
  readonly logSamples?: boolean | undefined
  /** Folder of results, one per task, as every command writes them; default: that of the output. */
  readonly ledger?: string | undefined
}

export interface FolderRun {
  readonly run: HarnessRun
  /** As lm-evaluation-harness writes it. */
  readonly document: Readonly<Record<string, unknown>>
  /** The file of the document. */
  readonly results: string | undefined
  /** Fingerprints of the results in the ledger, by task, and of the groups. */
  readonly fingerprints: Readonly<Record<string, string>>
}

/** Throws what asking and scoring throw, and `file.write`; answers received until then are stored. */
export async function runIntoFolder(options: FolderOptions): Promise<FolderRun> {
  const {
    outputPath,
    logSamples = false,
    ledger = outputPath === undefined || extname(outputPath) === '.json' ? undefined : outputPath,
    onTask,
    settings = {},
    ...asking
  } = options
  const { model, modelName, useCache } = asking
  const date = new Date()
  const place = outputPath === undefined ? undefined : outputPlace(outputPath, modelName, date)
  const answers = await openAnswers<RecordedAnswer>(
    model.facts.identity,
    useCache === undefined ? place && { folder: place.folder } : { file: useCache },
  )
  const taskHashes: Record<string, string> = {}
  const fingerprints = groupFingerprints(asking.nodes)
  const finished = async (task: TaskRun): Promise<void> => {
    await onTask?.(task)
    const fingerprint = ledger === undefined ? undefined : await writeTaskResult(ledger, task, { model, settings })
    if (fingerprint !== undefined) fingerprints[task.task.name] = fingerprint
    if (place === undefined || !(logSamples || settings.predictOnly === true)) return
    const rows = sampleRows(task)
    taskHashes[task.task.name] = taskHash(rows)
    await writeSamples(place.samples(task.task.name), rows)
  }
  const run = await runHarness({ ...asking, settings, answers, onTask: finished }).finally(() => answers.close())
  const document = resultsDocument(run, { ...asking, settings, date, taskHashes })
  if (place !== undefined) await writeResults(place.results, document)
  return { run, document, results: place?.results, fingerprints }
}

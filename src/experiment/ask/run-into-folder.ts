/** A run of the harness and its folder: answers kept as they come, documents task by task, results at the end. */
import { extname, join } from 'node:path'
import { openAnswers } from './answers.ts'
import type { KeptAnswer } from './ask-model.ts'
import { resultsDocument } from './results-document.ts'
import { type HarnessRun, runHarness, type RunOptions, type TaskRun } from './run-harness.ts'
import { sampleRows, taskHash } from './sample-rows.ts'
import { writeTaskResult } from './write-task-result.ts'
import { outputPlace, writeResults, writeSamples } from './write-files.ts'

export interface FolderOptions extends Omit<RunOptions, 'answers'> {
  /** A folder, in which the model has its own, or a `.json` file; without one nothing is written. */
  readonly outputPath?: string | undefined
  /** File of answers; default: in the model's folder. */
  readonly useCache?: string | undefined
  readonly logSamples?: boolean | undefined
  /** Folder of results, one a task, as every command writes them; default: that of the output. */
  readonly ledger?: string | undefined
  /** `--model` and `--model_args` as they were said, and the name that folder and results give the model. */
  readonly modelSource: string
  readonly modelArgs: string
  readonly modelName: string
}

export interface FolderRun {
  readonly run: HarnessRun
  /** As lm-evaluation-harness writes it. */
  readonly document: Readonly<Record<string, unknown>>
  /** The file of it. */
  readonly results: string | undefined
}

/** Throws what asking and scoring throw, and `file.write`; what was answered until then is kept. */
export async function runIntoFolder({
  outputPath,
  useCache,
  logSamples = false,
  ledger = outputPath === undefined || extname(outputPath) === '.json' ? undefined : outputPath,
  modelSource,
  modelArgs,
  modelName,
  onTask,
  settings = {},
  ...asking
}: FolderOptions): Promise<FolderRun> {
  const { model, nodes } = asking
  const date = new Date()
  const place = outputPath === undefined ? undefined : outputPlace(outputPath, modelName, date)
  const answers = await openAnswers<KeptAnswer>(
    model.facts.identity,
    useCache ?? (place === undefined ? undefined : join(place.folder, 'answers.jsonl')),
  )
  const taskHashes: Record<string, string> = {}
  const finished = async (task: TaskRun): Promise<void> => {
    await onTask?.(task)
    if (ledger !== undefined) await writeTaskResult(ledger, task, { model, settings })
    if (place === undefined || !(logSamples || settings.predictOnly === true)) return
    const rows = sampleRows(task)
    taskHashes[task.task.name] = taskHash(rows)
    await writeSamples(place.samples(task.task.name), rows)
  }
  const run = await runHarness({ ...asking, settings, answers, onTask: finished })
  const document = resultsDocument({
    run,
    nodes,
    model,
    settings,
    modelSource,
    modelArgs,
    modelName,
    date,
    taskHashes,
    useCache,
  })
  if (place !== undefined) await writeResults(place.results, document)
  return { run, document, results: place?.results }
}

/** Whether a run would find all of its output on disk, without running the model. */
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findResult, reusableResult } from '#result/ledger'
import { type Node, tasksOf } from '#task/harness'
import { prepareTask, type PrepareOptions } from './prepare-task.ts'
import { questionHashes } from './sample-rows.ts'
import { groupFingerprints, nameRepresentation, taskFingerprint } from './task-identity.ts'
import { outputPlace } from './write-files.ts'

export interface AnsweredOptions extends PrepareOptions {
  readonly nodes: readonly Node[]
  readonly outputPath: string
  /** Folder of results, one per task. */
  readonly ledger: string
  readonly modelName: string
}

/**
 * Fingerprints of the results, by task, and of the groups, where the ledger has every one as a run would produce it now
 * – the same model, files, rows and prompts – and the harness's own results file lies next to them; undefined where
 * anything remains to be asked. Throws what preparing the tasks throws.
 */
export async function answeredTasks({
  nodes,
  outputPath,
  ledger,
  modelName,
  ...options
}: AnsweredOptions): Promise<Readonly<Record<string, string>> | undefined> {
  const { results } = outputPlace(outputPath, modelName, new Date())
  const files = await readdir(dirname(results)).catch((): string[] => [])
  if (!files.some((name) => /^results_.*\.json$/.test(name))) return undefined
  const tasks = tasksOf(nodes).map((task) => {
    const asked = { task, model: options.model, settings: options.settings }
    const { name: model, revision } = options.model.facts
    return { asked, place: { root: ledger, model, revision, representation: nameRepresentation(asked) } }
  })
  // tasks without any result are detected before a row is read
  for (const { asked, place } of tasks) if ((await findResult(place, asked.task.name)) === undefined) return undefined
  const fingerprints = groupFingerprints(nodes)
  for (const { asked, place } of tasks) {
    const { task } = asked
    const { docs, fields, questions } = await prepareTask(task, options)
    const hashes = questions.map((question) => questionHashes(question, fields.target(question.doc)))
    const fingerprint = taskFingerprint(asked, {
      dataRevision: docs.revision,
      hashes: task.config.filters.flatMap(() => hashes),
    })
    if ((await reusableResult(place, task.name, fingerprint)) === undefined) return undefined
    fingerprints[task.name] = fingerprint
  }
  return fingerprints
}

/**
 * Tasks of the harness in the ledger: one result per task, with its documents as items, so that two models can be
 * compared document by document.
 */
import { type LanguageModel, type SubsetScores, version } from '#core'
import { fingerprintVersion, type Items, writeResult } from '#result/ledger'
import type { HarnessSettings } from './harness-settings.ts'
import type { TaskRun } from './run-harness.ts'
import { type SampleRow, sampleRows } from './sample-rows.ts'
import { harnessProfile, nameRepresentation, toSettings, taskFingerprint } from './task-identity.ts'
import { noticesFor } from './task-notices.ts'

/** A task file does not contain the languages of its task. */
const languages: readonly string[] = []

/**
 * Returns the result's fingerprint. Throws `file.write`. A task without a number of its own – predictions alone – has
 * no result.
 */
export async function writeTaskResult(
  folder: string,
  run: TaskRun,
  { model, settings }: { model: LanguageModel; settings: HarnessSettings },
): Promise<string | undefined> {
  const { task, scores, dataRevision, seconds } = run
  const { config } = task
  const main = mainMetric(run)
  if (main === undefined) return undefined
  const { facts } = model
  const asked = { task, model, settings }
  const said = toSettings(asked)
  const rows = sampleRows(run)
  const fingerprint = taskFingerprint(asked, { dataRevision, hashes: rows })
  const split = config.testSplit ?? config.validationSplit ?? config.trainingSplit ?? 'test'
  const lower = run.higherIsBetter[main.slice(0, main.indexOf(','))] === false ? { higher_is_better: false } : {}
  const values = Object.fromEntries(
    Object.entries(scores.values).map(([name, value]) => [
      name,
      typeof value === 'number' && Number.isFinite(value) ? value : null,
    ]),
  )
  const part: SubsetScores = {
    main_score: values[main] ?? null,
    hf_subset: 'default',
    languages,
    ...values,
    main_metric: main,
    documents: scores.size,
    ...lower,
  }
  await writeResult(
    folder,
    {
      task_name: task.name,
      dataset_revision: dataRevision,
      scores: { [split]: [part] },
      strata: {
        status: 'ok',
        model: facts.name,
        revision: facts.revision,
        representation: nameRepresentation(asked),
        profile: harnessProfile,
        settings: said,
        fingerprint,
        fingerprint_version: fingerprintVersion,
        version,
        seconds,
        notices: [...noticesFor(run), ...(config.outputType === 'generate_until' ? (facts.unread ?? []) : [])],
      },
    },
    {
      items: itemsOf(run, rows, { main, split }),
      model: { ...(facts.parameters !== undefined && { parameters: facts.parameters }), maxTokens: facts.window },
    },
  )
  return fingerprint
}

/**
 * The leaderboards' choice: `acc_norm` where there is one, otherwise `acc`, otherwise the first metric; through the
 * first filter.
 */
function mainMetric({ scores, higherIsBetter }: TaskRun): string | undefined {
  const names = Object.keys(scores.values)
  const ofMetric = (metric: string): string | undefined => names.find((name) => name.startsWith(`${metric},`))
  return ['acc_norm', 'acc', ...Object.keys(higherIsBetter)].map(ofMetric).find((name) => name !== undefined)
}

/** A document's share of a perplexity: nats, and the words or bytes that they are divided by. */
function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number')
}

function ofPair(metric: string): [string, string] {
  return [`${metric} nats`, `${metric} weight`]
}

/**
 * One row per document: its hash, and its contribution to every metric that is a number, or a mean of weighted ones.
 */
function itemsOf(
  { scores }: TaskRun,
  rows: readonly SampleRow[],
  { main, split }: { main: string; split: string },
): Items {
  const filter = main.slice(main.indexOf(',') + 1)
  const own = rows.filter((row) => row['filter'] === filter)
  const metrics = [
    ...new Set(scores.docs.filter((doc) => doc.filter === filter).flatMap(({ items }) => Object.keys(items))),
  ]
  const numeric = metrics.filter((name) => own.every((row) => typeof row[name] === 'number'))
  const weighted = metrics.filter((name) => own.every((row) => isPair(row[name])))
  return {
    columns: [
      { name: 'split', type: 'text' },
      { name: 'subset', type: 'text' },
      { name: 'document', type: 'text' },
      ...[...numeric, ...weighted.flatMap(ofPair)].map((name) => ({ name, type: 'number' as const })),
    ],
    rows: own.map((row) => ({
      split,
      subset: 'default',
      document: row.doc_hash,
      ...Object.fromEntries(numeric.map((name) => [name, row[name] as number])),
      ...Object.fromEntries(
        weighted.flatMap((name) =>
          ofPair(name).map((column, i) => [column, (row[name] as readonly number[])[i] as number]),
        ),
      ),
    })),
  }
}

/**
 * `.eval_results/<Task>.yaml` of a model's repository, as the hub and `huggingface_hub.parse_eval_result_entries` read
 * it (huggingface.co/docs/hub/eval-results), with the task ids, percentages and overall score of mteb 2.26
 * (`TaskResult._to_hf_benchmark_result`).
 */
import { pathName } from '#platform/disk'
import { yamlText } from '#files/formats'
import { scoreMeans } from '#result/ledger'
import { type FinishedResult, type FormatContext, type ResultFormat, scoredParts, type TaskFacts } from './exported.ts'

export const evalResults: ResultFormat = {
  isOfOneModel: true,
  files: (results, { taskFacts }) =>
    results.flatMap((one) => {
      const entries = entriesFor(one, taskFacts(one.task))
      return entries.length === 0
        ? []
        : [{ path: `.eval_results/${pathName(one.task)}.yaml`, content: yamlText(entries) }]
    }),
}

/** Empty for a task without a data set on the hub: an entry has to name one. */
function entriesFor(one: FinishedResult, facts: ReturnType<FormatContext['taskFacts']>): object[] {
  if (facts === undefined || !/^[\w.-]+\/[\w.-]+$/.test(facts.dataset.path)) return []
  const { representation, result } = one
  const { date, strata, mteb_version: mteb } = result
  const revision = result.dataset_revision ?? facts.dataset.revision
  const maker = strata === undefined ? `mteb ${mteb ?? ''}`.trim() : `Strata ${strata.version}`
  const entry = (taskId: string, score: number): object => ({
    dataset: {
      id: facts.dataset.path,
      task_id: taskId,
      ...(revision === undefined ? {} : { revision }),
    },
    value: percent(score),
    ...(date === undefined ? {} : { date: new Date(date * 1000).toISOString().slice(0, 10) }),
    notes: representation === 'default' ? maker : `${maker}, representation ${representation}`,
  })
  const whole = isWhole(one, facts) ? scoreMeans(result.scores ?? {}).all : null
  return [
    ...scoredParts(one.result).map(({ split, subset, score }) => entry(`${one.task}_${subset}_${split}`, score)),
    ...(whole === null ? [] : [entry(one.task, whole)]),
  ]
}

/** The task's own splits and subsets were scored, all of them and no others. */
function isWhole(one: FinishedResult, { splits, subsets }: TaskFacts): boolean {
  const parts = scoredParts(one.result)
  const found = new Set(parts.map(({ split }) => split))
  const scored = new Set(parts.map(({ subset }) => subset))
  return areThese(found, splits) && areThese(scored, subsets)
}

function areThese(found: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return found.size === wanted.length && wanted.every((name) => found.has(name))
}

function percent(score: number): number {
  return Number((score * 100).toFixed(5))
}

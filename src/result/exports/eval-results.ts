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

/** Every split and subset of the task was scored. */
function isWhole(one: FinishedResult, { splits, subsets }: TaskFacts): boolean {
  const parts = scoredParts(one.result)
  const found = (names: readonly string[]): number => new Set(names).size
  return (
    found(parts.map(({ split }) => split)) === splits.length &&
    found(parts.map(({ subset }) => subset)) === subsets.length
  )
}

function percent(score: number): number {
  return Number((score * 100).toFixed(5))
}

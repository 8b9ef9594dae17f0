/** The `model-index` of a card: scores in the form that the hub and `huggingface_hub` read. */

/** A score of one metric on one split of one subset. */
export interface CardScore {
  /** Type of the task: `STS`. */
  readonly type: string
  readonly task: string
  /** Data set on the hub; undefined: the task's own data. */
  readonly dataset: string | undefined
  readonly revision: string | undefined
  readonly subset: string
  readonly split: string
  readonly metric: string
  readonly value: number
}

export type ModelIndex = readonly {
  readonly name: string
  readonly results: readonly Readonly<Record<string, unknown>>[]
}[]

/**
 * One result per data set, subset and split, each with all of its metrics: what `huggingface_hub` folds and unfolds
 * (`eval_results_to_model_index`).
 */
export function toModelIndex(model: string, scores: readonly CardScore[]): ModelIndex {
  const groups = new Map<string, CardScore[]>()
  for (const score of scores) {
    const { task, dataset, revision, subset, split } = score
    const key = JSON.stringify([task, dataset, revision, subset, split])
    groups.set(key, [...(groups.get(key) ?? []), score])
  }
  return [{ name: model, results: [...groups.values()].map(toResult) }]
}

function toResult(scores: readonly CardScore[]): Record<string, unknown> {
  const [first] = scores
  if (first === undefined) return {}
  const { type, task, dataset, revision, subset, split } = first
  return {
    task: { type },
    dataset: {
      name: `MTEB ${task}`,
      type: dataset ?? task,
      config: subset,
      split,
      ...(revision === undefined ? {} : { revision }),
    },
    metrics: scores.map(({ metric, value }) => ({ type: metric, value })),
  }
}

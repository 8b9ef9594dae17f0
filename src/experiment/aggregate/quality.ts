/** Quality of each layer: its score on rows that no reported score uses. */
import { mean, type Result } from '#core'
import { runSweep, type SweepRest, toValidationSweep, validationScore } from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { qualityOf, type QualityTransforms, transformedQuality } from '#representation/aggregation'
import { hiddenState } from '#result/ledger'
import type { Validation } from '#task/rows'

export interface Quality {
  /** One per state, as measured. */
  readonly values: Float64Array
  /** After the transforms: the input of the methods. */
  readonly used: Float64Array
  readonly from: string
  /** For results: the rows used, and the values. */
  readonly notes: Readonly<Record<string, unknown>>
}

export interface ValidatedStates {
  /**
   * Main score of every state; 0 for a state that is the same for all texts, such as the first one with `--pooling
   * cls`.
   */
  readonly scores: Float64Array
  /** Why a state has no score, by hidden state. */
  readonly unscored: Readonly<Record<string, string>>
}

/**
 * Stored in `folder` like any result. Throws the fault of a state that cannot be scored for another reason, and
 * `task.empty` where none can be.
 */
export async function validatedStates(
  model: Model,
  validation: Validation,
  options: SweepRest,
  folder: string,
): Promise<ValidatedStates> {
  const states = Array.from({ length: statesOf(model).count }, (_, h) => ({ kind: 'state' as const, h }))
  const scores = new Float64Array(states.length).fill(NaN)
  const unscored = new Map<number, Result>()
  for await (const { result } of runSweep(model, {
    ...toValidationSweep(validation, options, folder),
    representations: states,
  })) {
    const h = hiddenState(result.strata.representation)
    if (h === undefined) continue
    if (result.strata.code === 'task.value') unscored.set(h, result)
    scores[h] = unscored.has(h) ? 0 : validationScore(result, validation)
  }
  const [first] = unscored.values()
  if (first !== undefined && unscored.size === states.length) validationScore(first, validation) // throws
  return {
    scores,
    unscored: Object.fromEntries([...unscored].map(([h, { strata }]) => [h, strata.reason ?? 'no reason given'])),
  }
}

/** Measured on the task's own validation rows. */
export function measuredQuality(
  { scores, unscored }: ValidatedStates,
  { rule, asked }: Validation,
  transforms: QualityTransforms,
): Quality {
  const without = Object.keys(unscored).length === 0 ? {} : { unscored }
  return {
    values: scores,
    used: usable(scores, transforms),
    from: 'validation',
    notes: { validation: rule, validationSubsets: asked.subsets, qualities: byState(scores), ...without },
  }
}

/**
 * For a task without validation rows: the mean over the other tasks' qualities, each divided by its best state;
 * negative values count as 0.
 */
export function borrowedQuality(
  others: ReadonlyMap<string, Quality>,
  transforms: QualityTransforms,
): Quality | undefined {
  const lists = [...others.values()].map(({ values }) =>
    values.map((value) => (Math.max(...values) > 0 ? Math.max(0, value) / Math.max(...values) : 0)),
  )
  const [first] = lists
  if (first === undefined) return undefined
  const values = first.map((_, h) => mean(lists.map((list) => list[h] ?? 0)))
  return {
    values,
    used: usable(values, transforms),
    from: 'validation',
    notes: { validation: `other tasks: ${[...others.keys()].join(', ')}`, qualities: byState(values) },
  }
}

/** From a similarity matrix alone. */
export function similarityQuality(
  similarity: Float64Array,
  n: number,
  from: 'diagonal' | 'row_mean',
  transforms: QualityTransforms,
): Quality {
  const values = qualityOf(similarity, n, from)
  return { values, used: usable(values, transforms), from, notes: { qualities: byState(values) } }
}

/** Given by the user. */
export function givenQuality(values: Float64Array, name: string, transforms: QualityTransforms): Quality {
  return { values, used: usable(values, transforms), from: name, notes: { qualities: byState(values) } }
}

function byState(values: Float64Array): Record<string, number> {
  return Object.fromEntries(Array.from(values, (value, h) => [h, value]))
}

/** The methods weigh by quality: a negative correlation counts as 0. */
function usable(values: Float64Array, transforms: QualityTransforms): Float64Array {
  return transformedQuality(
    values.map((value) => Math.max(0, value)),
    transforms,
  )
}

/** The fewest blocks that suffice: validation chooses, the tasks' own rows measure the loss. */
import { fault, mean, type Result } from '#core'
import { runSweep, type SweepOptions, type SweepRest, type SweepResult, validationFor } from '#experiment/sweep'
import { type Model, type StateRepresentation, statesOf } from '#model/checkpoint'
import { finishedScore, withoutSettings } from '#result/ledger'
import { validatedStates } from './quality.ts'

export interface TruncateOptions extends Omit<SweepOptions, 'representations' | 'keep'> {
  /** Maximum loss of validation score against all blocks, in score (0.01: one point), on average over the tasks. */
  readonly maxLoss: number
  /** Fewest blocks to choose from; default 0. */
  readonly least?: number | undefined
  readonly validationFolder: string
  readonly onResult?: ((result: SweepResult) => void) | undefined
}

export interface TruncatedTask {
  readonly task: string
  /** Rows used for the choice; null: the task has none and does not take part. */
  readonly validation: string | null
  /** Validation score by hidden state. */
  readonly scores: readonly number[] | null
  /** Test scores of the chosen state, and of the last one. */
  readonly chosen: number | null
  readonly whole: number | null
}

export interface Truncation {
  readonly model: string
  readonly revision: string
  /** Hidden state: the number of blocks that remain. */
  readonly h: number
  readonly of: number
  /** Mean validation score by hidden state. */
  readonly mean: readonly number[]
  readonly tasks: readonly TruncatedTask[]
}

/**
 * The fewest blocks that suffice: the first hidden state whose validation score, on average over the tasks, is at most
 * `maxLoss` below that of the whole model, with its test scores. Throws `usage.value` where no task has
 * validation rows, `usage.conflict` for a model without layers.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { truncate } from 'strata-lm/aggregation'
 * import { chooseTasks } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const { h, of } = await truncate(model, {
 *   tasks,
 *   ownData,
 *   maxLoss: 0.02,
 *   outputFolder: 'out',
 *   validationFolder: 'validation',
 * })
 * console.log(`${h} of ${of}`) // → 5 of 5
 * await model.close()
 * ```
 */
export async function truncate(
  model: Model,
  { maxLoss, least = 0, validationFolder, onResult = () => undefined, ...options }: TruncateOptions,
): Promise<Truncation> {
  const rest: SweepRest = { ...options, namedFor: options.tasks, keep: 'all' }
  const last = statesOf(model).count - 1
  const validated = new Map<string, { rule: string; scores: Float64Array }>()
  for (const task of options.tasks) {
    const validation = await validationFor(task, rest)
    if (validation === undefined) continue
    const { scores } = await validatedStates(model, validation, rest, validationFolder)
    validated.set(task.name, { rule: validation.rule, scores })
  }
  if (validated.size === 0)
    throw fault('usage.value', {
      place: '--tasks',
      what: 'none of the tasks has rows to choose by',
      hint: 'name a task with a development or a training split',
    })
  const lists = [...validated.values()].map(({ scores }) => scores)
  const means = Array.from({ length: last + 1 }, (_, h) => mean(lists.map((scores) => scores[h] ?? NaN)))
  const h = enough(means, maxLoss, least)
  const [chosen, whole]: [StateRepresentation, StateRepresentation] = [
    { kind: 'state', h },
    { kind: 'state', h: last },
  ]
  const tests = new Map<string, Result>()
  for await (const one of runSweep(model, {
    ...options,
    keep: 'all',
    representations: h === last ? [whole] : [chosen, whole],
  })) {
    tests.set(`${one.result.task_name}\n${withoutSettings(one.result.strata.representation)}`, one.result)
    onResult(one)
  }
  const testOf = (task: string, state: number): number | null => finishedScore(tests.get(`${task}\nh${state}`))
  return {
    model: model.name,
    revision: await model.revision(),
    h,
    of: last,
    mean: means,
    tasks: options.tasks.map(({ name }) => {
      const own = validated.get(name)
      return {
        task: name,
        validation: own?.rule ?? null,
        scores: own === undefined ? null : [...own.scores],
        chosen: testOf(name, h),
        whole: testOf(name, last),
      }
    }),
  }
}

/** The first state, from `least` on, whose score is within the loss of the last one's. */
export function enough(scores: readonly number[], maxLoss: number, least = 0): number {
  const floor = (scores.at(-1) ?? NaN) - maxLoss
  const first = scores.findIndex((score, h) => h >= least && score >= floor)
  return first < 0 ? scores.length - 1 : first
}

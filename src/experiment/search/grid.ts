/** Arms with all their scores, as a search over them would have found them. */
import { fault, suggestion } from '#core'
import type { Arm } from './policy.ts'
import type { Scores } from './rewards.ts'

export interface ScoredArm extends Arm {
  /** Name of its representation. */
  readonly layer: string
  readonly scores: Scores
}

export interface Grid {
  readonly arms: readonly ScoredArm[]
  readonly tasks: readonly string[]
  /** Arms that lack a task, with the missing tasks. They do not take part. */
  readonly incomplete: readonly { readonly key: string; readonly missing: readonly string[] }[]
}

/** One score of one arm. */
export interface ScoreRow {
  readonly checkpoint: string
  readonly layer: string
  readonly task: string
  readonly score: number
}

/**
 * Arms – a checkpoint and a layer each – from scores: in the order of checkpoints, those of the fewest training steps
 * first, then of layers. `tasks`: those that count; default: every task that some arm has. Arms that lack one are
 * listed as `incomplete`. `place` names the file in messages. Throws `usage.value` where no arm has all tasks, or a
 * task occurs in no row.
 *
 * @example
 * ```ts
 * import { gridOf } from 'strata-lm/search'
 *
 * const score = (checkpoint: string, layer: string, value: number) => ({
 *   checkpoint,
 *   layer,
 *   task: 'STS17',
 *   score: value,
 * })
 * const { arms } = gridOf([score('step1', 'h1', 0.5), score('step1', 'h2', 0.7)], { place: 'example' })
 * console.log(arms.map(({ key }) => key)) // → [ 'step1 h1', 'step1 h2' ]
 * ```
 */
export function gridOf(
  rows: readonly ScoreRow[],
  { place, tasks }: { place: string; tasks?: readonly string[] | undefined },
): Grid {
  const byArm = new Map<string, { checkpoint: string; layer: string; scores: Record<string, number> }>()
  for (const { checkpoint, layer, task, score } of rows) {
    const key = armKey(checkpoint, layer)
    const arm = byArm.get(key) ?? { checkpoint, layer, scores: {} }
    arm.scores[task] = score
    byArm.set(key, arm)
  }
  const known = [...new Set(rows.map(({ task }) => task))].sort()
  const unknown = tasks?.find((task) => !known.includes(task))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place,
      what: `no score of ${unknown}`,
      wanted: known.join(', '),
      hint: suggestion(unknown, known),
    })
  const wanted = tasks ?? known
  const all = [...byArm].map(([key, arm]) => ({
    key,
    ...arm,
    missing: wanted.filter((task) => arm.scores[task] === undefined),
  }))
  const arms = all
    .filter(({ missing }) => missing.length === 0)
    .map(({ key, checkpoint, layer, scores }) => ({ key, checkpoint, layer, scores }))
  if (arms.length === 0)
    throw fault('usage.value', {
      place,
      what: 'no arm has a score on every task',
      seen: wanted,
      hint: 'name fewer --tasks',
    })
  return {
    arms: arms.sort((a, b) => compareSteps(a.checkpoint, b.checkpoint) || compareLayers(a.layer, b.layer)),
    tasks: wanted,
    incomplete: all.filter(({ missing }) => missing.length > 0).map(({ key, missing }) => ({ key, missing })),
  }
}

export function armKey(checkpoint: string, layer: string): string {
  return `${checkpoint} ${layer}`
}

/**
 * Checkpoints by the number that ends their names; those without one, such as `main`, come last, in the order of their
 * names.
 */
export function compareSteps(a: string, b: string): number {
  return parseStep(a) - parseStep(b) || Number(a > b) - Number(a < b)
}

/** The step of a name without a number: above any other. */
export const unknownSteps = Number.MAX_SAFE_INTEGER

export function parseStep(checkpoint: string): number {
  const [, digits] = /(\d+)$/.exec(checkpoint) ?? []
  return digits === undefined ? unknownSteps : Number(digits)
}

/** `h2` before `h10`. */
function compareLayers(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** One pull: a checkpoint is opened, and its tasks are scored or found in the ledger. */
import { asFault, type Fault, type FaultCode, fault } from '#core'
import type { OneModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { findReach, runSweep, type SweepOptions } from '#experiment/sweep'
import { scoreMeans } from '#result/ledger'
import type { Checkpoint } from './checkpoints.ts'
import { type LiveArm, findRepresentation } from './live-arms.ts'
import type { Ask, Pull } from './policy.ts'
import type { SearchPull } from './search-state.ts'

export interface Reach {
  readonly models: OneModel<Checkpoint>
  readonly checkpoints: readonly Checkpoint[]
  /** Layers of all arms: the first pass of a checkpoint keeps what the others will read. */
  readonly layers: readonly string[]
  readonly sweep: Omit<SweepOptions, 'representations'>
  readonly signal: AbortSignal | undefined
  readonly opened: () => void
}

/** Trouble of this machine or of the network: it says nothing about the arm, and may be over tomorrow. */
const passing: ReadonlySet<FaultCode> = new Set([
  'hub.busy',
  'hub.network',
  'hub.server',
  'server.network',
  'file.write',
  'engine.device',
])

export function isPassing({ code }: Fault): boolean {
  return passing.has(code)
}

/**
 * A checkpoint that cannot be opened, or a task that fails, is a failed arm. Throws the reason of an abort, and passing
 * trouble: a failed arm would be passed over for ever.
 */
export async function pulled(
  arm: Pick<LiveArm, 'key' | 'checkpoint' | 'layer'>,
  { tasks, share }: Required<Pick<Ask, 'share'>> & { readonly tasks: readonly string[] },
  { models, checkpoints, layers, sweep, signal, opened }: Reach,
): Promise<Pick<SearchPull, 'scores' | 'failed' | 'seconds' | 'reused'>> {
  const started = performance.now()
  const scores: Record<string, number> = {}
  let reused = 0
  const seconds = (): number => (performance.now() - started) / 1000
  try {
    const checkpoint = checkpoints.find(({ name }) => name === arm.checkpoint)
    if (checkpoint === undefined) throw fault('internal', { place: arm.key, what: 'no such checkpoint' })
    const model = await models.of(checkpoint)
    opened()
    const representation = await findRepresentation(arm.layer, model)
    const asked = sweep.tasks.filter(({ name }) => tasks.includes(name))
    for await (const { result, state } of runSweep(model, {
      ...sweep,
      share,
      tasks: asked,
      namedFor: sweep.tasks,
      representations: [representation],
      keep: await reachOfAll(layers, model),
    })) {
      const { status, reason, code = 'task.value' } = result.strata
      const score = scoreMeans(result.scores ?? {}).all
      if (status === 'failed' || score === null)
        throw fault(code, { place: result.task_name, what: reason ?? 'the task has no score' })
      if (state === 'reused') reused++
      scores[result.task_name] = score
    }
    return {
      scores: Object.fromEntries(tasks.map((task) => [task, scores[task] ?? Number.NaN])),
      seconds: seconds(),
      reused,
    }
  } catch (error) {
    const known = asFault(error, 'internal', arm.key)
    if (signal?.aborted === true || isPassing(known)) throw error
    return { scores: {}, failed: known.message, seconds: seconds(), reused }
  }
}

/**
 * Average seconds of the pulls so far, with the first one of a checkpoint counted separately; before any pull, opening
 * a checkpoint counts as five arms.
 */
export function secondsNext(
  arms: readonly LiveArm[],
  pulls: readonly SearchPull[],
): (arm: number, told: readonly Pull[]) => number {
  return (arm, told) => {
    const seen = new Set<string>()
    const [first, later]: [number[], number[]] = [[], []]
    // from recorded times, so that a resumed search weighs like an uninterrupted one
    for (const { checkpoint, seconds } of pulls.slice(0, told.length)) {
      ;(seen.has(checkpoint) ? later : first).push(seconds)
      seen.add(checkpoint)
    }
    const each = later.length === 0 ? 1 : mean(later)
    const opening = first.length === 0 ? 5 * each : Math.max(0, mean(first) - each)
    return each + (seen.has(arms[arm]?.checkpoint ?? '') ? 0 : opening)
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** As far as any arm reaches: one pass serves them all. A checkpoint may lack layers that others have. */
async function reachOfAll(layers: readonly string[], model: Model): Promise<ReturnType<typeof findReach>> {
  const found = await Promise.all(layers.map((layer) => findRepresentation(layer, model).catch(() => undefined)))
  return findReach(found.flatMap((one) => one ?? []))
}

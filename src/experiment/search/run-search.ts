/**
 * A search over checkpoints × representations, pull by pull: scores come from the ledger or from the model, and end
 * there.
 */
import { asFault, type CallOptions, fault, fingerprint } from '#core'
import { oneModel, type OneModel } from '#experiment/open'
import { runSweep, type SweepOptions } from '#experiment/sweep'
import {
  meansNamed,
  type Representation,
  representationName,
  representationsNamed,
  statesNamed,
} from '#representation/layers'
import { type Model, statesOf } from '#model/checkpoint'
import { scoreMeans } from '#result/ledger'
import type { Checkpoint } from './checkpoints.ts'
import { armKey } from './grid.ts'
import { checkpointAfter } from './look-ahead.ts'
import { policies, type PolicyName } from './policies/index.ts'
import { type Arm, type Ask, type Chooser, costOf, type Pull } from './policy.ts'
import type { FeaturesOf } from './recorded.ts'
import { aggregated, type Aggregation, baselineOf, type RewardOptions, rewardsOf, type Scores } from './rewards.ts'
import { openSearch, type SearchPull, type SearchState } from './search-state.ts'

export interface SearchOptions extends CallOptions {
  readonly policy: PolicyName
  /** In arms scored on all tasks; the baseline's layers are among them. */
  readonly budget: number
  /** Of what each task asks, before the whole: growing, each above 0 and below 1. */
  readonly shares?: readonly number[] | undefined
  /** Wall clock of the pulls, all runs of the search together. */
  readonly budgetSeconds?: number | undefined
  readonly alpha: number
  readonly seed: number
  readonly reward: RewardOptions
  readonly aggregation: Aggregation
  /** Default: the last checkpoint. */
  readonly baseline?: string | undefined
  readonly costAware: boolean
  /** As `--layers` has them, and representations beside them by name. */
  readonly layers: string
  readonly beside?: readonly string[] | undefined
  /** Means of so many neighbouring layers are arms too. */
  readonly neighbours?: readonly number[] | undefined
  readonly context?: { readonly featuresOf: FeaturesOf; readonly name: string; readonly seconds: number } | undefined
  /** Without representations: the search names them. */
  readonly sweep: Omit<SweepOptions, 'representations'>
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  /** Hears, when a checkpoint is opened, which one is likely to be next. */
  readonly ahead?: ((checkpoint: Checkpoint) => void) | undefined
  /** Where the search is kept. */
  readonly folder: string
  readonly onPull?: ((pull: RatedPull) => void) | undefined
}

export interface RatedPull extends SearchPull {
  /** Null until the baseline is scored, where the arm failed, and where it was not asked everything. */
  readonly reward: number | null
}

export interface SearchReport {
  readonly arms: number
  readonly tasks: readonly string[]
  readonly policy: PolicyName
  readonly budget: number
  readonly spent: number
  readonly seconds: number
  /** `without`: arms of which it says nothing; policies that look at it pull them last. */
  readonly context: { readonly name: string; readonly seconds: number; readonly without: number } | null
  readonly failed: number
  /** By reward, best first. */
  readonly best: readonly RatedPull[]
  /** Best of the baseline's arms. */
  readonly baseline: { readonly checkpoint: string; readonly arm: string; readonly reward: number } | null
  /** Why it ended. */
  readonly ended: 'budget' | 'seconds' | 'no arm left'
}

interface LiveArm extends Arm {
  readonly layer: string
}

/**
 * Searches for the best checkpoint and layer: a policy chooses what to score next, until the budget is spent. Pulls
 * that an earlier run made are taken from the folder. A checkpoint that cannot be opened, or a task that fails, is a
 * failed arm, and the search continues. Throws `usage.value` for a budget that the baseline uses up, or an unknown
 * baseline; `usage.conflict` for another search's folder, or for a policy without its context.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { rewardDefaults, runSearch } from 'strata-lm/search'
 * import { chooseTasks } from 'strata-lm/tasks'
 *
 * const reference = 'assets/models/stories260K'
 * const { tasks, ownData } = await chooseTasks(['./pairs.yaml'])
 * const { spent, best } = await runSearch([{ name: 'stories', reference }], {
 *   policy: 'sweep',
 *   budget: 6,
 *   alpha: 1,
 *   seed: 42,
 *   reward: { ...rewardDefaults, kind: 'raw' },
 *   aggregation: 'mean',
 *   costAware: false,
 *   layers: 'all',
 *   sweep: { tasks, ownData, outputFolder: 'out' },
 *   open: () => openModel(reference),
 *   folder: 'search',
 * })
 * console.log(spent, best.length) // → 6 6
 * ```
 */
export async function runSearch(checkpoints: readonly Checkpoint[], options: SearchOptions): Promise<SearchReport> {
  const { policy, budget, sweep, reward, aggregation, signal, context } = options
  const tasks = sweep.tasks.map(({ name }) => name)
  const baseline = checkpoints.find(({ name }) => name === (options.baseline ?? checkpoints.at(-1)?.name))
  if (baseline === undefined)
    throw fault('usage.value', {
      place: '--baseline',
      what: 'no such checkpoint',
      seen: options.baseline,
      wanted: checkpoints.map(({ name }) => name).join(', '),
    })
  const models = oneModel(options.open, ({ name }: Checkpoint) => name)
  const held: SearchState[] = []
  try {
    const model = await models.of(baseline)
    const arms = await armsOf(checkpoints, model, options)
    if (policies[policy].contextual && !arms.some(({ features }) => features !== undefined))
      throw fault('usage.conflict', {
        place: '--context',
        what: `${policy} chooses by metrics of the arms, and none has any`,
      })
    const own = arms.filter(({ checkpoint }) => checkpoint === baseline.name)
    if (reward.kind !== 'raw' && own.length >= budget)
      throw fault('usage.value', {
        place: '--budget',
        what: `the ${own.length} layers of the baseline use it up`,
        seen: budget,
        hint: 'a larger budget, fewer --layers, or --reward raw',
      })
    const settings = { ...settingsOf(checkpoints, baseline, tasks, options), model: await readingOf(model) }
    const state = await openSearch(options.folder, settings)
    held.push(state)
    const toldOf = (told: ReturnType<typeof rated>): Pull[] =>
      told.map(({ arm, tasks: asked, share, rewards, reward: worth }) => ({
        arm: arms.findIndex(({ key }) => key === arm),
        tasks: asked,
        ...(share !== undefined && { share }),
        rewards,
        ...(worth !== null && { reward: worth }),
      }))
    const rated = ratedBy({ arms, own, tasks, reward, aggregation })
    const chooser = (): Chooser => {
      const costs = options.costAware ? secondsNext(arms, state.pulls) : undefined
      return policies[policy].start(arms, {
        tasks,
        budget,
        alpha: options.alpha,
        seed: options.seed,
        shares: options.shares,
        costOf: costs,
      })
    }
    const next = chooser()
    const likelyAfter = async (
      arm: LiveArm,
      ask: Ask & { tasks: readonly string[] },
      told: readonly Pull[],
    ): Promise<Checkpoint | undefined> => {
      const sure =
        reward.kind === 'raw'
          ? []
          : own.filter(({ key }) => key !== arm.key && !state.pulls.some((pull) => pull.arm === key))
      const pulls = [
        ...told,
        { ...ask, rewards: {} },
        ...sure.map((one) => ({ arm: arms.indexOf(one), tasks, rewards: {} })),
      ]
      const left = budget - spentOn(state.pulls, tasks) - costOf(ask, tasks) - sure.length
      const after = await checkpointAfter(chooser(), { arms, present: arm.checkpoint, pulls, tasks, left })
      return checkpoints.find(({ name }) => name === after)
    }
    let present: string | undefined
    let ended: SearchReport['ended'] = 'no arm left'
    for (;;) {
      signal?.throwIfAborted()
      const first =
        reward.kind === 'raw' ? undefined : own.find(({ key }) => !state.pulls.some(({ arm }) => arm === key))
      const told = rated(state.pulls)
      const ask = first === undefined ? await next(toldOf(told)) : { arm: arms.indexOf(first) }
      const arm = ask === undefined ? undefined : arms[ask.arm]
      if (ask === undefined || arm === undefined) break
      const asked = ask.tasks ?? tasks
      if (spentOn(state.pulls, tasks) + costOf({ ...ask, tasks: asked }, tasks) > budget + 1e-9) {
        ended = 'budget'
        break
      }
      if (options.budgetSeconds !== undefined && secondsOf(state.pulls, context) >= options.budgetSeconds) {
        ended = 'seconds'
        break
      }
      const likely =
        arm.checkpoint === present ? undefined : await likelyAfter(arm, { ...ask, tasks: asked }, toldOf(told))
      present = arm.checkpoint
      const done = await pulled(
        arm,
        { tasks: asked, share: ask.share },
        {
          models,
          checkpoints,
          sweep,
          signal,
          opened: () => (likely === undefined ? undefined : options.ahead?.(likely)),
        },
      )
      await state.add({
        seq: state.pulls.length,
        arm: arm.key,
        checkpoint: arm.checkpoint,
        layer: arm.layer,
        by: first === undefined ? 'policy' : 'baseline',
        tasks: asked,
        ...(ask.share !== undefined && { share: ask.share }),
        ...done,
      })
      const latest = rated(state.pulls)
      await state.note(summaryOf(latest, { tasks, context }))
      const last = latest.at(-1)
      if (last !== undefined) options.onPull?.(last)
    }
    const all = rated(state.pulls)
    const summary = summaryOf(all, { tasks, context })
    await state.note({ ...summary, ended })
    const whole = all
      .filter((pull) => pull.reward !== null)
      .sort((a, b) => (b.reward ?? 0) - (a.reward ?? 0) || a.seq - b.seq)
    const top = whole.find(({ checkpoint }) => checkpoint === baseline.name)
    return {
      arms: arms.length,
      tasks,
      policy,
      budget,
      spent: summary.spent,
      seconds: summary.seconds,
      context:
        context === undefined
          ? null
          : {
              name: context.name,
              seconds: context.seconds,
              without: arms.filter(({ features }) => features === undefined).length,
            },
      failed: all.filter(({ failed }) => failed !== undefined).length,
      best: whole,
      baseline:
        top === undefined ? null : { checkpoint: baseline.name, arm: top.arm, reward: top.reward ?? Number.NaN },
      ended,
    }
  } finally {
    await Promise.all(held.map((state) => state.close()))
    await models.close()
  }
}

/** Of an opened checkpoint how many layers there are; the others have as many, or fail where they do not. */
async function armsOf(
  checkpoints: readonly Checkpoint[],
  model: Model,
  { layers, neighbours = [], beside = [], context }: SearchOptions,
): Promise<readonly LiveArm[]> {
  const states = statesNamed(layers, statesOf(model).count)
  const names = [...states.map((h) => `h${h}`), ...neighbours.flatMap((count) => meansNamed(states, count)), ...beside]
  return checkpoints.flatMap(({ name: checkpoint }) =>
    names.map((layer) => ({
      key: armKey(checkpoint, layer),
      checkpoint,
      layer,
      features: context?.featuresOf(checkpoint, layer),
    })),
  )
}

/**
 * What the baseline is, whatever its name, and how every checkpoint is read: pulls of another are worth nothing here.
 */
async function readingOf(model: Model): Promise<string> {
  const { settings, prompts } = model
  return fingerprint({ identity: await model.identity(), settings, prompts })
}

function settingsOf(
  checkpoints: readonly Checkpoint[],
  baseline: Checkpoint,
  tasks: readonly string[],
  options: SearchOptions,
): Readonly<Record<string, unknown>> {
  const {
    policy,
    alpha,
    seed,
    reward,
    aggregation,
    costAware,
    layers,
    neighbours,
    beside = [],
    context,
    budget,
    shares,
    sweep,
  } = options
  return {
    checkpoints: checkpoints.map(({ name }) => name),
    references: checkpoints.map(({ reference }) => reference),
    layers,
    representations: beside,
    ...(neighbours === undefined ? {} : { means: neighbours }),
    tasks,
    splits: sweep.splits ?? null,
    subsets: sweep.subsets ?? null,
    languages: sweep.languages ?? null,
    profile: sweep.profile ?? null,
    ...(sweep.kmeans === undefined ? {} : { kmeans: sweep.kmeans }),
    policy,
    // less of such a budget is not the beginning of more
    ...(policies[policy].spreads === true ? { budget } : {}),
    ...(shares === undefined ? {} : { limit: shares }),
    alpha,
    seed,
    reward: reward.kind,
    clip: Number.isFinite(reward.clip) ? reward.clip : null,
    floor: reward.floor,
    aggregation,
    baseline: reward.kind === 'raw' ? null : baseline.name,
    cost: costAware ? 'aware' : 'plain',
    context: context?.name ?? null,
  }
}

/** Pulls with what they are worth, as soon as the baseline says so. */
function ratedBy({
  arms,
  own,
  tasks,
  reward,
  aggregation,
}: {
  arms: readonly LiveArm[]
  own: readonly LiveArm[]
  tasks: readonly string[]
  reward: RewardOptions
  aggregation: Aggregation
}): (pulls: readonly SearchPull[]) => (RatedPull & { rewards: Scores })[] {
  return (pulls) => {
    const complete = reward.kind === 'raw' || own.every(({ key }) => pulls.some(({ arm }) => arm === key))
    const layers = pulls.filter(
      ({ failed, arm, share }) => failed === undefined && share === undefined && own.some(({ key }) => key === arm),
    )
    const scored = new Map(
      layers
        .filter(({ scores }) => tasks.every((task) => scores[task] !== undefined))
        .map(({ layer, scores }) => [layer, scores]),
    )
    if (complete && reward.kind !== 'raw' && scored.size === 0)
      throw fault('usage.conflict', {
        place: '--baseline',
        what: 'every layer of the baseline failed: rewards have nothing to be measured by',
        seen: layers[0]?.failed ?? pulls.find(({ failed }) => failed !== undefined)?.failed,
      })
    const measure = complete && reward.kind !== 'raw' ? baselineOf(scored, tasks) : new Map()
    const known = new Map<string, Scores>()
    return pulls.map((pull) => {
      if (!complete || pull.failed !== undefined) return { ...pull, rewards: {}, reward: null }
      if (pull.share !== undefined) return { ...pull, rewards: pull.scores, reward: null }
      const layer = arms.find(({ key }) => key === pull.arm)?.layer ?? pull.layer
      const rewards = rewardsOf(pull.scores, layer, measure, reward)
      const all = { ...known.get(pull.arm), ...rewards }
      known.set(pull.arm, all)
      const whole = tasks.every((task) => all[task] !== undefined)
      return { ...pull, rewards, reward: whole ? aggregated(all, tasks, aggregation) : null }
    })
  }
}

/**
 * What the pulls so far took on average, the first of a checkpoint apart; before there is any, five arms' worth for a
 * checkpoint.
 */
function secondsNext(
  arms: readonly LiveArm[],
  pulls: readonly SearchPull[],
): (arm: number, told: readonly Pull[]) => number {
  return (arm, told) => {
    const seen = new Set<string>()
    const [first, later]: [number[], number[]] = [[], []]
    // by what was recorded, so that a resumed search weighs as one that was never stopped
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

function spentOn(pulls: readonly SearchPull[], tasks: readonly string[]): number {
  return pulls.reduce((sum, pull) => sum + costOf(pull, tasks), 0)
}

function secondsOf(pulls: readonly SearchPull[], context: SearchOptions['context']): number {
  return pulls.reduce((sum, { seconds }) => sum + seconds, context?.seconds ?? 0)
}

function summaryOf(
  pulls: readonly RatedPull[],
  { tasks, context }: { tasks: readonly string[]; context: SearchOptions['context'] },
): {
  pulls: number
  spent: number
  seconds: number
  best: { arm: string; reward: number | null } | null
  /** Of the arms that have one. */
  rewards: Readonly<Record<string, number>>
} {
  const best = pulls.reduce<RatedPull | undefined>(
    (most, pull) => (pull.reward !== null && (most?.reward ?? -Infinity) < pull.reward ? pull : most),
    undefined,
  )
  return {
    pulls: pulls.length,
    spent: spentOn(pulls, tasks),
    seconds: secondsOf(pulls, context),
    best: best === undefined ? null : { arm: best.arm, reward: best.reward },
    rewards: Object.fromEntries(pulls.flatMap(({ arm, reward }) => (reward === null ? [] : [[arm, reward]]))),
  }
}

interface Reach {
  readonly models: OneModel<Checkpoint>
  readonly checkpoints: readonly Checkpoint[]
  readonly sweep: Omit<SweepOptions, 'representations'>
  readonly signal: AbortSignal | undefined
  readonly opened: () => void
}

async function pulled(
  arm: LiveArm,
  { tasks, share }: Required<Pick<Ask, 'share'>> & { readonly tasks: readonly string[] },
  { models, checkpoints, sweep, signal, opened }: Reach,
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
    const representation = await representationOf(arm.layer, model)
    const asked = sweep.tasks.filter(({ name }) => tasks.includes(name))
    for await (const { result, state } of runSweep(model, {
      ...sweep,
      share,
      tasks: asked,
      representations: [representation],
      keep: 'all',
    })) {
      const { status, reason } = result.strata
      const score = scoreMeans(result.scores ?? {}).all
      if (status === 'failed' || score === null)
        throw fault('task.value', { place: result.task_name, what: reason ?? 'the task has no score' })
      if (state === 'reused') reused++
      scores[result.task_name] = score
    }
    return {
      scores: Object.fromEntries(tasks.map((task) => [task, scores[task] ?? Number.NaN])),
      seconds: seconds(),
      reused,
    }
  } catch (error) {
    if (signal?.aborted === true) throw error
    return { scores: {}, failed: asFault(error, 'internal', arm.key).message, seconds: seconds(), reused }
  }
}

async function representationOf(layer: string, model: Model): Promise<Representation> {
  const [representation] = await representationsNamed([layer], model)
  if (representation === undefined)
    throw fault('representation.unknown', { place: layer, what: 'no such representation' })
  if (representation.kind === 'combination' || representationName(representation) === layer) return representation
  throw fault('representation.unknown', { place: layer, what: 'no such representation of the model' })
}

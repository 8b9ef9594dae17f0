/**
 * A search over checkpoints × representations, pull by pull: scores come from the ledger or from the model, and are
 * stored in the ledger.
 */
import { fault, suggestion } from '#core'
import { oneModel, type OneModel } from '#experiment/open'
import { keepHashes } from '#platform/disk'
import type { Checkpoint } from './checkpoints.ts'
import { nameArms, type LiveArm } from './live-arms.ts'
import { checkpointAfter } from './look-ahead.ts'
import { lookAgain } from './look-again.ts'
import { policies } from './policies/index.ts'
import { type Ask, type Chooser, toCost, type Pull } from './policy.ts'
import { pulled, type Reach, secondsNext } from './pull-arm.ts'
import { ratedBy, totalSeconds, spentOn, summarise, type WorthPull } from './rate-pulls.ts'
import type { KnownContext, SearchOptions, SearchReport } from './search-options.ts'
import { featuresKey, readingKey, toSettings } from './search-settings.ts'
import { openSearch, readSearch, type SearchPull, type SearchState } from './search-state.ts'

/** The state of a search between two pulls. */
interface Search {
  readonly options: SearchOptions
  readonly checkpoints: readonly Checkpoint[]
  readonly baseline: Checkpoint
  readonly tasks: readonly string[]
  readonly arms: readonly LiveArm[]
  /** Arms of the baseline: pulled first, unless rewards are raw scores. */
  readonly own: readonly LiveArm[]
  readonly context: KnownContext | undefined
  readonly models: OneModel<Checkpoint>
  readonly state: SearchState
  readonly rated: (pulls: readonly SearchPull[]) => WorthPull[]
  readonly next: Chooser
}

/**
 * Searches for the best checkpoint and layer: a policy chooses the next arm to score, until the budget is spent. Pulls
 * of an earlier run are taken from the folder, up to the first that would have another outcome today. A checkpoint that
 * cannot be opened, or a task that fails, is a failed arm, and the search continues; trouble of the network or the disk
 * ends it, and the same command continues it. Throws `usage.value` for a budget that the baseline uses up, or an unknown
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
  const baseline = baselineAmong(checkpoints, options.baseline)
  if (options.hashes !== undefined) await keepHashes(options.hashes)
  const models = oneModel(options.open, ({ name }: Checkpoint) => name)
  let search: Search | undefined
  try {
    search = await opened(checkpoints, baseline, { options, models })
    const ended = await pullAll(search)
    return await reportOf(search, ended)
  } finally {
    await search?.state.close()
    await models.close()
  }
}

/** Whether a finished search would find all of its pulls as they are; does not run a model. */
export async function isSearched(checkpoints: readonly Checkpoint[], options: SearchOptions): Promise<boolean> {
  const before = await readSearch(options.folder)
  if (before === undefined || before.pulls.length === 0) return false
  const baseline = baselineAmong(checkpoints, options.baseline)
  if (options.hashes !== undefined) await keepHashes(options.hashes)
  const models = oneModel(options.open, ({ name }: Checkpoint) => name)
  try {
    const arms = await nameArms(checkpoints, await models.of(baseline), options)
    return (await lookAgain(before.pulls, reachOf({ models, checkpoints, arms, options }))) === undefined
  } finally {
    await models.close()
  }
}

function baselineAmong(checkpoints: readonly Checkpoint[], asked: string | undefined): Checkpoint {
  const found = checkpoints.find(({ name }) => name === (asked ?? checkpoints.at(-1)?.name))
  if (found !== undefined) return found
  throw fault('usage.value', {
    place: '--baseline',
    what: 'no such checkpoint',
    seen: asked,
    wanted: checkpoints.map(({ name }) => name).join(', '),
    hint:
      asked === undefined
        ? undefined
        : suggestion(
            asked,
            checkpoints.map(({ name }) => name),
          ),
  })
}

/** What the arguments alone can refuse comes before anything that takes long. */
async function opened(
  checkpoints: readonly Checkpoint[],
  baseline: Checkpoint,
  { options, models }: Pick<Search, 'options' | 'models'>,
): Promise<Search> {
  const { budget, reward, aggregation } = options
  const tasks = options.sweep.tasks.map(({ name }) => name)
  const model = await models.of(baseline)
  const named = await nameArms(checkpoints, model, options)
  const ofBaseline = named.filter(({ checkpoint }) => checkpoint === baseline.name)
  if (reward.kind !== 'raw' && ofBaseline.length >= budget)
    throw fault('usage.value', {
      place: '--budget',
      what: `the ${ofBaseline.length} layers of the baseline use up the budget`,
      seen: budget,
      hint: 'a larger budget, fewer --layers, or --reward raw',
    })
  const settings = { ...toSettings(checkpoints, baseline, tasks, options), model: readingKey(model) }
  const state = await openSearch(options.folder, settings)
  try {
    // a context opens the checkpoints itself, one at a time
    await models.close()
    const context = await options.context?.load()
    const arms = named.map((arm) => ({ ...arm, features: context?.featuresOf(arm.checkpoint, arm.layer) }))
    if (policies[options.policy].contextual) {
      refuseUnknown(arms, options)
      await state.chooseBy(featuresKey(arms))
    }
    const own = arms.filter(({ checkpoint }) => checkpoint === baseline.name)
    const rated = ratedBy({ arms, own, tasks, reward, aggregation })
    const search = { options, checkpoints, baseline, tasks, arms, own, context, models, state, rated }
    await dropStale(search)
    return { ...search, next: chooserOf(search) }
  } catch (error) {
    await state.close()
    throw error
  }
}

function refuseUnknown(arms: readonly LiveArm[], { policy }: SearchOptions): void {
  if (arms.some(({ features }) => features !== undefined)) return
  throw fault('usage.conflict', {
    place: '--context',
    what: `${policy} needs metrics of the arms, and no arm has any`,
  })
}

async function dropStale(search: Omit<Search, 'next'>): Promise<void> {
  const { options, state } = search
  const stale = await lookAgain(state.pulls, reachOf(search))
  if (stale === undefined) return
  options.onStale?.({ ...stale, dropped: state.pulls.length - stale.from })
  await state.cut(stale.from)
}

function reachOf({
  models,
  checkpoints,
  arms,
  options,
}: Pick<Search, 'models' | 'checkpoints' | 'options'> & { readonly arms: readonly Pick<LiveArm, 'layer'>[] }): Reach {
  const { sweep, signal } = options
  const layers = [...new Set(arms.map(({ layer }) => layer))]
  return { models, checkpoints, layers, sweep, signal, opened: () => undefined }
}

function chooserOf({ options, tasks, arms, state }: Omit<Search, 'next'>): Chooser {
  const { policy, budget, alpha, seed, shares, costAware } = options
  const costs = costAware ? secondsNext(arms, state.pulls) : undefined
  return policies[policy].start(arms, { tasks, budget, alpha, seed, shares, costOf: costs })
}

/** Until the budget is spent or no arm is left. */
async function pullAll(search: Search): Promise<SearchReport['ended']> {
  const { options, tasks, context, state, rated } = search
  const { budget, budgetSeconds, signal } = options
  let present: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const told = pullsAs(search, rated(state.pulls))
    const { arm, ask, by } = (await nextAsk(search, told)) ?? {}
    if (arm === undefined || ask === undefined || by === undefined) return 'no arm left'
    if (spentOn(state.pulls, tasks) + toCost(ask, tasks) > budget + 1e-9) return 'budget'
    if (budgetSeconds !== undefined && totalSeconds(state.pulls, context) >= budgetSeconds) return 'seconds'
    const likely = arm.checkpoint === present ? undefined : await likelyAfter(search, { arm, ask, told })
    present = arm.checkpoint
    await pullOnce(search, { arm, ask, by, likely })
  }
}

interface Chosen {
  readonly arm: LiveArm
  readonly ask: Ask & { readonly tasks: readonly string[] }
  readonly by: SearchPull['by']
}

/** The baseline's layers come before the policy. */
async function nextAsk(search: Search, told: readonly Pull[]): Promise<Chosen | undefined> {
  const { arms, tasks, next } = search
  const [first] = unpulled(search)
  const ask = first === undefined ? await next(told) : { arm: arms.indexOf(first) }
  const arm = ask === undefined ? undefined : arms[ask.arm]
  if (ask === undefined || arm === undefined) return undefined
  return { arm, ask: { ...ask, tasks: ask.tasks ?? tasks }, by: first === undefined ? 'policy' : 'baseline' }
}

/** Layers of the baseline that are sure to be pulled, since rewards are measured against them. */
function unpulled({ options, own, state }: Search): LiveArm[] {
  if (options.reward.kind === 'raw') return []
  return own.filter(({ key }) => !state.pulls.some(({ arm }) => arm === key))
}

async function likelyAfter(
  search: Search,
  { arm, ask, told }: Pick<Chosen, 'arm' | 'ask'> & { readonly told: readonly Pull[] },
): Promise<Checkpoint | undefined> {
  const { options, checkpoints, arms, tasks, state } = search
  const sure = unpulled(search).filter(({ key }) => key !== arm.key)
  const pulls = [
    ...told,
    { ...ask, rewards: {} },
    ...sure.map((one) => ({ arm: arms.indexOf(one), tasks, rewards: {} })),
  ]
  const left = options.budget - spentOn(state.pulls, tasks) - toCost(ask, tasks) - sure.length
  const after = await checkpointAfter(chooserOf(search), { arms, present: arm.checkpoint, pulls, tasks, left })
  return checkpoints.find(({ name }) => name === after)
}

/** On disk, and reported to the listeners, when it returns. */
async function pullOnce(
  search: Search,
  { arm, ask, by, likely }: Chosen & { readonly likely: Checkpoint | undefined },
): Promise<void> {
  const { options, tasks, context, state, rated } = search
  const { ahead, onPull } = options
  const opened = (): void => (likely === undefined ? undefined : ahead?.(likely))
  const done = await pulled(arm, { tasks: ask.tasks, share: ask.share }, { ...reachOf(search), opened })
  await state.add({
    seq: state.pulls.length,
    arm: arm.key,
    checkpoint: arm.checkpoint,
    layer: arm.layer,
    by,
    tasks: ask.tasks,
    ...(ask.share !== undefined && { share: ask.share }),
    ...done,
  })
  const latest = rated(state.pulls)
  await state.note({ ...summarise(latest, { tasks, context }) })
  const last = latest.at(-1)
  if (last !== undefined) onPull?.(last)
}

/** Pulls in the form that policies take. */
function pullsAs({ arms }: Search, told: readonly WorthPull[]): Pull[] {
  return told.map(({ arm, tasks, share, rewards, reward }) => ({
    arm: arms.findIndex(({ key }) => key === arm),
    tasks,
    ...(share !== undefined && { share }),
    rewards,
    ...(reward !== null && { reward }),
  }))
}

async function reportOf(search: Search, ended: SearchReport['ended']): Promise<SearchReport> {
  const { options, baseline, tasks, arms, context, state, rated } = search
  const { policy, budget, reward } = options
  const all = rated(state.pulls)
  const summary = summarise(all, { tasks, context })
  await state.note({ ...summary, ended })
  const whole = all
    .filter((pull) => pull.reward !== null)
    .sort((a, b) => (b.reward ?? 0) - (a.reward ?? 0) || a.seq - b.seq)
  const top = whole.find(({ checkpoint }) => checkpoint === baseline.name)
  const without = arms.filter(({ features }) => features === undefined).length
  return {
    arms: arms.length,
    tasks,
    policy,
    budget,
    spent: summary.spent,
    seconds: summary.seconds,
    context: context === undefined ? null : { name: options.context?.name ?? '', seconds: context.seconds, without },
    failed: all.filter(({ failed }) => failed !== undefined).length,
    best: whole,
    baseline: top === undefined ? null : { checkpoint: baseline.name, arm: top.arm, reward: top.reward ?? Number.NaN },
    clip: reward.kind !== 'raw' && Number.isFinite(reward.clip) ? reward.clip : null,
    unmeasured: unpulled(search).length,
    ended,
  }
}

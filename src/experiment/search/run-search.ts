/**
 * A search over checkpoints × representations, pull by pull: scores come from the ledger or from the model, and end
 * there.
 */
import { fault } from '#core'
import { oneModel, type OneModel } from '#experiment/open'
import type { Checkpoint } from './checkpoints.ts'
import { makeArms, type LiveArm } from './live-arms.ts'
import { checkpointAfter } from './look-ahead.ts'
import { policies } from './policies/index.ts'
import { type Ask, type Chooser, costOf, type Pull } from './policy.ts'
import { pulled, secondsNext } from './pull-arm.ts'
import { ratedBy, totalSeconds, spentOn, summarise, type WorthPull } from './rate-pulls.ts'
import type { SearchOptions, SearchReport } from './search-options.ts'
import { readingKey, toSettings } from './search-settings.ts'
import { openSearch, type SearchPull, type SearchState } from './search-state.ts'

/** A search as it stands between two pulls. */
interface Search {
  readonly options: SearchOptions
  readonly checkpoints: readonly Checkpoint[]
  readonly baseline: Checkpoint
  readonly tasks: readonly string[]
  readonly arms: readonly LiveArm[]
  /** Of the baseline: pulled first, unless rewards are raw scores. */
  readonly own: readonly LiveArm[]
  readonly models: OneModel<Checkpoint>
  readonly state: SearchState
  readonly rated: (pulls: readonly SearchPull[]) => WorthPull[]
  readonly next: Chooser
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
  const baseline = baselineAmong(checkpoints, options.baseline)
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

function baselineAmong(checkpoints: readonly Checkpoint[], asked: string | undefined): Checkpoint {
  const found = checkpoints.find(({ name }) => name === (asked ?? checkpoints.at(-1)?.name))
  if (found !== undefined) return found
  throw fault('usage.value', {
    place: '--baseline',
    what: 'no such checkpoint',
    seen: asked,
    wanted: checkpoints.map(({ name }) => name).join(', '),
  })
}

async function opened(
  checkpoints: readonly Checkpoint[],
  baseline: Checkpoint,
  { options, models }: Pick<Search, 'options' | 'models'>,
): Promise<Search> {
  const { policy, budget, reward, aggregation } = options
  const tasks = options.sweep.tasks.map(({ name }) => name)
  const model = await models.of(baseline)
  const arms = await makeArms(checkpoints, model, options)
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
  const settings = { ...toSettings(checkpoints, baseline, tasks, options), model: await readingKey(model) }
  const rated = ratedBy({ arms, own, tasks, reward, aggregation })
  const state = await openSearch(options.folder, settings)
  try {
    const search = { options, checkpoints, baseline, tasks, arms, own, models, state, rated }
    return { ...search, next: chooserOf(search) }
  } catch (error) {
    await state.close()
    throw error
  }
}

function chooserOf({ options, tasks, arms, state }: Omit<Search, 'next'>): Chooser {
  const { policy, budget, alpha, seed, shares, costAware } = options
  const costs = costAware ? secondsNext(arms, state.pulls) : undefined
  return policies[policy].start(arms, { tasks, budget, alpha, seed, shares, costOf: costs })
}

/** Until the budget is spent or no arm is left. */
async function pullAll(search: Search): Promise<SearchReport['ended']> {
  const { options, tasks, state, rated } = search
  const { budget, budgetSeconds, context, signal } = options
  let present: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const told = pullsAs(search, rated(state.pulls))
    const { arm, ask, by } = (await nextAsk(search, told)) ?? {}
    if (arm === undefined || ask === undefined || by === undefined) return 'no arm left'
    if (spentOn(state.pulls, tasks) + costOf(ask, tasks) > budget + 1e-9) return 'budget'
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

/** Layers of the baseline that are sure to be pulled, since rewards are measured by them. */
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
  const left = options.budget - spentOn(state.pulls, tasks) - costOf(ask, tasks) - sure.length
  const after = await checkpointAfter(chooserOf(search), { arms, present: arm.checkpoint, pulls, tasks, left })
  return checkpoints.find(({ name }) => name === after)
}

/** On disk, and told to whoever listens, when it returns. */
async function pullOnce(
  { options, checkpoints, arms, own, tasks, models, state, rated }: Search,
  { arm, ask, by, likely }: Chosen & { readonly likely: Checkpoint | undefined },
): Promise<void> {
  const { sweep, signal, context, ahead, onPull } = options
  const opened = (): void => (likely === undefined ? undefined : ahead?.(likely))
  const layers = [...new Set([...arms, ...own].map(({ layer }) => layer))]
  const reach = { models, checkpoints, layers, sweep, signal, opened }
  const done = await pulled(arm, { tasks: ask.tasks, share: ask.share }, reach)
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

/** Pulls as a policy hears of them. */
function pullsAs({ arms }: Search, told: readonly WorthPull[]): Pull[] {
  return told.map(({ arm, tasks, share, rewards, reward }) => ({
    arm: arms.findIndex(({ key }) => key === arm),
    tasks,
    ...(share !== undefined && { share }),
    rewards,
    ...(reward !== null && { reward }),
  }))
}

async function reportOf(
  { options, baseline, tasks, arms, state, rated }: Search,
  ended: SearchReport['ended'],
): Promise<SearchReport> {
  const { policy, budget, context } = options
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
    context: context === undefined ? null : { name: context.name, seconds: context.seconds, without },
    failed: all.filter(({ failed }) => failed !== undefined).length,
    best: whole,
    baseline: top === undefined ? null : { checkpoint: baseline.name, arm: top.arm, reward: top.reward ?? Number.NaN },
    ended,
  }
}

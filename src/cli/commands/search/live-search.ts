/** A search that scores the arms it pulls: `strata search MODEL`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { asFault, fault, quantity } from '#core'
import type { Corpus } from '#experiment/encode'
import { openModel, resolveModel } from '#experiment/open'
import {
  type Checkpoint,
  checkpointsOf,
  type Downloads,
  openDownloads,
  policies,
  policiesNamed,
  type PolicyName,
  runSearch,
  type SearchOptions,
  parseVariations,
  taskContext,
  taskCorpus,
  variedMerges,
} from '#experiment/search'
import type { Model } from '#model/checkpoint'
import type { ChosenTasks } from '#task/registry'
import { hasShares } from '#task/rows'
import { taskOptions, selectTasks } from '../../options/choose-tasks.ts'
import type { Terminal } from '../../spec/command.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { type Flags, context, contextCorpus, texts } from './flags.ts'
import { openCorpus } from '../../options/corpus.ts'
import { pullLine, searchLines } from './search-lines.ts'
import { cacheFolder, modelOptions, sweepOptions } from '../../options/model-options.ts'
import { toReward } from './reward.ts'

export async function liveSearch(models: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const [policy, ...others] = policiesNamed(flags.policy)
  if (policy === undefined || others.length > 0)
    throw fault('usage.value', {
      place: '--policy',
      what: 'a search has only one policy',
      seen: flags.policy,
      hint: 'give one, or add --replay',
    })
  const [budget = 50, ...more] = flags.budget ?? []
  if (more.length > 0)
    throw fault('usage.value', {
      place: '--budget',
      what: 'a search has only one budget',
      seen: flags.budget,
      hint: 'give one, or add --replay',
    })
  if (flags.limit !== undefined && policy !== 'halving')
    throw fault('usage.conflict', {
      place: '--limit',
      what: `${policy} scores every arm on all of the texts`,
      hint: 'give --policy halving',
    })
  refuseContext(policy, flags)
  const folder = flags.out ?? flags.results
  const checkpoints = await checkpointsFor(models, flags, folder)
  const found = await selectTasks(flags, terminal)
  const undivided = flags.limit === undefined ? undefined : found.tasks.find((task) => !hasShares(task))
  if (undivided !== undefined)
    throw fault('usage.conflict', {
      place: '--limit',
      what: 'a task of clusters needs all of its texts, so no share of them can be scored',
      seen: undivided.name,
    })
  if (flags.dryRun === true) {
    const arms = {
      policy,
      budget,
      checkpoints: checkpoints.map(({ name }) => name),
      tasks: found.tasks.map(({ name }) => name),
    }
    if (flags.json === true) terminal.print(JSON.stringify(arms))
    else
      terminal.print(
        `${quantity(checkpoints.length, 'checkpoint')} (${arms.checkpoints.join(', ')}) × layers ${flags.layers ?? 'all'}${flags.means === undefined ? '' : ` and means of ${flags.means.join(', ')}`} on ${arms.tasks.join(', ')}: ${quantity(budget, 'pull')} by ${policy}`,
      )
    return 0
  }
  const downloads = await openDownloads({
    open: ({ reference }) => openModel(reference, modelOptions(flags, terminal)),
    fetch: async ({ reference }, signal) => (await resolveModel(reference, { signal })).tensors.close(),
    folder,
    keep: flags.keepCheckpoints,
    signal: terminal.signal,
  })
  try {
    return await searchWith(downloads, { policy, budget, checkpoints, found, folder, flags, terminal })
  } finally {
    await downloads.close()
  }
}

/** Refuses the flags of a context that the policy would ignore. */
function refuseContext(policy: PolicyName, flags: Flags): void {
  if (!policies[policy].contextual)
    refuseFlags(flags, [context, contextCorpus, texts], {
      what: `has no effect on the policy ${policy}, which uses no context of the arms`,
      hint: 'give another --policy, such as linucb',
    })
  const isFile = flags.context !== undefined && existsSync(flags.context)
  if (isFile) refuseFlags(flags, [texts], { what: 'has no effect on a context from a file', hint: 'leave it out' })
  else refuseFlags(flags, [contextCorpus], { what: 'needs a file in --context', hint: 'give one, or leave it out' })
}

interface Search {
  readonly policy: PolicyName
  readonly budget: number
  readonly checkpoints: readonly Checkpoint[]
  readonly found: ChosenTasks
  readonly folder: string
  readonly flags: Flags
  readonly terminal: Terminal
}

async function searchWith(
  { open, ahead }: Downloads,
  { policy, budget, checkpoints, found, folder, flags, terminal }: Search,
): Promise<number> {
  const report = await runSearch(checkpoints, {
    policy,
    budget,
    budgetSeconds: flags.budgetSeconds,
    shares: flags.limit,
    alpha: flags.alpha,
    seed: flags.seed,
    reward: toReward(flags),
    aggregation: flags.aggregation,
    baseline: flags.baseline,
    costAware: flags.cost === 'aware',
    layers: flags.layers ?? 'all',
    neighbours: flags.means,
    representations: flags.representation,
    context: policies[policy].contextual ? await contextFor(checkpoints, { found, open, flags, terminal }) : undefined,
    sweep: { ...sweepOptions(flags, terminal), ...taskOptions(found) },
    open,
    ahead,
    folder,
    hashes: join(cacheFolder(flags), 'hashes.jsonl'),
    signal: terminal.signal,
    onProgress: terminal.progress,
    onStale: ({ what, dropped }) =>
      terminal.note(
        `notice  ${what}: ${dropped === 1 ? '1 pull is' : `${dropped} pulls are`} made again, since each follows from those before it`,
      ),
    onPull(pull) {
      if (flags.json === true) terminal.print(JSON.stringify(pull))
      else terminal.note(pullLine(pull))
    },
  })
  if (flags.json === true) terminal.print(JSON.stringify({ search: report }))
  else for (const line of searchLines(report)) terminal.print(line)
  return report.failed > 0 ? 1 : 0
}

async function checkpointsFor(
  models: readonly string[],
  { merge = [], vary, revisions }: Flags,
  folder: string,
): Promise<readonly Checkpoint[]> {
  const [recipe, ...recipes] = merge
  if (recipe === undefined) {
    if (vary !== undefined)
      throw fault('usage.conflict', {
        place: '--vary',
        what: 'needs a recipe to vary',
        hint: 'give --merge recipe.yml',
      })
    if (models.length === 0)
      throw fault('usage.value', {
        place: 'models',
        what: 'no model is given',
        hint: 'give org/name and --revisions, several folders, or --merge RECIPE --vary …',
      })
    return checkpointsOf(models, revisions)
  }
  if (models.length > 0 || revisions !== undefined)
    throw fault('usage.conflict', {
      place: '--merge',
      what: 'cannot be combined with models or --revisions',
      seen: [...models, ...(revisions === undefined ? [] : [revisions])],
    })
  if (vary === undefined)
    return checkpointsOf(
      [recipe, ...recipes].map((path) => `merge:${path}`),
      undefined,
    )
  if (recipes.length > 0)
    throw fault('usage.conflict', { place: '--vary', what: 'only one recipe can be varied', seen: merge })
  return variedMerges(recipe, parseVariations(vary), join(folder, 'recipes'))
}

interface ContextRun {
  readonly found: ChosenTasks
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  readonly flags: Flags
  readonly terminal: Terminal
}

async function contextFor(
  checkpoints: readonly Checkpoint[],
  { found, open, flags, terminal }: ContextRun,
): Promise<SearchOptions['context']> {
  const { context: named, contextCorpus: corpusNamed, seed } = flags
  return taskContext(checkpoints, {
    context: named,
    contextCorpus: corpusNamed,
    corpus: () => corpusFor(found, flags, terminal),
    seed,
    folder: join(cacheFolder(flags), 'metrics'),
    open,
    onFailure: (checkpoint, error) =>
      terminal.note(
        `notice  ${checkpoint.name} has no context: ${asFault(error, 'internal', checkpoint.name).message}`,
      ),
    signal: terminal.signal,
    onProgress: terminal.progress,
  })
}

async function corpusFor(found: ChosenTasks, flags: Flags, terminal: Terminal): Promise<Corpus> {
  if (flags.texts !== undefined)
    return openCorpus({ ...flags, task: undefined, dataSet: undefined, column: undefined, rows: undefined }, terminal)
  return taskCorpus({ ...sweepOptions(flags, terminal), ...taskOptions(found) }, flags)
}

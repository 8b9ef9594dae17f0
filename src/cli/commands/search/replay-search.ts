/** Policies over recorded scores: `strata search --replay`. */
import { fault } from '#core'
import {
  makeContext,
  type Grid,
  gridOf,
  policiesNamed,
  recordedMetrics,
  recordedScores,
  replay,
  type Replay,
} from '#experiment/search'
import { pictureFormat, regretCurves, writePicture } from '#result/pictures'
import type { Terminal } from '../../spec/command.ts'
import { background } from '../../flags/pictures.ts'
import { allBut, refuseFlags, refuseWithout } from '../../options/acting-flags.ts'
import {
  flags as known,
  type Flags,
  replayed,
  checkpointCost as priceFlag,
  context,
  contextCorpus,
  cost as costFlag,
  depth,
  lastStep,
  plot as plotFlag,
} from './flags.ts'
import { replayLines } from './replay-lines.ts'
import { toReward } from './reward.ts'

export async function replaySearch(
  scores: string,
  [model, ...more]: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  if (more.length > 0)
    throw fault('usage.value', { place: '--replay', what: 'only the scores of one model can be replayed', seen: more })
  if (flags.limit !== undefined)
    throw fault('usage.conflict', {
      place: '--limit',
      what: 'recorded scores are of whole tasks, so shares cannot be replayed',
    })
  if (flags.means !== undefined)
    throw fault('usage.conflict', {
      place: '--means',
      what: 'a replay has only the arms that were recorded',
      hint: 'leave out --replay to score them',
    })
  refuseFlags(flags, allBut(known, replayed), {
    what: 'has no effect with --replay, which scores nothing',
    hint: 'leave it out',
  })
  refuseWithout(flags, plotFlag, [background])
  refuseWithout(flags, context, [contextCorpus])
  refuseWithout(flags, depth, [lastStep])
  refuseWithout(flags, costFlag, [priceFlag])
  if (flags.plot !== undefined) pictureFormat(flags.plot, '--plot') // refused before the work
  const policies = policiesNamed(flags.policy)
  const { grid, name } = await gridFor(scores, model, flags)
  for (const { key, missing } of grid.incomplete.slice(0, 5))
    terminal.note(`notice  ${key} is left out: it has no score on ${missing.slice(0, 3).join(', ')}`)
  const { aggregation, baseline, seeds, alpha, budget: budgets = [10, 25, 50, 100], cost, checkpointCost } = flags
  const found = await replay(grid, {
    policies,
    budgets,
    seeds,
    alpha,
    reward: toReward(flags),
    aggregation,
    baseline,
    checkpointCost: cost === 'aware' ? checkpointCost : undefined,
    signal: terminal.signal,
    onProgress: terminal.progress,
  })
  if (flags.plot !== undefined) await plot(flags.plot, found, { name, flags, terminal })
  if (flags.json === true) terminal.print(JSON.stringify({ model: name, ...found }))
  else for (const line of replayLines(name, found)) terminal.print(line)
  return 0
}

async function gridFor(scores: string, model: string | undefined, flags: Flags): Promise<{ grid: Grid; name: string }> {
  const { tasks, context, contextCorpus, averageSubsets, depth, lastStep } = flags
  const { model: name, rows } = await recordedScores(scores, { model, averageSubsets: averageSubsets === true })
  const grid = gridOf(rows, { place: scores, tasks })
  const metrics =
    context === undefined ? undefined : await recordedMetrics(context, { model: name, corpus: contextCorpus })
  const featuresOf = makeContext(grid, { metrics, depth: depth === true, lastStep })
  return { name, grid: { ...grid, arms: grid.arms.map((arm) => ({ ...arm, features: featuresOf(arm) })) } }
}

async function plot(
  file: string,
  { replays, arms, tasks }: Replay,
  { name, flags, terminal }: { name: string; flags: Flags; terminal: Terminal },
): Promise<void> {
  const picture = regretCurves({
    title: `Search over ${arms} arms of ${name}`,
    subtitle: `${tasks} tasks, reward ${flags.reward}, ${flags.aggregation}; bands hold 90 of 100 runs`,
    curves: replays.map(({ policy, curve }) => ({ name: policy, points: curve })),
    unit: flags.cost === 'aware' ? 'cost, in arms' : 'pulls',
  })
  await writePicture(file, picture, { background: flags.background })
  terminal.note(`picture written to ${file}`)
}

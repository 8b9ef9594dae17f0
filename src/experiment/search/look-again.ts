/**
 * Kept pulls, looked at again: are their scores those that the checkpoint and the data give today? The ledger decides,
 * as it does for a single command, so that a search that continues ends as one in an empty folder would.
 */
import { existsSync } from 'node:fs'
import { asFault, Fault } from '#core'
import { awayModel, type OneModel } from '#experiment/open'
import { requestSweep, sweepEntries } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import type { Representation } from '#representation/layers'
import { revisionFolder } from '#result/ledger'
import type { Checkpoint } from './checkpoints.ts'
import { findRepresentation } from './live-arms.ts'
import { isPassing, type Reach, pulled } from './pull-arm.ts'
import type { SearchPull } from './search-state.ts'

/** Where the pulls stop to be true. */
export interface Stale {
  /** Pulls before this one stand; it and those after it, which its score has led to, are made again. */
  readonly from: number
  readonly what: string
}

/**
 * The first pull that would have another outcome today: its checkpoint or its data changed, or it failed and does not
 * fail any more. Undefined where all stand, those of checkpoints that are out of reach among them. Throws the reason of
 * an abort.
 */
export async function lookAgain(pulls: readonly SearchPull[], reach: Reach): Promise<Stale | undefined> {
  let stale: Stale | undefined
  // results on disk count, even where a pull would replace them
  const reading: Reach = { ...reach, sweep: { ...reach.sweep, overwriteStrategy: 'only-missing' } }
  for (const checkpoint of reach.checkpoints) {
    const own = pulls.filter((pull) => pull.checkpoint === checkpoint.name)
    for (const pull of own) {
      reach.signal?.throwIfAborted()
      if (stale !== undefined && pull.seq >= stale.from) break
      const what = await changeOf(pull, checkpoint, reading)
      if (what !== undefined) stale = { from: pull.seq, what: `${pull.arm}: ${what}` }
    }
  }
  return stale
}

async function changeOf(pull: SearchPull, checkpoint: Checkpoint, reach: Reach): Promise<string | undefined> {
  const { tasks, share } = pull
  const pulledAgain = (): ReturnType<typeof pulled> => pulled({ ...pull, key: pull.arm }, { tasks, share }, reach)
  if (pull.failed !== undefined) {
    const { failed } = await pulledAgain()
    return failed === undefined ? 'it failed, and does not any more' : undefined
  }
  if (await isAway(checkpoint, reach)) return undefined
  const found = await opened(pull, checkpoint, reach.models)
  if (found instanceof Fault) return isElsewhere(found) ? undefined : found.message
  const { model, representation } = found
  const entries = await sweepEntries(model, {
    ...reach.sweep,
    share,
    tasks: reach.sweep.tasks.filter(({ name }) => tasks.includes(name)),
    namedFor: reach.sweep.tasks,
    representations: [representation],
  })
  const changed = entries.find(({ state }) => state !== 'reused')
  if (changed !== undefined) return `${changed.task}: ${changed.reason}`
  // another command may have made them anew
  const { scores } = await pulledAgain()
  const other = tasks.find((task) => scores[task] !== pull.scores[task])
  return other === undefined ? undefined : `${other}: another score`
}

/** On the hub alone, at the very commit that its results are of, or out of reach. */
async function isAway({ reference }: Checkpoint, { sweep, signal }: Reach): Promise<boolean> {
  try {
    const label = await awayModel(reference, { signal })
    const { outputFolder: root } = requestSweep({ ...sweep, representations: [] })
    return label !== undefined && existsSync(revisionFolder({ root, ...label }))
  } catch (error) {
    signal?.throwIfAborted()
    return isElsewhere(asFault(error, 'internal', reference))
  }
}

/** Trouble of the network or of this machine, which says nothing about a pull. */
function isElsewhere(known: Fault): boolean {
  return isPassing(known) || known.code === 'hub.offline'
}

/** A checkpoint that was replaced may lack the layer. */
async function opened(
  { layer }: SearchPull,
  checkpoint: Checkpoint,
  models: OneModel<Checkpoint>,
): Promise<{ model: Model; representation: Representation } | Fault> {
  try {
    const model = await models.of(checkpoint)
    return { model, representation: await findRepresentation(layer, model) }
  } catch (error) {
    return asFault(error, 'internal', checkpoint.name)
  }
}

/** The checkpoints that a search may pull: revisions of one model, several models, or a merge at several settings. */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault, suggestion } from '#core'
import { listRevisions, parseReference } from '#files/hub'
import { compareSteps } from './grid.ts'

export interface Checkpoint {
  /** Name in arms and in `--baseline`. */
  readonly name: string
  /** Reference that opens it. */
  readonly reference: string
}

/**
 * Checkpoints to search among. `revisions`: `a,b,c`, `all`, or `every:n` of the training checkpoints – the branches of
 * a repository, or the model folders in a folder; without it every model is a checkpoint. Throws `usage.value` for an
 * unknown revision, `usage.conflict` for revisions of several models, the hub's faults.
 *
 * @example
 * ```ts
 * import { checkpointsOf } from 'strata-lm/search'
 *
 * const checkpoints = await checkpointsOf(['assets/models'], 'tiny-t5,tiny-mt5')
 * console.log(checkpoints.map(({ name, reference }) => `${name}: ${reference}`).join(', '))
 * // → tiny-t5: assets/models/tiny-t5, tiny-mt5: assets/models/tiny-mt5
 * ```
 */
export async function checkpointsOf(
  models: readonly string[],
  revisions: string | undefined,
): Promise<readonly Checkpoint[]> {
  const [model = '', ...more] = models
  if (revisions === undefined) return distinct(models.map((reference) => ({ name: nameOf(reference), reference })))
  if (more.length > 0)
    throw fault('usage.conflict', {
      place: '--revisions',
      what: 'several models are named, but revisions belong to one',
      seen: models,
    })
  const [, every] = /^every:(\d+)$/.exec(revisions) ?? []
  if (every !== undefined && Number(every) < 1)
    throw fault('usage.value', {
      place: '--revisions',
      what: 'not a step',
      seen: revisions,
      wanted: 'every:2, every:8, …',
    })
  const known = await knownRevisions(model, revisions === 'all' || every !== undefined)
  const wanted =
    revisions === 'all' || every !== undefined
      ? trained(known ?? []).filter((_, i) => i % Number(every ?? 1) === 0)
      : revisions
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
  if (wanted.length === 0)
    throw fault('usage.value', { place: '--revisions', what: `no revision of ${model}`, seen: revisions })
  const unknown = known === undefined ? undefined : wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const list = [...(known ?? [])].sort(compareSteps)
    throw fault('usage.value', {
      place: '--revisions',
      what: `no such revision of ${model}`,
      seen: unknown,
      wanted: list.join(', '),
      hint: suggestion(unknown, list),
    })
  }
  const isFolder = parseReference(model).kind !== 'hub'
  return distinct(wanted.map((name) => ({ name, reference: isFolder ? join(model, name) : `${model}@${name}` })))
}

/** Undefined where no lookup is needed: a revision that the hub does not have is a failed arm. */
async function knownRevisions(model: string, asked: boolean): Promise<readonly string[] | undefined> {
  const reference = parseReference(model)
  if (reference.kind === 'hub') return asked ? listRevisions(reference.name) : undefined
  const entries = await readdir(model, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name)
  const holds = await Promise.all(
    folders.map(async (name) => (await readdir(join(model, name)).catch((): string[] => [])).includes('config.json')),
  )
  return folders.filter((_, i) => holds[i])
}

/** By training step; training checkpoints are numbered, or are `main`. */
function trained(names: readonly string[]): readonly string[] {
  return names.filter((name) => name === 'main' || /\d$/.test(name)).sort(compareSteps)
}

function nameOf(reference: string): string {
  return /[@]([^@/]+)$/.exec(reference)?.[1] ?? basename(reference.replace(/\/+$/, ''))
}

/** Names that two checkpoints would share are replaced by the references. */
function distinct(checkpoints: readonly Checkpoint[]): readonly Checkpoint[] {
  const shared = ({ name }: Checkpoint): boolean => checkpoints.filter((other) => other.name === name).length > 1
  return checkpoints.map((one) => (shared(one) ? { ...one, name: one.reference } : one))
}

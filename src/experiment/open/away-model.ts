/** Models of the hub that are no longer on this machine. */
import type { CallOptions } from '#core'
import { isBm25 } from '#model/checkpoint'
import { openRepo, parseReference, type Reference, repoLabel, type RepoLabel, revisionCached } from '#files/hub'

/**
 * Name in results of a hub model, at the hub's current commit, if its files would have to be downloaded; undefined for
 * every other model. Throws the hub's faults.
 */
export async function awayModel(text: string, { signal }: CallOptions = {}): Promise<RepoLabel | undefined> {
  if (isBm25(text)) return undefined
  const reference = parseReference(text)
  const { adapter } = reference
  if (reference.kind !== 'hub' || (adapter !== undefined && adapter.kind !== 'hub')) return undefined
  const commitOf = async (one: Reference): Promise<string> => (await openRepo(one, { signal })).revision ?? ''
  const commit = await commitOf(reference)
  const adapterCommit = adapter === undefined ? undefined : await commitOf(adapter)
  const here =
    (await revisionCached(reference.name, commit)) &&
    (adapter === undefined || (await revisionCached(adapter.name, adapterCommit ?? '')))
  return here ? undefined : repoLabel(reference, commit, adapterCommit)
}

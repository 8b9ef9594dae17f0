/** Cards of the models that another is made from. */
import type { RepoFiles } from '#core'
import { type JoinedLicence, joinCardLicences, type ModelCard, readCard } from '#files/cards'
import type { OpenedMerge } from '#experiment/open'

/** One card per repository, in order of appearance. Throws `run.cancelled`. */
export async function readCards(origins: readonly RepoFiles[]): Promise<ModelCard[]> {
  const distinct = new Map(origins.map((files) => [files.name, files] as const))
  return Promise.all(Array.from(distinct.values(), readCard))
}

export function mergeOrigins({ inputs }: Pick<OpenedMerge, 'inputs'>): readonly RepoFiles[] {
  return inputs.flatMap(({ origins }) => origins)
}

/**
 * Licences of all inputs of a merge – as their cards state them, those of adapters and inner merges included – and the
 * licence of the whole. Throws `run.cancelled`.
 */
export async function mergeLicences(opened: Pick<OpenedMerge, 'inputs'>): Promise<JoinedLicence> {
  return joinCardLicences(await readCards(mergeOrigins(opened)))
}

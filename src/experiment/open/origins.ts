/** Repositories whose cards speak of a model: its own, those of its adapters, those of a merge's inputs. */
import type { RepoFiles } from '#core'
import type { ModelParts } from '#model/checkpoint'

export function listOrigins({ origins, files }: Pick<ModelParts, 'origins' | 'files'>): readonly RepoFiles[] {
  return origins ?? [files]
}

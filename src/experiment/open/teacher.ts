/** A model to be distilled, with the files that say where it lies. */
import type { RepoFiles } from '#core'
import { type Model, openModelParts } from '#model/checkpoint'
import { listOrigins } from './origins.ts'
import { closingOnFailure, type OpenModelOptions, resolveModel } from './open-model.ts'

export interface Teacher {
  readonly model: Model
  readonly files: RepoFiles
  /** Repositories with the cards of the model. */
  readonly origins: readonly RepoFiles[]
}

/**
 * Opens a model to be distilled; close its `model` after use. Throws what opening a model throws.
 *
 * @example
 * ```ts
 * import { openTeacher } from 'strata-lm/distill'
 *
 * const { model } = await openTeacher('assets/models/stories260K')
 * console.log(model.name) // → stories260K
 * await model.close()
 * ```
 */
export async function openTeacher(reference: string, options: OpenModelOptions = {}): Promise<Teacher> {
  const resolved = await resolveModel(reference, options)
  const model = await closingOnFailure(resolved.tensors, () => openModelParts(resolved, options))
  for (const notice of model.notices) options.onNotice?.(`${model.name}: ${notice}`)
  return { model, files: resolved.body, origins: listOrigins(resolved) }
}

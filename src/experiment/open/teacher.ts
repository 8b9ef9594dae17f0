/** A model to be distilled, with the files that say where it lies. */
import type { RepoFiles } from '#core'
import { type Model, openModelParts } from '#model/checkpoint'
import { closingOnFailure, type OpenModelOptions, resolveModel } from './open-model.ts'

export interface Teacher {
  readonly model: Model
  readonly files: RepoFiles
}

/** Throws what opening a model throws. */
export async function openTeacher(reference: string, options: OpenModelOptions = {}): Promise<Teacher> {
  const resolved = await resolveModel(reference, options)
  const model = await closingOnFailure(resolved.tensors, () => openModelParts(resolved, options))
  for (const notice of model.notices) options.onNotice?.(`${model.name}: ${notice}`)
  return { model, files: resolved.body }
}

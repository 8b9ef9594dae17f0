/** Two models, opened as far as their headers and configs. */
import type { CallOptions, ModelHeaders, RepoFiles } from '#core'
import { readConfig } from './config-of.ts'
import { listOrigins } from './origins.ts'
import { resolveModel } from './open-model.ts'

export interface HeadedModel extends ModelHeaders {
  readonly files: RepoFiles
  /** Repositories with the cards of the model. */
  readonly origins: readonly RepoFiles[]
}

export interface OpenedPair {
  readonly models: readonly [HeadedModel, HeadedModel]
  readonly close: () => Promise<void>
}

/** Opens the first, then the second. Throws what opening throws; both are closed again then. */
export async function openPair(first: string, second: string, call: CallOptions = {}): Promise<OpenedPair> {
  const sources: ModelHeaders['tensors'][] = []
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((tensors) => tensors.close()))
  }
  const open = async (model: string): Promise<HeadedModel> => {
    const parts = await resolveModel(model, call)
    const { body: files, tensors } = parts
    sources.push(tensors)
    return { model, tensors, files, origins: listOrigins(parts), config: await readConfig(files) }
  }
  try {
    return { models: [await open(first), await open(second)], close }
  } catch (error) {
    await close()
    throw error
  }
}

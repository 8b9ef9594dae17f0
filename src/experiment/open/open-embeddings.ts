/** A server of vectors as a model. */
import { type ServerModelOptions, type Model, openVectorServer } from '#model/checkpoint'
import { type EmbeddingOptions, openEmbeddingServer } from '#model/server'

/** A server, its model, and the prompts of that. */
export interface OpenEmbeddingsOptions extends EmbeddingOptions, Pick<ServerModelOptions, 'prompts' | 'similarity'> {}

/**
 * The vectors of a server as a model with the representation `default`. No request is sent before the first text that
 * `store` does not hold. Close the model after use.
 */
export async function openEmbeddings(
  { prompts, similarity, ...server }: OpenEmbeddingsOptions,
  options: Omit<ServerModelOptions, 'prompts' | 'similarity'> = {},
): Promise<Model> {
  return openVectorServer({ ...openEmbeddingServer(server), type: server.kind }, { ...options, prompts, similarity })
}

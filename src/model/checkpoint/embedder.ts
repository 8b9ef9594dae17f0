/** A representation as an embedder: texts in, one vector a text out, read from the cache of layer vectors. */
import { Fault, type Embedder, type Matrix } from '#core'
import { callOptions, type LayerVectors } from './layer-vectors.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'

export interface EmbedderParts {
  readonly representation: string
  readonly vectors: LayerVectors
  readonly slot: string
  readonly width: number
  readonly prompts: PromptChoice
  /** What the model folder's later modules do to a pooled vector (Normalize, Dense, …). */
  readonly finish?: (pooled: Matrix) => Promise<Matrix> | Matrix
}

/** Repeated texts pass the model once; vectors of unequal prompts never mix, because prompts are part of the cache's key. */
export function embedderOf({ representation, vectors, slot, width, prompts, finish }: EmbedderParts): Embedder {
  return {
    representation,
    width,
    async embed(texts, options = {}) {
      const prompt = choosePrompt(prompts, options)
      await vectors.ensure(texts, prompt, callOptions(options))
      const pooled = await vectors.read(slot, texts, prompt).catch(async (error: unknown) => {
        // Another process may have trimmed the cache between the two steps.
        if (!(error instanceof Fault) || error.code !== 'cache.invalid') throw error
        await vectors.ensure(texts, prompt, callOptions(options))
        return vectors.read(slot, texts, prompt)
      })
      return finish ? finish(pooled) : pooled
    },
  }
}

/** Pooled vectors as embedders: read from the store, or straight from the model. */
import { type AskOptions, type Embedder, Fault, type Matrix, matrix } from '#core'
import type { TextKeys } from '#platform/vectors'
import { type Encoder, type Keep, keyed, type LayerVectors } from './layer-vectors.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'
import { textBlocks, forecastTokens } from '#model/passes'

interface EmbedderParts {
  readonly representation: string
  readonly width: number
  readonly prompts: PromptChoice
  /** What the model folder's later modules do to a pooled vector (Normalize, Dense, …). */
  readonly finish?: ((pooled: Matrix) => Promise<Matrix> | Matrix) | undefined
}

export interface StoredParts extends EmbedderParts {
  readonly vectors: LayerVectors
  /** The same with a hold of its own on what it finds and makes, so that what `vectors` needs meanwhile stays. */
  readonly ahead: () => Promise<LayerVectors>
  readonly slot: string
  /** A state: `slot` is one up to it. */
  readonly keep: Keep
  readonly keys?: TextKeys | undefined
}

/**
 * Repeated texts pass the model once; vectors of unequal prompts never mix, because prompts are part of the cache's
 * key.
 */
export function storedEmbedder({
  representation,
  vectors,
  ahead,
  slot,
  width,
  keep,
  keys,
  prompts,
  finish,
}: StoredParts): Embedder {
  return {
    representation,
    width,
    async embed(texts, options = {}) {
      const asked = keyed(texts, choosePrompt(prompts, options), keys)
      await vectors.ensure(asked, keep, options)
      const from = typeof keep === 'number' ? keep : undefined
      const pooled = await vectors.read(slot, asked, from).catch(async (error: unknown) => {
        // Another process may have trimmed the cache between the two steps.
        if (!(error instanceof Fault) || error.code !== 'cache.invalid') throw error
        await vectors.ensure(asked, keep, options)
        return vectors.read(slot, asked, from)
      })
      return finish ? finish(pooled) : pooled
    },
    async prepare(texts, options = {}) {
      await (await ahead()).ensure(keyed(texts, choosePrompt(prompts, options), keys), keep, options)
    },
  }
}

export interface StraightParts extends EmbedderParts {
  readonly encoder: Encoder
  readonly slot: string
}

/** Maximum number of texts per call of the encoder, which bounds the memory needed besides the result. */
const callTexts = 4096

/**
 * Stores nothing and makes no file. Texts run in the order in which they would be stored, repeats once: the same
 * numbers.
 */
export function straightEmbedder({ representation, encoder, slot, width, prompts, finish }: StraightParts): Embedder {
  const at = encoder.slots.findIndex(({ name }) => name === slot)
  const pooledWidth = encoder.slots[at]?.width ?? width
  return {
    representation,
    width,
    async embed(texts, { signal, onProgress, ...asked }: AskOptions = {}) {
      const prompt = choosePrompt(prompts, asked)
      const places = new Map<string, number[]>()
      texts.forEach((text, index) => places.set(text, [...(places.get(text) ?? []), index]))
      const pooled = matrix(texts.length, pooledWidth)
      const wanted = [...places.keys()]
      const forecast = forecastTokens(wanted)
      let done = 0
      for (const block of textBlocks(wanted, callTexts)) {
        signal?.throwIfAborted()
        const values = await encoder.encode(block, prompt, {
          signal,
          onRows: (rows, tokens) =>
            onProgress?.({
              stage: 'encode',
              done: (done += rows),
              total: places.size,
              unit: 'texts',
              work: forecast(rows, tokens),
            }),
        })
        const rows = values[at] ?? new Float32Array(0)
        block.forEach((text, row) => {
          for (const index of places.get(text) ?? [])
            pooled.data.set(rows.subarray(row * pooledWidth, (row + 1) * pooledWidth), index * pooledWidth)
        })
      }
      return finish ? finish(pooled) : pooled
    },
  }
}

/** Vectors of which few numbers are not 0, as these numbers: asked like an embedder, and searched through. */
import { type Embedder, type Searcher, type Similarity } from '#core'
import { type SparseRow, sparseSearcher, toDense, toSparse } from '#model/lexical'
import { forecastTokens, textBlocks } from '#model/passes'
import type { EncodeCall, Encoder } from './layer-vectors.ts'
import type { Model, SparseVectors } from './model.ts'
import { choosePrompt, type PromptChoice } from './prompts.ts'

/** Texts under one prompt to rows, nothing kept. */
export interface SparseEncoder {
  readonly width: number
  readonly encode: (texts: readonly string[], prompt: string | null, call?: EncodeCall) => Promise<SparseRow[]>
}

/** Maximum number of texts per call of the encoder. */
const callTexts = 4096

/** Every text passes once, under the prompt of its side. */
export function sparseVectors({ width, encode }: SparseEncoder, prompts: PromptChoice): SparseVectors {
  return {
    width,
    async encode(texts, { signal, onProgress, ...asked } = {}) {
      const prompt = choosePrompt(prompts, asked)
      const wanted = [...new Set(texts)]
      const forecast = forecastTokens(wanted)
      const found = new Map<string, SparseRow>()
      let done = 0
      for (const block of textBlocks(wanted, callTexts)) {
        const rows = await encode(block, prompt, {
          signal,
          onRows: (count, tokens) =>
            onProgress?.({
              stage: 'encode',
              done: (done += count),
              total: wanted.length,
              unit: 'texts',
              work: forecast(count, tokens),
            }),
        })
        block.forEach((text, i) => rows[i] !== undefined && found.set(text, rows[i]))
      }
      return { width, rows: texts.flatMap((text) => found.get(text) ?? []) }
    },
  }
}

/** What an embedder gives, without its zeros. */
export function embeddedSparse(embedder: Embedder): SparseVectors {
  return { width: embedder.width, encode: async (texts, options) => toSparse(await embedder.embed(texts, options)) }
}

/** [texts × width], zeros included. */
export function sparseEmbedder({ width, encode }: SparseVectors, representation: string): Embedder {
  return { representation, width, embed: async (texts, options) => toDense(await encode(texts, options)) }
}

/** One slot, `name`. */
export function sparseSlot({ width, encode }: SparseEncoder, name: string): Encoder {
  return {
    slots: [{ name, width }],
    encode: async (texts, prompt, call) => [toDense({ width, rows: await encode(texts, prompt, call) }).data],
  }
}

export interface SearchSettings {
  readonly representation: string
  readonly similarity: Similarity
  readonly isUnit: boolean
  readonly place: string
}

/** Undefined for similarities to which numbers that are 0 count. */
export function sparseSearch(
  vectors: () => Promise<SparseVectors>,
  { similarity, isUnit, ...shared }: SearchSettings,
): Model['searcher'] {
  if (similarity !== 'dot' && similarity !== 'cosine') return undefined
  return async (): Promise<Searcher> => {
    const { encode } = await vectors()
    return sparseSearcher({ ...shared, similarity: isUnit ? 'cosine' : similarity, encode })
  }
}

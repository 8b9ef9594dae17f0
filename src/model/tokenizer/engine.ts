/** The native core behind three calls, so that it can run here or in a process of its own. */
import { threadBudget } from '#platform/threads'

/** Ids of some texts one after another, without special tokens; text i ends at `ends[i]`. */
export interface EncodedSlice {
  readonly ids: Int32Array
  readonly ends: Int32Array
  /** [ids × 2], code points. */
  readonly offsets: Int32Array | undefined
}

export interface Engine {
  encode(texts: readonly string[], offsets: boolean): Promise<EncodedSlice>
  decode(ids: readonly number[], skipSpecialTokens: boolean): Promise<string>
  /** Each text normalised, and the pieces of it that the vocabulary is asked for. */
  split(texts: readonly string[]): Promise<SplitText[]>
}

export interface SplitText {
  readonly normal: string
  readonly pieces: readonly string[]
}

/** Builds the native tokenizer from checked JSON; throws the core's own error when it refuses. */
export async function openEngine(json: string): Promise<Engine> {
  // Read once, when the core first encodes several texts.
  process.env['RAYON_NUM_THREADS'] ??= String(threadBudget())
  const { Tokenizer } = await import('tokenizers')
  const native = Tokenizer.fromString(json)
  return {
    async encode(texts, wantsOffsets) {
      const encodings = await native.encodeBatch([...texts], { addSpecialTokens: false })
      const ends = new Int32Array(encodings.length)
      let total = 0
      encodings.forEach((encoding, index) => {
        total += encoding.getLength()
        ends[index] = total
      })
      const ids = new Int32Array(total)
      const offsets = wantsOffsets ? new Int32Array(total * 2) : undefined
      encodings.forEach((encoding, index) => {
        const begin = ends[index - 1] ?? 0
        ids.set(encoding.getIds(), begin)
        if (offsets !== undefined)
          encoding.getOffsets().forEach((pair, token) => offsets.set(pair, (begin + token) * 2))
      })
      return { ids, ends, offsets }
    },
    decode: (ids, skipSpecialTokens) => native.decode([...ids], skipSpecialTokens),
    split: async (texts) => {
      const [normalizer, splitter] = [native.getNormalizer(), native.getPreTokenizer()]
      return texts.map((text) => {
        const normal = normalizer === null ? text : normalizer.normalizeString(text)
        if (normal === '') return { normal, pieces: [] }
        return { normal, pieces: splitter?.preTokenizeString(normal).map(([piece]) => piece) ?? [normal] }
      })
    },
  }
}

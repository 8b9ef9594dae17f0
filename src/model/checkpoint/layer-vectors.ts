/**
 * Encode once: every text passes the model once, and every state it had on the way is kept on disk, read back one layer
 * at a time.
 */
import { type CallOptions, type Matrix, matrix } from '#core'
import { textKeys, type TextKeys, type VectorSpace, type VectorStore } from '#platform/vectors'
import { textBlocks, forecastTokens } from '#model/passes'

/** Rows of one encoder call: slot by slot [rows × width], in the order of the texts. */
export interface Encoder {
  readonly slots: readonly { readonly name: string; readonly width: number }[]
  encode(texts: readonly string[], prompt: string | null, call: EncodeCall): Promise<Float32Array[]>
}

export interface EncodeCall {
  signal?: AbortSignal | undefined
  onRows?: ((rows: number, tokens: number) => void) | undefined
}

/** A pass next to others. */
export interface PassCall extends EncodeCall {
  /** Passes that run or wait, this one among them; default 1. */
  passes?: number | undefined
}

/**
 * The vectors that a pass leaves behind: every state of a text (`all`), the last one's only, which `default` needs
 * (`last`), or the states up to this one, where the graph ends.
 */
export type Keep = 'all' | 'last' | number

export interface Ensured {
  /** Texts that passed the model now, and texts that were there already (repeats count once). */
  readonly encoded: number
  readonly reused: number
  readonly tokens: number
}

/** Texts under one prompt (null: none). */
export interface PromptedTexts {
  readonly texts: readonly string[]
  readonly prompt: string | null
  /** Keys of `texts`, for callers that have them. */
  readonly keys?: Uint32Array | undefined
}

export interface LayerVectors {
  /** Slots of a pass that keeps all states: `h0` … `hL` and `last`. */
  readonly slots: Encoder['slots']
  /** How many of the texts are not stored yet. */
  missing(asked: PromptedTexts, keep: Keep): Promise<number>
  /**
   * Encodes the missing vectors; finished ones survive whenever the process ends. A pass that kept all states serves
   * `last` too.
   */
  ensure(asked: PromptedTexts, keep: Keep, options?: CallOptions): Promise<Ensured>
  /**
   * One slot of the texts, [texts × width]; they must have been ensured, with the same `keep` where that is a state.
   */
  read(slot: string, asked: PromptedTexts, keep?: Keep): Promise<Matrix>
  /** Stores vectors that a pass for other ones left behind; those that are there stay. */
  append(keep: Keep, texts: readonly string[], prompt: string | null, values: readonly Float32Array[]): Promise<void>
  close(): Promise<void>
}

/**
 * A stored block holds at most this many bytes over all slots: what a crash may cost, and what a call keeps in memory.
 */
const blockBytes = 64 * 1024 * 1024

export interface LayerVectorsParts {
  readonly store: VectorStore
  /** Everything but text and prompt that decides a vector, whatever else of it is kept. */
  readonly description: Readonly<Record<string, unknown>>
  readonly encoders: (keep: Keep) => Encoder
  /** Hears of every block that passed the model. */
  readonly onPassed?: ((texts: number, tokens: number, seconds: number) => void) | undefined
}

interface ReachEncoders {
  readonly all: Encoder
  readonly encoderOf: (keep: Keep) => Encoder
  /** A pass up to the last state is one that keeps all. */
  readonly settled: (keep: Keep) => Keep
}

/** Encoders made once each, when they are first needed. */
function encodersByReach(make: LayerVectorsParts['encoders']): ReachEncoders {
  const made = new Map<Keep, Encoder>()
  const encoderOf = (keep: Keep): Encoder => {
    const encoder = made.get(keep) ?? make(keep)
    made.set(keep, encoder)
    return encoder
  }
  const all = encoderOf('all')
  return {
    all,
    encoderOf,
    settled: (keep) =>
      typeof keep === 'number' && !all.slots.some(({ name }) => name === `h${keep + 1}`) ? 'all' : keep,
  }
}

export function openLayerVectors({ store, description, encoders, onPassed }: LayerVectorsParts): LayerVectors {
  const opened = new Map<string, Promise<VectorSpace>>()
  const { all, encoderOf, settled } = encodersByReach(encoders)
  const spaceOf = (keep: Keep, prompt: string | null): Promise<VectorSpace> => {
    const key = `${keep} ${JSON.stringify(prompt)}`
    const known = opened.get(key) ?? store.space({ ...description, prompt }, encoderOf(keep).slots)
    opened.set(key, known)
    return known
  }
  /** Positions of distinct texts that no space holds which serves `keep`. */
  const missingOf = async (
    { texts, prompt, keys = textKeys(texts) }: PromptedTexts,
    asked: Keep,
  ): Promise<number[]> => {
    const keep = settled(asked)
    const absent = await (await spaceOf('all', prompt)).missing(texts, keys)
    if (keep === 'all' || absent.length === 0) return absent
    const some = absent.map((index) => texts[index] ?? '')
    return (await (await spaceOf(keep, prompt)).missing(some)).map((index) => absent[index] ?? 0)
  }

  return {
    slots: all.slots,
    async missing(asked, keep) {
      return (await missingOf(asked, keep)).length
    },
    async ensure(asked, wish, { signal, onProgress } = {}) {
      const { texts, prompt } = asked
      const keep = settled(wish)
      const wanted = (await missingOf(asked, keep)).map((index) => texts[index] ?? '')
      const space = await spaceOf(keep, prompt)
      const encoder = encoderOf(keep)
      // In the blocks of a pass that keeps all states: the same texts meet in a batch, and give the same bits.
      const { slots } = typeof keep === 'number' ? all : encoder
      const rowBytes = 4 * slots.reduce((sum, { width }) => sum + width, 0)
      const forecast = forecastTokens(wanted)
      let [done, tokens] = [0, 0]
      for (const block of textBlocks(wanted, Math.max(1, Math.floor(blockBytes / rowBytes)))) {
        signal?.throwIfAborted()
        const [started, tokensBefore] = [performance.now(), tokens]
        const values = await encoder.encode(block, prompt, {
          signal,
          onRows(rows, rowTokens) {
            done += rows
            tokens += rowTokens
            onProgress?.({
              stage: 'encode',
              done,
              total: wanted.length,
              unit: 'texts',
              work: forecast(rows, rowTokens),
            })
          },
        })
        onPassed?.(block.length, tokens - tokensBefore, (performance.now() - started) / 1000)
        await space.append(block, values)
      }
      return { encoded: wanted.length, reused: new Set(texts).size - wanted.length, tokens }
    },
    async read(slot, { texts, prompt, keys = textKeys(texts) }, wish = slot === 'last' ? 'last' : 'all') {
      const keep = settled(wish)
      const all = await spaceOf('all', prompt)
      const absent = keep === 'all' ? [] : await all.missing(texts, keys)
      if (absent.length === 0) return all.read(slot, texts, keys)
      const few = await spaceOf(keep, prompt)
      const fewOnly = new Set(absent.map((index) => texts[index]))
      const indexes = Array.from(texts.keys())
      const kept = indexes.filter((index) => !fewOnly.has(texts[index]))
      if (kept.length === 0) return few.read(slot, texts, keys)
      return scattered(slot, texts, [
        { space: all, indexes: kept },
        { space: few, indexes: indexes.filter((index) => fewOnly.has(texts[index])) },
      ])
    },
    async append(keep, texts, prompt, values) {
      await (await spaceOf(keep, prompt)).append(texts, values)
    },
    async close() {
      const spaces = await Promise.allSettled(opened.values())
      await Promise.all(spaces.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
    },
  }
}

/** One slot of texts that lie in several spaces, in their order. */
async function scattered(
  slot: string,
  texts: readonly string[],
  parts: readonly { space: VectorSpace; indexes: readonly number[] }[],
): Promise<Matrix> {
  let out: Matrix | undefined
  for (const { space, indexes } of parts) {
    const { data, width } = await space.read(
      slot,
      indexes.map((index) => texts[index] ?? ''),
    )
    const whole = (out ??= matrix(texts.length, width))
    indexes.forEach((index, row) => whole.data.set(data.subarray(row * width, (row + 1) * width), index * width))
  }
  return out ?? matrix(0, 0)
}

/** A call's keys, made once. */
export function keyed(texts: readonly string[], prompt: string | null, keysOf: TextKeys = textKeys): PromptedTexts {
  return { texts, prompt, keys: keysOf(texts) }
}

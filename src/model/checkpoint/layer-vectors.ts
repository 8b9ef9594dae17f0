/** Encode once: every text passes the model once, and every state it had on the way is kept on disk, read back one layer at a time. */
import type { EmbedOptions, Matrix, OnProgress } from '#core'
import type { VectorSpace, VectorStore } from '#platform/vectors'
import { forecastTokens } from './token-forecast.ts'

/** Rows of one encoder call: slot by slot [rows × width], in the order of the texts. */
export interface Encoder {
  readonly slots: readonly { readonly name: string; readonly width: number }[]
  encode(texts: readonly string[], prompt: string | null, call: EncodeCall): Promise<Float32Array[]>
}

export interface EncodeCall {
  signal?: AbortSignal
  onRows?: (rows: number, tokens: number) => void
}

export interface Ensured {
  /** Texts that passed the model now, and texts that were there already (repeats count once). */
  readonly encoded: number
  readonly reused: number
  readonly tokens: number
}

export interface LayerVectors {
  readonly slots: Encoder['slots']
  /** How many of the texts are not stored yet. */
  missing(texts: readonly string[], prompt: string | null): Promise<number>
  /** Encodes what is missing; what is finished is durable whenever the process ends. */
  ensure(texts: readonly string[], prompt: string | null, options?: { signal?: AbortSignal; onProgress?: OnProgress }): Promise<Ensured>
  /** One slot of the texts, [texts × width]; they must have been ensured. */
  read(slot: string, texts: readonly string[], prompt: string | null): Promise<Matrix>
  close(): Promise<void>
}

/** A stored block holds at most this many bytes over all slots: what a crash may cost, and what a call keeps in memory. */
const blockBytes = 64 * 1024 * 1024
/** Letters of a block: some 100,000 tokens, so that a block is never more than minutes of work. */
const blockLetters = 500_000

export function openLayerVectors({
  store,
  description,
  encoder,
}: {
  store: VectorStore
  description: Record<string, unknown>
  encoder: Encoder
}): LayerVectors {
  const spaces = new Map<string | null, Promise<VectorSpace>>()
  const spaceOf = (prompt: string | null): Promise<VectorSpace> => {
    const known = spaces.get(prompt) ?? store.space({ ...description, prompt }, encoder.slots)
    spaces.set(prompt, known)
    return known
  }
  const rowBytes = 4 * encoder.slots.reduce((sum, { width }) => sum + width, 0)
  const blockRows = Math.max(1, Math.floor(blockBytes / rowBytes))

  return {
    slots: encoder.slots,
    async missing(texts, prompt) {
      return (await (await spaceOf(prompt)).missing(texts)).length
    },
    async ensure(texts, prompt, { signal, onProgress } = {}) {
      const space = await spaceOf(prompt)
      const wanted = await space.missing(texts)
      const distinct = new Set(texts).size
      const asked = wanted.map((index) => texts[index] ?? '')
      const forecast = forecastTokens(asked)
      let [done, tokens] = [0, 0]
      for (const block of blocksOf(asked, blockRows)) {
        signal?.throwIfAborted()
        const values = await encoder.encode(block, prompt, {
          ...(signal ? { signal } : {}),
          onRows(rows, rowTokens) {
            done += rows
            tokens += rowTokens
            onProgress?.({ stage: 'encode', done, total: wanted.length, unit: 'texts', work: forecast(rows, rowTokens) })
          },
        })
        await space.append(block, values)
      }
      return { encoded: wanted.length, reused: distinct - wanted.length, tokens }
    },
    async read(slot, texts, prompt) {
      return (await spaceOf(prompt)).read(slot, texts)
    },
    async close() {
      const opened = await Promise.allSettled(spaces.values())
      await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
    },
  }
}

/** Texts of like length together, longest first: little padding inside a block. */
function* blocksOf(texts: readonly string[], rows: number): Generator<string[]> {
  let block: string[] = []
  let letters = 0
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    if (block.length === rows || (block.length > 0 && letters + text.length > blockLetters)) {
      yield block
      block = []
      letters = 0
    }
    block.push(text)
    letters += text.length
  }
  if (block.length > 0) yield block
}

/** Everything an `EmbedOptions` says about where time goes, passed on. */
export function callOptions({ signal, onProgress }: EmbedOptions): { signal?: AbortSignal; onProgress?: OnProgress } {
  return { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) }
}

/** Vectors of texts out of the cache, and through the queue those that are not there: under the keys of an evaluation. */
import { Fault } from '#core'
import type { Keep, LayerVectors, PromptedTexts, SlotPass, States } from '#model/checkpoint'
import type { PoolingName } from '#model/passes'
import type { PassSlot } from './pass-load.ts'
import type { PassQueue } from './pass-queue.ts'

export interface CacheRequest extends Pick<PromptedTexts, 'texts' | 'prompt'> {
  /** `last` alone, or hidden states. */
  readonly slots: readonly PassSlot[]
  readonly pooling: readonly PoolingName[]
  readonly signal?: AbortSignal | undefined
}

export interface PassCache {
  /** A block [texts × width] for each slot. Throws `run.cancelled` once the signal says so, and what the pass throws. */
  ask(request: CacheRequest): Promise<Float32Array[]>
  close(): Promise<void>
}

export interface PassCacheOptions {
  /** The highest state of the representations named at the start. */
  readonly reach: number
  /** Hears of the texts of a request, each once: found in the cache, and not. */
  readonly onKept?: ((hits: number, misses: number) => void) | undefined
}

/**
 * What a pass leaves behind is kept as `strata evaluate` keeps it: the last state for `default`, the states up to the
 * highest one that was named at the start, or all of them for one beyond it.
 */
export function openPassCache(
  states: Pick<States, 'tokenRows'> & { readonly keptBy: NonNullable<States['keptBy']> },
  queue: PassQueue,
  { reach, onKept }: PassCacheOptions,
): PassCache {
  const opened = new Map<string, Promise<LayerVectors>>()
  const vectorsFor = (pooling: readonly PoolingName[]): Promise<LayerVectors> => {
    const key = pooling.join()
    const pass: SlotPass = async (slots, texts, prompt, { signal, onRows }) => {
      const rows = await states.tokenRows(texts, prompt)
      const blocks = await queue.ask({ ...rows, pooling: key, slots: slots.map(toSlot), signal })
      onRows?.(
        texts.length,
        rows.rows.reduce((sum, { ids }) => sum + ids.length, 0),
      )
      return blocks
    }
    const known = opened.get(key) ?? states.keptBy(pass, pooling)
    opened.set(key, known)
    known.catch(() => opened.delete(key))
    return known
  }
  return {
    async ask({ texts, prompt, slots, pooling, signal }) {
      const vectors = await vectorsFor(pooling)
      const keep = keepFor(slots, reach)
      const asked = { texts, prompt }
      const ensure = async (): Promise<void> => {
        const { encoded, reused } = await vectors.ensure(asked, keep, { signal })
        onKept?.(reused, encoded)
      }
      const read = (): Promise<Float32Array[]> =>
        Promise.all(
          slots.map(async (slot) => {
            const from = typeof keep === 'number' ? keep : undefined
            const { data } = await vectors.read(slot === 'last' ? slot : `h${slot}`, asked, from)
            return data
          }),
        )
      await ensure()
      return read().catch(async (error: unknown) => {
        // another request, or another process, may have trimmed the cache between the two steps
        if (!(error instanceof Fault) || error.code !== 'cache.invalid') throw error
        await ensure()
        return read()
      })
    },
    async close() {
      const vectors = await Promise.allSettled(opened.values())
      await Promise.all(vectors.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])))
    },
  }
}

function keepFor(slots: readonly PassSlot[], reach: number): Keep {
  if (slots.every((slot) => slot === 'last')) return 'last'
  return slots.every((slot) => slot !== 'last' && slot <= reach) ? reach : 'all'
}

function toSlot(name: string): PassSlot {
  return name === 'last' ? name : Number(name.slice(1))
}

/** A model whose passes are shared: every representation of it goes through one queue. */
import { matrix } from '#core'
import type { Encoder, Model, PromptedRows, States } from '#model/checkpoint'
import { type PoolingName, poolingNamed } from '#model/passes'
import { type Representation, toWhole } from '#representation/layers'
import type { PassCache } from './pass-cache.ts'
import type { PassSlot } from './pass-load.ts'
import { type Pass, passQueue, type PassQueue, type PassQueueOptions } from './pass-queue.ts'

/** Texts, or rows of ids that the client made itself, as the model reads them. */
export type ReadRows = (texts: readonly string[], prompt: string | null) => Promise<PromptedRows>

export interface QueueOptions extends Omit<PassQueueOptions, 'run'> {
  /** The highest state of the representations named at the start. */
  readonly reach?: number | undefined
}

/** Passes of at most three graphs per pooling, however requests combine their layers: each graph holds the weights. */
export function openQueue(states: States, { reach = -1, ...options }: QueueOptions): PassQueue {
  const upTo = (h: number): number[] => Array.from({ length: h + 1 }, (_, i) => i)
  const all = [...upTo(states.count - 1), 'last'] as const
  const reached = upTo(reach)
  const slotsFor = (slots: readonly PassSlot[]): readonly PassSlot[] => {
    if (slots.every((slot) => slot === 'last')) return ['last']
    return slots.every((slot) => slot !== 'last' && slot <= reach) ? reached : all
  }
  const run: Pass = async (rows, { skipped, pooling, slots, passes }) => {
    const asked = slotsFor(slots)
    const blocks = await states.rows(asked, poolingsIn(pooling)).forward(rows, skipped, { passes })
    return slots.map((slot) => blocks[asked.findIndex((one) => one === slot)] ?? new Float32Array(0))
  }
  return passQueue({ run, ...options })
}

interface OfRequest {
  readonly read: ReadRows
  /** Where vectors are kept, and the rows are of texts. */
  readonly kept?: PassCache | undefined
  readonly signal?: AbortSignal | undefined
}

/** The same model for one request, its texts read by `read`; nothing of it is kept but by `kept`. */
export function queuedModel(model: Model, queue: PassQueue | undefined, { read, kept, signal }: OfRequest): Model {
  const { states } = model
  if (states === undefined || queue === undefined) return model
  const { finish } = states
  const ask = async (
    texts: readonly string[],
    prompt: string | null,
    slots: readonly PassSlot[],
    pooling: readonly PoolingName[] = model.settings.pooling,
  ): Promise<Float32Array[]> => {
    // a text that is too long is refused, whether its vector is kept or not
    const rows = await read(texts, prompt)
    if (kept !== undefined) return kept.ask({ texts, prompt, slots, pooling, signal })
    return queue.ask({ ...rows, pooling: pooling.join(), slots, signal })
  }
  return {
    ...model,
    encoder: async () => {
      const encoder = await model.encoder()
      if (finish === undefined) return encoder
      return {
        slots: encoder.slots,
        async encode(texts, prompt) {
          const [data = new Float32Array(0)] = await ask(texts, prompt, ['last'])
          const width = data.length / Math.max(1, texts.length)
          return [finish(matrix(texts.length, width, data)).data]
        },
      }
    },
    states: {
      ...states,
      async encoder(asked, pooling): Promise<Encoder> {
        const { slots } = await states.encoder(asked, pooling)
        return {
          slots,
          encode: (texts, prompt) => ask(texts, prompt, asked, pooling === undefined ? undefined : [pooling]),
        }
      },
    },
  }
}

/** Weights of words, mixes of folders and vectors without states are not made of the queue's passes. */
export function isQueued(representation: Representation, { states }: Pick<Model, 'states'>): boolean {
  const { kind } = toWhole(representation)
  return states !== undefined && kind !== 'splade' && (kind !== 'default' || states.finish !== undefined)
}

/** Whether a cache may have its vectors: the passes do not know a mix of the folder’s own layers. */
export function isKeepable(representation: Representation, { states }: Pick<Model, 'states'>): boolean {
  return states?.keptBy !== undefined && isQueued(representation, { states })
}

function poolingsIn(key: string): PoolingName[] {
  return key.split(',').map((name) => poolingNamed(name, name))
}

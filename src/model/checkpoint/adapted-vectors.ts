/**
 * Pooled vectors of a checkpoint with task adapters: every text passes the weights of the adapter that is chosen for
 * it, and its vectors are stored under them.
 */
import { type AskOptions, type Embedder, fault, type TensorSource } from '#core'
import type { Graphs } from '#model/passes'
import { type AdapterChoice, chooseAdapter } from './adapter-choice.ts'
import type { CheckpointAdapters } from './checkpoint-adapters.ts'
import type { EmbedderOptions } from './model.ts'
import type { PooledVectors } from './pooled-vectors.ts'

/** The model under one adapter. */
export interface Adapted {
  readonly graphs: Graphs
  readonly vectors: PooledVectors
}

interface Opened extends Adapted {
  /** Calls that run now. */
  users: number
  /** Graphs of an adapter that nobody uses are closed when others need the memory. */
  closing: Promise<void> | undefined
}

/** Sets of weights besides those of texts that no task asks for: as many as a task has sides. */
const mostAdapted = 2

/** Sets of weights that may be in memory besides a model's own. */
export function weightSets({ byTask }: CheckpointAdapters): number {
  return byTask === undefined ? 0 : mostAdapted
}

/** Throws `usage.conflict`: the vectors of tokens are made by one set of weights. */
export function requireOneAdapter({ byTask }: CheckpointAdapters, place: string): void {
  if (byTask !== undefined)
    throw fault('usage.conflict', {
      place,
      what: 'a search by tokens reads queries and documents with one adapter',
      hint: 'name it: --adapter NAME, or --adapter none',
    })
}

/** The vectors of `plain`, and of other weights where texts pass these; `open`: the model with such weights. */
export function vectorsByTask(
  { byTask, under }: CheckpointAdapters,
  plain: Adapted,
  open: (weights: TensorSource) => Adapted,
): PooledVectors {
  return byTask === undefined ? plain.vectors : adaptedVectors(byTask, plain, (adapter) => open(under(adapter)))
}

interface AdaptedModels {
  find(adapter: string | undefined): Adapted
  /** The graphs under the adapter stay open until the work is done. */
  using<T>(adapter: string | undefined, work: (adapted: Adapted) => Promise<T>): Promise<T>
  all(): readonly Adapted[]
  close(): Promise<void>
}

function adaptedModels(open: (adapter: string | undefined) => Adapted): AdaptedModels {
  /** The one that was used last stands last. */
  const opened = new Map<string | undefined, Opened>()
  const find = (adapter: string | undefined): Opened => {
    const known = opened.get(adapter) ?? { ...open(adapter), users: 0, closing: undefined }
    opened.delete(adapter)
    opened.set(adapter, known)
    return known
  }
  const closeIdle = (): void => {
    const idle = [...opened.values()].filter(({ users }) => users === 0)
    for (const one of idle.slice(0, Math.max(0, opened.size - mostAdapted))) one.closing ??= one.graphs.close()
  }
  return {
    find,
    all: () => [...opened.values()],
    async using(adapter, work) {
      const one = find(adapter)
      one.users += 1
      try {
        await one.closing
        one.closing = undefined
        return await work(one)
      } finally {
        one.users -= 1
        closeIdle()
      }
    },
    async close() {
      for (const { vectors, graphs, closing } of opened.values()) {
        await closing
        await graphs.close()
        await vectors.close()
      }
    },
  }
}

/** `plain`: the model as it reads texts that no task asks for; `open`: as it reads others. */
function adaptedVectors(
  choice: AdapterChoice,
  plain: Adapted,
  open: (adapter: string | undefined) => Adapted,
): PooledVectors {
  const usual = chooseAdapter(choice)
  const others = adaptedModels(open)

  const byCall = async (
    options: EmbedderOptions | undefined,
    make: (vectors: PooledVectors, options: EmbedderOptions | undefined) => Promise<Embedder>,
  ): Promise<Embedder> => {
    const own = await make(plain.vectors, options)
    const made = new Map<string | undefined, Promise<Embedder>>()
    const ask = <T>(call: AskOptions, work: (embedder: Embedder) => Promise<T>): Promise<T> => {
      const adapter = chooseAdapter(choice, call)
      if (adapter === usual) return work(own)
      return others.using(adapter, async ({ vectors }) => {
        const known = made.get(adapter) ?? make(vectors, options)
        made.set(adapter, known)
        return work(await known)
      })
    }
    const prepare: Embedder['prepare'] = (texts, call = {}) =>
      ask(call, async (embedder) => embedder.prepare?.(texts, call))
    return {
      representation: own.representation,
      width: own.width,
      embed: (texts, call = {}) => ask(call, (embedder) => embedder.embed(texts, call)),
      ...('prepare' in own ? { prepare } : {}),
    }
  }

  return {
    embedder: (options) => byCall(options, (vectors, own) => vectors.embedder(own)),
    encoder: () => plain.vectors.encoder(),
    states: {
      ...plain.vectors.states,
      embedder: (state, options) => byCall(options, (vectors, own) => vectors.states.embedder(state, own)),
      vectors: (call) => {
        const adapter = chooseAdapter(choice, call)
        return adapter === usual ? plain.vectors.states.vectors() : others.find(adapter).vectors.states.vectors()
      },
      passed: () =>
        [plain, ...others.all()]
          .map(({ vectors }) => vectors.states.passed())
          .reduce((sum, own) => ({
            texts: sum.texts + own.texts,
            tokens: sum.tokens + own.tokens,
            seconds: sum.seconds + own.seconds,
          })),
    },
    async close() {
      await plain.vectors.close()
      await others.close()
    },
  }
}

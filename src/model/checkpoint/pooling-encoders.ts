/** Passes of a transformer straight to pooled vectors, by the states that they reach and by their pooling. */
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import type { Graphs, ModelOptions, ModelSettings, PoolingName } from '#model/passes'
import type { Encoder, Keep } from './layer-vectors.ts'
import type { ModulesSpec } from './modules.ts'
import { pooledEncoder } from './pooled-encoder.ts'

export interface PoolingEncodersParts {
  readonly name: string
  readonly spec: ModelSpec
  readonly tokenizer: () => Promise<Tokenizer>
  readonly settings: ModelSettings
  readonly modules: ModulesSpec | undefined
  readonly graphs: Graphs
  readonly budget: number
  readonly options: ModelOptions
}

/** Encoders of one pooling: of these states, and of the last hidden state as transformers returns it. */
export type EncodersByStates = (states: readonly number[], last: boolean) => Encoder

export interface PoolingEncoders {
  /** Default: the model's own pooling. */
  readonly byStates: (pooling?: readonly PoolingName[]) => Promise<EncodersByStates>
  /** The encoder of what a pass leaves behind. */
  readonly reaching: (make: EncodersByStates, keep: Keep) => Encoder
  /** A graph with all blocks gives the last vector too, and is one graph for all who need it. */
  readonly reachesEnd: (states: readonly number[]) => boolean
  /** Reports a pooling that nobody named, when it is first used. */
  readonly takeUnnamed: (pooling: readonly PoolingName[]) => void
}

export function poolingEncoders({
  name,
  spec,
  tokenizer,
  settings,
  modules,
  graphs,
  budget,
  options,
}: PoolingEncodersParts): PoolingEncoders {
  const all = Array.from({ length: spec.layers + 1 }, (_, h) => h)
  let isTaken = modules !== undefined || options.pooling !== undefined
  const takeUnnamed = (pooling: readonly PoolingName[]): void => {
    if (isTaken || pooling !== settings.pooling) return
    isTaken = true
    options.onNotice?.(
      `${name}: no file names a pooling: the ${pooling.join()} of the tokens is taken (--pooling names another)`,
    )
  }
  return {
    async byStates(pooling = settings.pooling) {
      takeUnnamed(pooling)
      const one = await tokenizer()
      return (states, last) =>
        pooledEncoder({
          spec,
          settings: { ...settings, pooling },
          graphs,
          tokenizer: one,
          states,
          last,
          budget,
          mix: modules?.layerMix,
        })
    },
    reaching(make, keep) {
      if (keep === 'all') return make(all, true)
      return keep === 'last' ? make([], true) : make(all.slice(0, keep + 1), false)
    },
    reachesEnd: (states) => states.includes(spec.layers),
    takeUnnamed,
  }
}

/**
 * What a decoder's blocks meet of an encoder's states: keys and values that were made once, and which of them are
 * tokens.
 */
import type { BlockSpec, CrossSpec } from '#model/architectures'
import type { Builder, Value } from './builder.ts'
import { masked } from './masked.ts'
import { once } from './remember.ts'
import type { GraphInput } from './request.ts'

export const sourceParts = ['key', 'value'] as const
export type SourcePart = (typeof sourceParts)[number]

/** B rows, E tokens of the encoder. */
export interface Source {
  /** [B × N × E × D] */
  state(block: BlockSpec, part: SourcePart): Value
  /** Added to scores: 0 where there is a token, a large negative number where not, [B × 1 × 1 × E]. */
  bias(): Value
  /** In the order in which blocks asked. */
  readonly inputs: readonly GraphInput[]
}

type MakeInput = (name: GraphInput['name'], dims: GraphInput['dims']) => Value

/** `integers` makes an input of whole numbers. */
export function openSource(builder: Builder, cross: CrossSpec, integers: MakeInput): Source {
  const inputs: GraphInput[] = []
  return {
    state(block, part) {
      const [name, dims] = [`source.${block.i}.${part}`, sourceDims(cross)] as const
      inputs.push({ name, dtype: 'float32', dims })
      return builder.input(name, 'float32', dims)
    },
    bias: once(() => {
      const real = builder.reshape(builder.cast(integers('source_mask', ['rows', 'source']), 'bool'), [0, 1, 1, -1])
      return builder.node('Where', [real, builder.float(0), builder.float(masked)])
    }),
    inputs,
  }
}

/** Dimensions of the keys, or values, of one block. */
export function sourceDims({ heads, headWidth }: CrossSpec): readonly (string | number)[] {
  return ['rows', heads, 'source', headWidth]
}

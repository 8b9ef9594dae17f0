/** Attention within chunks of a text (Llama 4): a query sees the keys of its own chunk. */
import type { Value } from './builder.ts'
import { masked } from './masked.ts'
import type { Wiring } from './wiring.ts'

/**
 * [B × 1 × R × S], added to scores. Chunks are counted from a text's first token, where pads stand before it. Keys of other
 * chunks count less than pads do, so that a chunk of pads attends to itself (CANINE convolves over them).
 */
export function chunkBias(wiring: Wiring, chunk: number): Value {
  const { builder, mask, columns, queryColumns } = wiring
  const first = builder.cast(builder.node('ArgMax', [builder.cast(mask, 'int32')], { axis: 1, keepdims: 1 }), 'int64')
  const chunkOf = (places: Value): Value =>
    builder.node('Div', [
      // Pads are masked whatever chunk they are in, and division rounds towards 0.
      builder.node('Max', [builder.node('Sub', [places, first]), builder.int(0)]),
      builder.int(chunk),
    ])
  const same = builder.node('Equal', [
    builder.reshape(chunkOf(queryColumns), [0, 1, -1, 1]),
    builder.reshape(chunkOf(columns), [0, 1, 1, -1]),
  ])
  return builder.node('Where', [same, builder.float(0), builder.float(2 * masked)])
}

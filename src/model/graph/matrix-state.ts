/**
 * A recurrence whose state is a matrix for each head: keys write values into it, queries read them (linear attention,
 * Katharopoulos et al. 2020). Shapes: G key heads, R value heads for each, K columns of a key, V of a value.
 */
import type { BlockSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { recur } from './recurrence.ts'
import type { Wiring } from './wiring.ts'

export interface MatrixSizes {
  readonly keyHeads: number
  /** Value heads in all; those of one key head lie side by side. */
  readonly heads: number
  readonly keyWidth: number
  readonly valueWidth: number
}

export interface MatrixSequences {
  /** Factor on the state before a column writes: [B × S × G·R], or [B × S × G·R·K] with one for each column of a key. */
  readonly decay: Value
  readonly decayPer: 'head' | 'column'
  /** [B × S × G·K] */
  readonly keys: Value
  readonly queries: Value
  /** [B × S × G·R·V] */
  readonly values: Value
  /**
   * Share, [B × S × G·R], by which what the state holds under a key is replaced by the value (delta rule, Schlag et al.
   * 2021); without it values are added.
   */
  readonly share?: Value
}

/** S = decay ⊙ S + k ⊗ v (or share · (v − kS)), y = q S, column by column from S = 0: [B × S × G·R·V]. */
export function scanMatrices(
  wiring: Wiring,
  block: BlockSpec,
  { keyHeads, heads, keyWidth, valueWidth }: MatrixSizes,
  { decay, decayPer, keys, queries, values, share }: MatrixSequences,
): Value {
  const { builder } = wiring
  const repeats = heads / keyHeads
  const shaped = (value: Value, dims: readonly number[]) => ({
    value: builder.reshape(value, [0, 0, ...dims]),
    dims,
  })
  const y = recur(
    wiring,
    block,
    {
      carried: [{ part: 'state', dims: [keyHeads, repeats, keyWidth, valueWidth] }],
      sequences: [
        shaped(decay, [keyHeads, repeats, decayPer === 'head' ? 1 : keyWidth, 1]),
        shaped(keys, [keyHeads, 1, keyWidth, 1]),
        shaped(queries, [keyHeads, 1, 1, keyWidth]),
        shaped(values, [keyHeads, repeats, 1, valueWidth]),
        ...(share === undefined ? [] : [shaped(share, [keyHeads, repeats, 1, 1])]),
      ],
      out: [keyHeads, repeats, 1, valueWidth],
    },
    ({ body, carried: [before = ''], now: [decayNow = '', key = '', query = '', value = '', shareNow] }) => {
      const kept = body.multiply(before, decayNow)
      const written =
        shareNow === undefined
          ? value
          : body.multiply(
              body.node('Sub', [value, body.node('ReduceSum', [body.multiply(kept, key), body.int([3])])]),
              shareNow,
            )
      const after = body.add(kept, body.multiply(key, written))
      return { carried: [after], out: body.node('MatMul', [query, after]) }
    },
  )
  return builder.reshape(y, [0, 0, heads * valueWidth])
}

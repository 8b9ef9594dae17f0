/**
 * Token states to one vector per text, inside the graph, so that token states need not leave it. Formulas: `PoolMode`.
 */
import type { Value } from './builder.ts'
import type { PoolMode } from './request.ts'
import type { Wiring } from './wiring.ts'

/** What pooling a batch needs, made once for all states. */
export interface Pooler {
  /** [B × S × W] → [B × W]; several modes stand side by side. */
  pool(states: Value): Value
}

const least = 1e-9
const maskedState = -1e9

/**
 * `poolMask` [B × S] int64 says what counts; `cls` goes by the attention mask, as it must find the first token also
 * when a prompt is left out.
 */
export function createPooler(wiring: Wiring, poolMask: Value, modes: readonly PoolMode[]): Pooler {
  const pools = modes.map((mode) => poolBy(wiring, poolMask, mode))
  return {
    pool(states) {
      const vectors = pools.map((pool) => pool(states))
      return vectors.length === 1 ? (vectors[0] ?? states) : wiring.builder.node('Concat', vectors, { axis: -1 })
    },
  }
}

function poolBy(wiring: Wiring, poolMask: Value, mode: PoolMode): (states: Value) => Value {
  const { builder, columns } = wiring
  const weights = builder.cast(poolMask, 'float32')
  const total = (values: Value): Value =>
    builder.node('Max', [builder.node('ReduceSum', [values, builder.int([1])], { keepdims: 1 }), builder.float(least)])
  switch (mode) {
    case 'mean':
      return weightedSum(wiring, builder.node('Div', [weights, total(weights)]))
    case 'mean_sqrt_len_tokens':
      return weightedSum(wiring, builder.node('Div', [weights, builder.node('Sqrt', [total(weights)])]))
    case 'weightedmean': {
      const rising = builder.multiply(weights, builder.add(builder.cast(columns, 'float32'), builder.float(1)))
      return weightedSum(wiring, builder.node('Div', [rising, total(rising)]))
    }
    case 'max': {
      const counts = builder.node('Unsqueeze', [builder.cast(poolMask, 'bool'), builder.int([2])])
      return (states) =>
        builder.node(
          'ReduceMax',
          [builder.node('Where', [counts, states, builder.float(maskedState)]), builder.int([1])],
          { keepdims: 0 },
        )
    }
    case 'cls':
      return (states) => firstToken(wiring, states)
    case 'lasttoken': {
      const any = builder.cast(builder.node('ReduceMax', [poolMask, builder.int([1])], { keepdims: 1 }), 'float32')
      const index = lastOne(wiring, poolMask)
      return (states) => builder.multiply(tokenAt(wiring, states, index), any)
    }
    default:
      return mode satisfies never
  }
}

/** Weights [B × S] and states [B × S × W] to [B × W], as one product. */
export function weightedSum({ builder }: Wiring, weights: Value): (states: Value) => Value {
  const rows = builder.node('Unsqueeze', [weights, builder.int([1])])
  return (states) => builder.node('Squeeze', [builder.exactProduct(rows, states), builder.int([1])])
}

/** State of the first token whose attention mask is 1 (of column 0 where none is), [B × W]. */
export function firstToken(wiring: Wiring, states: Value): Value {
  return tokenAt(wiring, states, wiring.builder.node('ArgMax', [wiring.mask], { axis: 1, keepdims: 1 }))
}

/** Mean of real tokens, [B × W]. */
export function meanToken(wiring: Wiring, states: Value): Value {
  return poolBy(wiring, wiring.mask, 'mean')(states)
}

/** Greatest column whose flag is 1 (column 0 where none is), [B × 1]. */
export function lastOne({ builder, columns }: Wiring, flags: Value): Value {
  return builder.node('ReduceMax', [builder.multiply(flags, columns), builder.int([1])], { keepdims: 1 })
}

/** The states at one column of each row: states [B × S × W], index [B × 1] → [B × W]. */
export function tokenAt({ builder }: Wiring, states: Value, index: Value): Value {
  return builder.node('GatherND', [states, index], { batch_dims: 1 })
}

/**
 * What every part of the graph works with. Shapes in comments: B rows (texts), S cols (tokens), W width, N heads, K key
 * heads, D head width.
 */
import type { ModelSpec, Place, Slot } from '#model/architectures'
import type { Blocks } from './block-plan.ts'
import type { Builder, Value } from './builder.ts'
import type { IntegerProducts } from './integer-product.ts'
import type { Past } from './past.ts'
import type { Source } from './source.ts'
import type { Slice, Weights } from './weights.ts'

export interface Wiring {
  readonly builder: Builder
  readonly spec: ModelSpec
  readonly weights: Weights
  /** [B × S] */
  readonly ids: Value
  /** [B × S] int64, 1 for real tokens; with a past only scans have one. */
  readonly mask: Value
  /** Tokens that passed before, and which tokens see them. */
  readonly past: Past | undefined
  /** What an encoder has read, for decoders that attend to it. */
  readonly source: Source | undefined
  /** [B × S] int64 where the caller gives them. */
  readonly positions: Value | undefined
  readonly tokenTypes: Value | undefined
  /** How keys and queries stand where rows are pooled ones. */
  readonly pooled?: PooledPlaces | undefined
  readonly rotary: 'fused' | 'plain'
  /** Columns of the last router that is a network. */
  readonly routed: { state: Value | undefined }
  /** Where weights are multiplied in integers. */
  readonly integerProducts: IntegerProducts | undefined
  /** 0 … S-1, [S] int64. */
  readonly columns: Value
  /** Columns of the queries that attend: all, or a block of R of them, [R] int64. */
  readonly queryColumns: Value
  /** How long texts attend; undefined where none is as long. */
  readonly blocks: Blocks | undefined
}

interface PooledPlaces {
  /** Tokens from a key to the next. */
  readonly stride: number
  /** Keys from a query to the next, a scalar: 2 where queries alone were pooled. */
  readonly step: Value
  readonly queryTypes: Value | undefined
}

export interface LinearOptions {
  readonly in: number
  readonly out: number
  readonly bias: boolean
  readonly place?: Place | undefined
  readonly layout?: 'out-in' | 'in-out' | 'kernel' | undefined
  /** Groups of columns that the product does not mix. */
  readonly groups?: number | undefined
  /** Whether x has one row per token, [B × S × in], or per text, [B × in]; or rows of some tokens, [n × in]. */
  readonly per?: 'token' | 'text' | 'row' | undefined
  /** The weight is one part of a tensor that holds several. */
  readonly slice?: Slice | undefined
  /** A bias that has a name of its own. */
  readonly biasSlot?: Slot | undefined
  /** In float32 whatever the other products are computed in: what decides, and costs little. */
  readonly decides?: boolean | undefined
}

/**
 * x·Wᵀ + b with W as a Linear layer stores it, [out × in]; `in-out` multiplies as stored.
 * A bias goes into the product itself: the fastest of the forms in bench/graph-forms.mjs.
 */
export function linear(
  wiring: Pick<Wiring, 'builder' | 'weights' | 'ids' | 'integerProducts'>,
  x: Value,
  slot: Slot,
  options: LinearOptions,
): Value {
  const { builder, weights, ids, integerProducts } = wiring
  const { out, bias, place = {}, layout = 'out-in', per = 'token', slice, decides = false, groups = 1 } = options
  if (groups > 1 || layout === 'kernel') {
    const product = groupedProduct(wiring, x, slot, options)
    return bias ? builder.add(product, biasOf(weights, slot, options)) : product
  }
  if (integerProducts !== undefined && per !== 'text' && !decides) {
    const product = integerProducts.multiply(
      x,
      weights.integers(slot, { in: options.in, out, layout }, place, integerProducts.form, slice),
    )
    return bias ? builder.add(product, biasOf(weights, slot, options)) : product
  }
  const dims = layout === 'out-in' ? [out, options.in] : [options.in, out]
  const weight = slice === undefined ? weights.tensor(slot, dims, place) : weights.slice(slot, dims, slice, place)
  if (!bias)
    return layout === 'out-in'
      ? builder.fused('FusedMatMul', [x, weight], { transB: 1 })
      : builder.node('MatMul', [x, weight])
  const rows = per === 'token' ? builder.reshape(x, [-1, options.in]) : x
  const product = builder.node('Gemm', [rows, weight, biasOf(weights, slot, options)], {
    transB: layout === 'out-in' ? 1 : 0,
  })
  if (per !== 'token') return product
  return builder.node('Reshape', [
    product,
    builder.node('Concat', [builder.node('Shape', [ids]), builder.int([out])], { axis: 0 }),
  ])
}

/** Rows [B × S × in] times a matrix for each group of columns, [B × S × out]. */
function groupedProduct(
  { builder, weights }: Pick<Wiring, 'builder' | 'weights'>,
  x: Value,
  slot: Slot,
  { in: columns, out, place = {}, layout, groups = 1 }: LinearOptions,
): Value {
  const [narrow, made] = [columns / groups, out / groups]
  if (layout === 'kernel' && groups === 1) {
    const kernel = weights.tensor(slot, [out, columns, 1], place)
    return builder.fused('FusedMatMul', [x, builder.reshape(kernel, [out, columns])], { transB: 1 })
  }
  const matrices =
    layout === 'kernel'
      ? builder.transpose(
          builder.reshape(weights.tensor(slot, [out, narrow, 1], place), [groups, made, narrow]),
          [0, 2, 1],
        )
      : weights.tensor(slot, [groups, narrow, made], place)
  const byGroup = builder.transpose(builder.reshape(x, [0, 0, groups, narrow]), [0, 2, 1, 3]) // [B × G × S × in/G]
  return builder.reshape(builder.transpose(builder.node('MatMul', [byGroup, matrices]), [0, 2, 1, 3]), [0, 0, out])
}

function biasOf(weights: Weights, slot: Slot, { out, place = {}, slice, biasSlot }: LinearOptions): Value {
  if (slice !== undefined) return weights.slice(biasSlot ?? slot, [out], slice, place)
  return biasSlot === undefined ? weights.tensor(slot, [out], place, 'bias') : weights.tensor(biasSlot, [out], place)
}

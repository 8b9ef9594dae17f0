/** Self-attention of one block. Shapes: B rows, S cols, N heads, K key heads, D head width. */
import { fault } from '#core'
import type { BlockSpec } from '#model/architectures'
import { byBlocks, whereLong } from './attention-blocks.ts'
import { convolveHeads, convolveValues } from './attention-convolution.ts'
import type { Builder, Value } from './builder.ts'
import { pairValues, subtractHeads } from './differential.ts'
import { disentangledScores } from './disentangled.ts'
import { byHead } from './attention-heads.ts'
import { chunkBias } from './chunks.ts'
import { indexBias } from './indexer.ts'
import { projectLatent, queryLatent } from './latent.ts'
import { type HeadChoice, mixtureOut } from './head-mixture.ts'
import { normedHead, normedHeads } from './head-norms.ts'
import { normalize } from './norm.ts'
import { type Attended, type Gated, headMatrix, project, type Projected } from './projections.ts'
import { maskBias, type Span } from './mask.ts'
import { bucketBias, distanceScores, sharedBias } from './relative.ts'
import { sinusoidScores } from './relative-sinusoids.ts'
import { rotate, type RotaryCache, stretchQueries } from './rotary.ts'
import { valueBias } from './value-bias.ts'
import { linear, type Wiring } from './wiring.ts'

/** What blocks share: masks and position biases are made once. */
export interface AttentionContext {
  /** Added to the scores of a block that sees as far; nothing where texts attend by blocks of queries. */
  bias(span: Span): Value
  /** The same for a block with chunks. */
  chunks(chunk: number): Value
  /** The last choice of keys, which blocks without an indexer of their own take. */
  readonly chosen: { bias: Value | undefined }
  rotary(table: number): RotaryCache
  /** Keys and values by the block that made them, for those that read another's. */
  readonly kept: Map<number, KeysAndValues>
}

/** [B × K × S × D] */
interface KeysAndValues {
  readonly keys: Value
  readonly values: Value
}

/** What mask, order and distance add to scores, broadcast to [B × N × R × S] for the queries of the wiring. */
export function attentionBias(wiring: Wiring, span: Span): Value {
  const [relative, mask] = [sharedBias(wiring), maskBias(wiring, span)]
  return relative === undefined ? mask : wiring.builder.add(relative, mask)
}

/** [B × S × W] → [B × S × W], residual not added. */
export function attend(wiring: Wiring, context: AttentionContext, x: Value, block: BlockSpec): Value {
  const { width } = wiring.spec
  return attendFrom(wiring, context, { x, width, values: x, valueWidth: width, out: width }, block)
}

/** [B × S × out], residual not added. */
export function attendFrom(wiring: Wiring, context: AttentionContext, from: Attended, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { heads, keyHeads, headWidth, valueWidth = headWidth } = block.attention
  const { bias, outNorm, convolution, groups, factors, mixture } = block.attention
  const scaled = (value: Value, by = 1): Value => (by === 1 ? value : builder.multiply(value, builder.float(by)))
  const entering = { ...from, x: scaled(from.x, factors?.in), values: scaled(from.values, factors?.in) }
  const { gate, own, choice, ...states } =
    block.keysOf === undefined
      ? ownStates(wiring, context, entering, block)
      : borrowedStates(wiring, context, entering.x, block, block.keysOf)
  const joined = softmaxAttention(wiring, states, {
    heads,
    keyHeads,
    headWidth,
    scale: block.scale,
    bias: withChoice(wiring, context, entering.x, block),
    softcap: block.attention.softcap,
    block,
  })
  const both = withConvolution(wiring, entering, { joined, own }, block)
  const inner = (convolution?.kind === 'dynamic' ? 2 : 1) * heads * valueWidth
  const open = gate === undefined ? both : builder.multiply(both, builder.node('Sigmoid', [gate]))
  const opened = gated(wiring, open, entering.x, block)
  const normed =
    outNorm === undefined
      ? opened
      : normalize(wiring, opened, { slot: 'block.attention.out.norm', norm: outNorm, width: inner, place: block })
  if (choice !== undefined && mixture !== undefined) return mixtureOut(wiring, normed, block, { choice, ...mixture })
  if (block.attention.layout === 'separate-by-head') {
    const matrix = headMatrix(wiring, 'block.attention.out', [from.out, heads, headWidth], block)
    return builder.fused('FusedMatMul', [normed, matrix], { transB: 1 })
  }
  const out = linear(wiring, normed, 'block.attention.out', {
    in: inner,
    out: from.out,
    bias: bias.out,
    place: block,
    layout: spec.tensors.linear,
    groups: groups?.out,
  })
  return scaled(out, factors?.out)
}

/** What heads took, with what a convolution along the text takes. */
function withConvolution(
  wiring: Wiring,
  from: Attended,
  { joined, own }: { readonly joined: Value; readonly own: Projected | undefined },
  block: BlockSpec,
): Value {
  const { builder } = wiring
  const { convolution } = block.attention
  if (convolution === undefined || own === undefined) return joined
  switch (convolution.kind) {
    case 'dynamic':
      return builder.node('Concat', [joined, convolveValues(wiring, from, own.q, block)], { axis: -1 })
    case 'per-head':
      return builder.add(joined, convolveHeads(wiring, own.v, block))
    default:
      return convolution.kind satisfies never
  }
}

interface GatedStates extends ByHead {
  readonly gate?: Value | undefined
  readonly choice?: HeadChoice | undefined
  /** As they were projected, before they were placed. */
  readonly own?: Projected | undefined
}

/** Queries, keys and values by head, keys and values those of past tokens too. */
function ownStates(wiring: Wiring, context: AttentionContext, from: Attended, block: BlockSpec): GatedStates {
  const { builder, past } = wiring
  const { heads, keyHeads, headWidth, valueWidth = headWidth } = block.attention
  const { own, q, k, v, gate, choice } = turnedProjections(wiring, context, from, block)
  const newKeys = byHead(builder, k, keyHeads, headWidth)
  const newValues = byHead(builder, v, keyHeads, valueWidth)
  const keys = past?.extend(block, 'key', newKeys) ?? newKeys
  const values = past?.extend(block, 'value', newValues) ?? newValues
  context.kept.set(block.i, { keys, values })
  return { queries: byHead(builder, q, heads, headWidth), keys, values, gate, choice, own }
}

/** Queries of its own, keys and values of block `from`. */
function borrowedStates(
  wiring: Wiring,
  context: AttentionContext,
  x: Value,
  block: BlockSpec,
  from: number,
): GatedStates {
  const { spec } = wiring
  const { heads, headWidth, bias } = block.attention
  const kept = context.kept.get(from)
  if (kept === undefined) throw fault('internal', { place: spec.title, what: 'no keys of that block', seen: from })
  const projected = linear(wiring, x, 'block.attention.q', {
    in: spec.width,
    out: heads * headWidth,
    bias: bias.qkv,
    place: block,
    layout: spec.tensors.linear,
  })
  const queries = rotatedHeads(wiring, context, normedHead(wiring, projected, block, 'q'), block, heads)
  return { ...kept, queries: byHead(wiring.builder, queries, heads, headWidth) }
}

/** Queries and keys as they meet, the queries stretched by their place. */
function turnedProjections(
  wiring: Wiring,
  context: AttentionContext,
  from: Attended,
  block: BlockSpec,
): Gated & { readonly own: Projected } {
  const { builder } = wiring
  const { latent, valueScale = 1, temperature } = block.attention
  const projected: Gated =
    latent === undefined
      ? project(wiring, from, block)
      : projectLatent(
          wiring,
          from.x,
          block,
          latent,
          block.rotary === undefined ? undefined : context.rotary(block.rotary),
        )
  const { q, k, v } = latent === undefined ? placed(wiring, context, projected, block) : projected
  return {
    own: projected,
    gate: projected.gate,
    choice: projected.choice,
    q: temperature === undefined ? q : stretchQueries(wiring, q, temperature),
    k,
    v: valueScale === 1 ? v : builder.multiply(v, builder.float(valueScale)),
  }
}

/** Bias of the scores, with the keys that chunks and indexers leave out. */
function withChoice(wiring: Wiring, context: AttentionContext, x: Value, block: BlockSpec): Value {
  const seen = context.bias(block)
  const bias = withChunks(wiring, seen, block.chunk === undefined ? undefined : context.chunks(block.chunk))
  const { latent } = block.attention
  const { indexer, queryRank } = latent ?? {}
  if (latent === undefined || indexer === undefined || queryRank === undefined) return bias
  if (indexer.own) {
    const cache = block.rotary === undefined ? undefined : context.rotary(block.rotary)
    const low = queryLatent(wiring, x, block, { ...latent, queryRank })
    context.chosen.bias = indexBias(wiring, { x, low, queryRank, seen, cache }, block, indexer)
  }
  return withChunks(wiring, bias, context.chosen.bias)
}

function withChunks({ builder }: Wiring, bias: Value, chunks: Value | undefined): Value {
  return chunks === undefined ? bias : builder.add(bias, chunks)
}

/** Joined heads [B × S × N·V] times what x opens of them. */
function gated(wiring: Wiring, joined: Value, x: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { heads, headWidth, valueWidth = headWidth, outGate } = block.attention
  if (outGate === undefined) return joined
  const isByHead = outGate.per === 'head'
  const opening = linear(wiring, x, 'block.attention.gate', {
    in: spec.width,
    out: isByHead ? heads : heads * valueWidth,
    bias: false,
    place: block,
    layout: spec.tensors.linear,
  })
  const open = builder.node(outGate.activation === 'sigmoid' ? 'Sigmoid' : 'Softplus', [opening])
  if (!isByHead) return builder.multiply(joined, open)
  const opened = builder.multiply(
    builder.reshape(joined, [0, 0, heads, valueWidth]),
    builder.reshape(open, [0, 0, heads, 1]),
  )
  return builder.reshape(opened, [0, 0, heads * valueWidth])
}

/** Normed, clipped, rotated. */
function placed(wiring: Wiring, context: AttentionContext, projected: Projected, block: BlockSpec): Projected {
  const isLate = block.attention.queryKeyNorm?.place === 'after-rotary'
  const even = clipped(wiring, isLate ? projected : normedHeads(wiring, projected, block), block)
  const turned = rotated(wiring, context, even, block)
  return isLate ? normedHeads(wiring, turned, block) : turned
}

/** Cut off at ±clip (MPT, OLMo). */
function clipped({ builder }: Wiring, { q, k, v }: Projected, { attention: { clip } }: BlockSpec): Projected {
  if (clip === undefined) return { q, k, v }
  const cut = (x: Value): Value => builder.node('Clip', [x, builder.float(-clip), builder.float(clip)])
  return { q: cut(q), k: cut(k), v: cut(v) }
}

function rotated(wiring: Wiring, context: AttentionContext, projected: Projected, block: BlockSpec): Projected {
  const { heads, keyHeads, positions } = block.attention
  return {
    q: rotatedHeads(wiring, context, projected.q, block, heads),
    k: rotatedHeads(wiring, context, projected.k, block, keyHeads),
    v:
      positions.kind === 'rotary' && positions.values === true
        ? rotatedHeads(wiring, context, projected.v, block, keyHeads)
        : projected.v,
  }
}

/** Queries or keys, [B × S × heads·D]. */
function rotatedHeads(wiring: Wiring, context: AttentionContext, x: Value, block: BlockSpec, count: number): Value {
  if (block.rotary === undefined) return x
  return rotate(wiring, x, context.rotary(block.rotary), count, block.attention.headWidth)
}

export interface Kernel {
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  readonly scale: number
  /** Added to scores, broadcast to [B × N × S × S]. */
  readonly bias: Value
  readonly softcap: number | undefined
  readonly block: BlockSpec
}

/** For the queries of the wiring alone. */
function ownBias(wiring: Wiring, block: BlockSpec): Value {
  const { chunk } = block
  return withChunks(wiring, attentionBias(wiring, block), chunk === undefined ? undefined : chunkBias(wiring, chunk))
}

/** softmax(scale · q kᵀ + bias) v, heads joined again: [B × S × N·V]. */
export function softmaxAttention(wiring: Wiring, { queries, keys, values: kept }: ByHead, kernel: Kernel): Value {
  const { builder } = wiring
  const { heads, keyHeads, headWidth, block } = kernel
  const { differential, valueWidth = headWidth } = block.attention
  const [values, mixedWidth] =
    differential === undefined ? [kept, valueWidth] : [pairValues(builder, kept, keyHeads), 2 * headWidth]
  const mixed = whereLong(
    wiring,
    ['rows', heads, 'cols', mixedWidth],
    (long, blocks) =>
      byBlocks(long, blocks, { queries, heads, headWidth: mixedWidth }, (inside, some) =>
        mixValues(inside, { queries: some, keys, values }, { ...kernel, bias: ownBias(inside, block) }),
      ),
    (short) => mixValues(short, { queries, keys, values }, kernel),
  )
  const joined = differential === undefined ? mixed : subtractHeads(wiring, mixed, block, differential)
  return joinHeads(builder, joined, heads * valueWidth)
}

/** [B × N × S × D] → [B × S × N·D]. */
export function joinHeads(builder: Builder, x: Value, width: number): Value {
  return builder.reshape(builder.transpose(x, [0, 2, 1, 3]), [0, 0, width])
}

export interface ByHead {
  /** [B × N × R × D] */
  readonly queries: Value
  /** [B × K × S × D] */
  readonly keys: Value
  /** [B × K × S × D], of differential attention 2·D wide. */
  readonly values: Value
}

/** What R queries take of the values: [B × N × R × D]. Heads that share a key head are rows of one product. */
export function mixValues(
  wiring: Wiring,
  { queries, keys, values }: ByHead,
  { heads, keyHeads, headWidth, scale, bias, softcap, block }: Kernel,
): Value {
  const { builder } = wiring
  const shared = heads !== keyHeads
  const grouped = (x: Value, last: number): Value => (shared ? builder.reshape(x, [0, keyHeads, -1, last]) : x)
  const ungrouped = (x: Value, last: number): Value => (shared ? builder.reshape(x, [0, heads, -1, last]) : x)
  const products = ungrouped(
    builder.fused('FusedMatMul', [grouped(queries, headWidth), keys], { transB: 1, alpha: { float: scale } }),
    0,
  )
  const positional = positionScores(wiring, queries, keys, block)
  const scores = positional === undefined ? products : builder.add(products, positional)
  const capped = softcap === undefined ? scores : capScores(wiring, scores, softcap)
  const { dynamicMask, sinks, differential } = block.attention
  const limit =
    dynamicMask === undefined
      ? bias
      : valueBias(wiring, { values, bias }, { heads, keyHeads, headWidth, block }, dynamicMask)
  const seen = builder.add(capped, limit)
  const shares =
    sinks === true ? sharesBesideSinks(wiring, seen, heads, block) : builder.node('Softmax', [seen], { axis: -1 })
  return ungrouped(
    builder.node('MatMul', [grouped(shares, 0), values]),
    differential === undefined ? (block.attention.valueWidth ?? headWidth) : 2 * headWidth,
  )
}

/** Softmax over the keys and one learned score per head, whose share is dropped: [B × N × R × S]. */
function sharesBesideSinks({ builder, weights }: Wiring, scores: Value, heads: number, block: BlockSpec): Value {
  const sinks = builder.reshape(weights.tensor('block.attention.sinks', [heads], block), [1, heads, 1, 1])
  const highest = builder.node('Max', [builder.node('ReduceMax', [scores, builder.int([-1])], { keepdims: 1 }), sinks])
  const [keys, sink] = [scores, sinks].map((x) => builder.node('Exp', [builder.node('Sub', [x, highest])]))
  const total = builder.add(builder.node('ReduceSum', [keys ?? '', builder.int([-1])], { keepdims: 1 }), sink ?? '')
  return builder.node('Div', [keys ?? '', total])
}

/** What positions add to scaled scores by way of queries and keys, [B × N × R × S]. */
function positionScores(wiring: Wiring, q: Value, k: Value, block: BlockSpec): Value | undefined {
  const { positions } = block.attention
  switch (positions.kind) {
    case 'distance':
      return distanceScores(wiring, { q, k }, positions, block)
    case 'disentangled':
      return disentangledScores(wiring, { q, k }, positions, block)
    case 'relative-sinusoids':
      return sinusoidScores(wiring, { q, k }, positions, block)
    case 'buckets':
      return positions.perBlock === true ? bucketBias(wiring, positions, block) : undefined
    case 'none':
    case 'rotary':
    case 'alibi':
      return undefined
    default:
      return positions satisfies never
  }
}

/** c · tanh(x / c). */
export function capScores({ builder }: Wiring, x: Value, cap: number): Value {
  return builder.multiply(builder.node('Tanh', [builder.multiply(x, builder.float(1 / cap))]), builder.float(cap))
}

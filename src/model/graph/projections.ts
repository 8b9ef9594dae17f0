/** Queries, keys and values of one block, projected as their matrices lie in the file. */
import type { AttentionSpec, BlockSpec, Place, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { projectCompressed } from './compressed-attention.ts'
import { type HeadChoice, projectMixture } from './head-mixture.ts'
import { linear, type Wiring } from './wiring.ts'

export interface Projected {
  readonly q: Value
  readonly k: Value
  readonly v: Value
}

export interface Gated extends Projected {
  /** [B × S × N·D], before its sigmoid. */
  readonly gate?: Value | undefined
  /** Which heads a mixture has chosen. */
  readonly choice?: HeadChoice | undefined
}

/** What queries and keys, and values, are made of, and how wide the result is. */
export interface Attended {
  readonly x: Value
  /** Where queries are made of other rows than keys. */
  readonly queries?: Value | undefined
  readonly width: number
  readonly values: Value
  readonly valueWidth: number
  readonly out: number
}

/** q [B × S × N·D], k and v [B × S × K·D]. */
export function project(wiring: Wiring, from: Attended, block: BlockSpec): Gated {
  const { mixture, compressed } = block.attention
  if (compressed !== undefined) return projectCompressed(wiring, from.x, block, compressed)
  if (mixture !== undefined) return projectMixture(wiring, from.x, block, mixture)
  return withBranches(wiring, from, withPartBias(wiring, projectAsStored(wiring, from, block), block), block)
}

/** Adds x · A · B of a low rank to each. */
function withBranches(wiring: Wiring, { x, width }: Attended, { q, k, v, ...rest }: Gated, block: BlockSpec): Gated {
  const { heads, keyHeads, headWidth, branch } = block.attention
  if (branch === undefined) return { ...rest, q, k, v }
  const add = (value: Value, part: 'q' | 'k' | 'v', count: number): Value => {
    const shape = { bias: false, place: block } as const
    const low = linear(wiring, x, `block.attention.branch.${part}.down`, { ...shape, in: width, out: branch })
    const high = linear(wiring, low, `block.attention.branch.${part}.up`, {
      ...shape,
      in: branch,
      out: count * headWidth,
    })
    return wiring.builder.add(value, high)
  }
  return { ...rest, q: add(q, 'q', heads), k: add(k, 'k', keyHeads), v: add(v, 'v', keyHeads) }
}

function withPartBias({ builder, weights }: Wiring, { q, k, v, ...rest }: Gated, block: BlockSpec): Gated {
  const { heads, keyHeads, headWidth, partBias = [] } = block.attention
  const add = (x: Value, part: 'q' | 'k' | 'v', count: number): Value =>
    partBias.includes(part)
      ? builder.add(x, weights.tensor(`block.attention.${part}.bias`, [count * headWidth], block))
      : x
  return { ...rest, q: add(q, 'q', heads), k: add(k, 'k', keyHeads), v: add(v, 'v', keyHeads) }
}

/** Queries, keys and values of a family that fuses them may lie apart all the same. */
function layoutInFile({ weights }: Wiring, block: BlockSpec): AttentionSpec['layout'] {
  const { layout } = block.attention
  const apart =
    layout === 'qkv' && !weights.has('block.attention.qkv', block) && weights.has('block.attention.q', block)
  return apart ? 'separate' : layout
}

function projectAsStored(wiring: Wiring, from: Attended, block: BlockSpec): Gated {
  const { x, width, values, queries = x } = from
  const { builder, spec } = wiring
  const { heads, keyHeads, headWidth, valueWidth = headWidth, bias, groups, gate } = block.attention
  const layout = layoutInFile(wiring, block)
  const shape = { bias: bias.qkv, place: block, layout: spec.tensors.linear }
  const one = (slot: Slot, out: number, count?: number): Value =>
    linear(wiring, x, slot, { in: width, out, groups: count, ...shape })
  const [queryWidth, keyWidth] = [heads * headWidth, keyHeads * headWidth]
  switch (layout) {
    case 'separate': {
      const k = one('block.attention.k', keyWidth, groups?.k)
      const own = { in: from.valueWidth, out: keyHeads * valueWidth, groups: groups?.v, ...shape }
      const v = block.attention.values === 'keys' ? k : linear(wiring, values, 'block.attention.v', own)
      if (gate === undefined) {
        const asked = { in: width, out: queryWidth, groups: groups?.q, ...shape }
        return { q: linear(wiring, queries, 'block.attention.q', asked), k, v }
      }
      const pairs = builder.reshape(one('block.attention.q', 2 * queryWidth), [0, 0, heads, 2 * headWidth])
      const [q = '', opening = ''] = builder
        .split('Split', [pairs, builder.int([headWidth, headWidth])], 2, { axis: -1 })
        .map((part) => builder.reshape(part, [0, 0, queryWidth]))
      return { q, k, v, gate: opening }
    }
    case 'separate-by-head': {
      const byHeads = (input: Value, columns: number, slot: Slot, count: number): Value =>
        builder.node('MatMul', [input, headMatrix(wiring, slot, [columns, count, headWidth], block)])
      return {
        q: byHeads(x, width, 'block.attention.q', heads),
        k: byHeads(x, width, 'block.attention.k', keyHeads),
        v: byHeads(values, from.valueWidth, 'block.attention.v', keyHeads),
      }
    }
    case 'qkv': {
      const fused = one('block.attention.qkv', queryWidth + 2 * keyWidth)
      const [q = '', k = '', v = ''] = builder.split(
        'Split',
        [fused, builder.int([queryWidth, keyWidth, keyWidth])],
        3,
        { axis: -1 },
      )
      return { q, k, v }
    }
    case 'qkv-by-head': {
      const widths = [queryWidth / keyHeads, headWidth, headWidth]
      const fused = builder.reshape(one('block.attention.qkv', queryWidth + 2 * keyWidth), [0, 0, keyHeads, -1])
      const parts = builder.split('Split', [fused, builder.int(widths)], 3, { axis: -1 })
      const [q = '', k = '', v = ''] = parts.map((part, index) =>
        builder.reshape(part, [0, 0, index === 0 ? queryWidth : keyWidth]),
      )
      return { q, k, v }
    }
    case 'qvk-by-quarter': {
      const quarter = queryWidth / 4
      const fused = builder.reshape(one('block.attention.qkv', 3 * queryWidth), [0, 0, 4, 3 * quarter])
      const parts = builder.split('Split', [fused, builder.int([quarter, quarter, quarter])], 3, { axis: -1 })
      const [q = '', v = '', k = ''] = parts.map((part) => builder.reshape(part, [0, 0, queryWidth]))
      return { q, k, v }
    }
    default:
      return layout satisfies never
  }
}

/** [columns × heads × head width] as [columns × heads · head width]. */
export function headMatrix(
  { builder, weights }: Wiring,
  slot: Slot,
  dims: readonly [number, number, number],
  place: Place,
): Value {
  return builder.reshape(weights.tensor(slot, dims, place), [dims[0], dims[1] * dims[2]])
}

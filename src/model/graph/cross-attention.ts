/**
 * Attention of a decoder to what an encoder has read. Keys and values of its states are made once, and met by every
 * token that is written.
 */
import { fault } from '#core'
import type { BlockSpec, CrossSpec, ModelSpec, Slot } from '#model/architectures'
import { byHead } from './attention-heads.ts'
import { joinHeads, mixValues } from './attention.ts'
import type { Value } from './builder.ts'
import type { GraphOutput } from './request.ts'
import { sourceDims, type SourcePart, sourceParts } from './source.ts'
import { linear, type Wiring } from './wiring.ts'

/** What the queries of x take of the source, [B × S × W] → [B × S × W], residual not added. */
export function attendSource(wiring: Wiring, x: Value, block: BlockSpec, { heads, headWidth }: CrossSpec): Value {
  const { builder, spec, source } = wiring
  if (source === undefined)
    throw fault('internal', { place: spec.title, what: 'the states of the encoder are missing' })
  const inner = heads * headWidth
  const shape = { bias: false, place: block, layout: spec.tensors.linear }
  const queries = byHead(
    builder,
    linear(wiring, x, 'block.cross.q', { in: spec.width, out: inner, ...shape }),
    heads,
    headWidth,
  )
  const states = { queries, keys: source.state(block, 'key'), values: source.state(block, 'value') }
  const mixed = mixValues(wiring, states, {
    heads,
    keyHeads: heads,
    headWidth,
    scale: block.scale,
    bias: source.bias(),
    softcap: undefined,
    block: withoutPositions(block),
  })
  return linear(wiring, joinHeads(builder, mixed, inner), 'block.cross.out', { in: inner, out: spec.width, ...shape })
}

/** Tokens of an encoder stand at no distance from those of a decoder. */
function withoutPositions(block: BlockSpec): BlockSpec {
  return { ...block, attention: { ...block.attention, positions: { kind: 'none' } } }
}

/**
 * Keys and values that the blocks make of an encoder's `states`, [B × E × width], as outputs. Throws
 * `config.unsupported` for a model that reads none.
 */
export function wireSource(
  wiring: Parameters<typeof linear>[0],
  spec: ModelSpec,
  states: Value,
  place: string,
): readonly GraphOutput[] {
  const { builder } = wiring
  const { cross } = spec
  if (cross === undefined)
    throw fault('config.unsupported', { place, what: `${spec.title} reads no states of an encoder` })
  const { width, heads, headWidth } = cross
  const slots = { key: 'block.cross.k', value: 'block.cross.v' } as const satisfies Record<SourcePart, Slot>
  return spec.blocks.flatMap((block) =>
    sourceParts.map((part): GraphOutput => {
      const made = linear(wiring, states, slots[part], {
        in: width,
        out: heads * headWidth,
        bias: false,
        place: block,
        layout: spec.tensors.linear,
      })
      const name = `source.${block.i}.${part}`
      builder.name(byHead(builder, made, heads, headWidth), name)
      return { name, kind: 'source', width: headWidth, per: 'past', dims: sourceDims(cross) }
    }),
  )
}

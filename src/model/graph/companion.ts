/** Blocks with a second, narrower stream that says where words stand on the page (LiLT: Wang et al. 2022). */
import type { BlockSpec, CompanionSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import { type AttentionContext, softmaxAttention } from './attention.ts'
import { byHead } from './attention-heads.ts'
import type { Value } from './builder.ts'
import { positionRows } from './embeddings.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import { project } from './projections.ts'
import { linear, type Wiring } from './wiring.ts'

interface Companion extends AttentionContext {
  readonly companion: { value: Value | undefined }
}

/** [B × S × W] → [B × S × W]; the companion, [B × S × w], is made by the first block and handed on. */
export function runWithCompanion(
  wiring: Wiring,
  context: Companion,
  x: Value,
  block: BlockSpec,
  spec: CompanionSpec,
): Value {
  const { builder } = wiring
  const { width } = wiring.spec
  const layout = context.companion.value ?? embedBoxes(wiring, spec)
  const [own, other] = attendTogether(wiring, context, { x, layout }, block, spec)
  const normed = (value: Value, slot: Slot, columns: number): Value =>
    normalize(wiring, value, { slot, norm: wiring.spec.norm, width: columns, place: block })
  const attended = normed(builder.add(other, layout), 'block.companion.norm1', spec.width)
  context.companion.value = normed(
    builder.add(companionNetwork(wiring, attended, block, spec), attended),
    'block.companion.norm2',
    spec.width,
  )
  const text = normed(builder.add(own, x), 'block.norm1', width)
  return normed(builder.add(feedForward(wiring, text, block), text), 'block.norm2', width)
}

/** The box 0, 0, 0, 0 projected, and the token's position: [B × S × w]. */
function embedBoxes(wiring: Wiring, { width, boxes }: CompanionSpec): Value {
  const { builder, spec, weights } = wiring
  const { positions } = spec.embedding
  const origin = (slot: Slot): Value => weights.rows(slot, [boxes.rows, boxes.width], builder.int([0]))
  const [left, upper] = [origin('embed.box.x'), origin('embed.box.y')]
  const box = builder.node(
    'Concat',
    [left, upper, left, upper, origin('embed.box.height'), origin('embed.box.width')],
    { axis: -1 },
  )
  const shape = { in: 6 * boxes.width, out: width, bias: true, per: 'row' } as const
  const placed = linear(wiring, box, 'embed.companion.project', shape)
  const where =
    positions === undefined
      ? placed
      : builder.add(
          placed,
          weights.rows('embed.companion.position', [positions.rows, width], positionRows(wiring, positions)),
        )
  return normalize(wiring, where, { slot: 'embed.companion.norm', norm: spec.norm, width })
}

/**
 * What both streams take, projected out: as the scores are summed, heads with the columns of both are one attention.
 */
function attendTogether(
  wiring: Wiring,
  context: AttentionContext,
  { x, layout }: { readonly x: Value; readonly layout: Value },
  block: BlockSpec,
  { width: narrow, shrink }: CompanionSpec,
): readonly [Value, Value] {
  const { builder } = wiring
  const { width } = wiring.spec
  const { heads, headWidth } = block.attention
  const narrowHead = headWidth / shrink
  const text = project(wiring, { x, width, values: x, valueWidth: width, out: width }, block)
  const made = (slot: Slot): Value =>
    byHead(
      builder,
      linear(wiring, layout, slot, { in: narrow, out: heads * narrowHead, bias: true, place: block }),
      heads,
      narrowHead,
    )
  const joined = (wide: Value, more: Value): Value =>
    builder.node('Concat', [byHead(builder, wide, heads, headWidth), more], { axis: -1 })
  // the companion's scores are divided by √narrowHead, all scores by √headWidth
  const queries = joined(
    text.q,
    builder.multiply(made('block.companion.q'), builder.float(narrowHead ** -0.5 / block.scale)),
  )
  const mixed = softmaxAttention(
    wiring,
    {
      queries,
      keys: joined(text.k, made('block.companion.k')),
      values: joined(text.v, made('block.companion.v')),
    },
    {
      heads,
      keyHeads: heads,
      headWidth: headWidth + narrowHead,
      scale: block.scale,
      bias: context.bias(block),
      softcap: undefined,
      block,
    },
  )
  const byHeads = builder.reshape(mixed, [0, 0, heads, headWidth + narrowHead])
  const [own = '', other = ''] = builder.split('Split', [byHeads, builder.int([headWidth, narrowHead])], 2, {
    axis: -1,
  })
  const out = (value: Value, slot: Slot, columns: number): Value =>
    linear(wiring, builder.reshape(value, [0, 0, columns]), slot, {
      in: columns,
      out: columns,
      bias: true,
      place: block,
    })
  return [out(own, 'block.attention.out', width), out(other, 'block.companion.out', narrow)]
}

function companionNetwork(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { width, shrink, activation }: CompanionSpec,
): Value {
  const inner = block.mlp.width / shrink
  const hidden = linear(wiring, x, 'block.companion.mlp.in', { in: width, out: inner, bias: true, place: block })
  return linear(wiring, activate(wiring.builder, hidden, activation), 'block.companion.mlp.out', {
    in: inner,
    out: width,
    bias: true,
    place: block,
  })
}

/** One block: attention, a recurrence or both, then an MLP, and the places of their norms. */
import type { BlockSpec, Slot } from '#model/architectures'
import { adapt } from './adapter.ts'
import { attend, type AttentionContext } from './attention.ts'
import { runBottleneck } from './bottleneck.ts'
import type { Value } from './builder.ts'
import { attendSource } from './cross-attention.ts'
import { runWithCompanion } from './companion.ts'
import { mixExperts } from './experts.ts'
import { layerInput } from './layer-inputs.ts'
import { mixAlong } from './mixer.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import { throughStreams } from './streams.ts'
import { linear, type Wiring } from './wiring.ts'

/** What blocks share. */
export interface BlockContext extends AttentionContext {
  /** Inputs of all blocks next to the stream, [B × S × L × P]. */
  inputs(): Value
  /** The narrower stream, where the next block finds it. */
  readonly companion: { value: Value | undefined }
}

/** [B × S × W] → [B × S × W], or the same for all streams of a model that has several. */
export function runBlock(wiring: Wiring, context: BlockContext, x: Value, block: BlockSpec): Value {
  const { builder, spec, weights } = wiring
  const { layerInputs, streams } = spec
  const { output = 1 } = block
  if (spec.companion !== undefined) return runWithCompanion(wiring, context, x, block, spec.companion)
  const compute = (value: Value): Value => {
    const given = runHalves(wiring, context, value, block)
    return output === 1 ? given : builder.multiply(given, builder.float(output))
  }
  const input = (value: Value): Value | undefined =>
    layerInputs === undefined
      ? undefined
      : layerInput(wiring, { x: value, inputs: context.inputs() }, block, layerInputs)
  if (streams !== undefined)
    return throughStreams(wiring, x, block, streams, { compute, input: (value) => input(value) ?? builder.float(0) })
  const computed = compute(x)
  const more = input(computed)
  const whole = more === undefined ? computed : builder.add(computed, more)
  return spec.blockScale === true ? builder.multiply(whole, weights.tensor('block.scale', [1], block)) : whole
}

/** Attention or recurrence, then the MLP, with their norms: [B × S × W] → [B × S × W]. */
function runHalves(wiring: Wiring, context: AttentionContext, x: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const norm = (value: Value, slot: Slot): Value =>
    normalize(wiring, value, { slot, norm: spec.norm, width: spec.width, place: block })
  const attention = (value: Value): Value => {
    if (block.scan === undefined) return attend(wiring, context, value, block)
    const mixed = mixAlong(wiring, value, block, block.scan)
    return block.attention.heads === 0 ? mixed : builder.add(mixed, attend(wiring, context, value, block))
  }
  const mlp = (value: Value): Value => feedForward(wiring, value, block)
  const { branches = spec.residual } = block
  const branch = (value: Value): Value => (branches === 1 ? value : builder.multiply(value, builder.float(branches)))
  const stream = (value: Value, half: 'block.stream1' | 'block.stream2'): Value =>
    spec.streamWeights ? builder.multiply(value, wiring.weights.tensor(half, [spec.width], block)) : value
  const add = (value: Value, more: Value): Value => builder.add(value, branch(more))
  const first = (value: Value): Value => (block.firstNorm ? norm(value, 'block.norm1') : value)

  if (spec.bottleneck !== undefined) return runBottleneck(wiring, context, x, block, spec.bottleneck)
  if (block.mlp.width === 0) return add(x, attention(first(x)))
  if (block.scan === undefined && block.attention.heads === 0) return add(x, mlp(first(x)))
  switch (block.placement) {
    case 'after-add': {
      const attended = norm(add(x, attention(x)), 'block.norm1')
      return norm(adapt(wiring, add(attended, mlp(attended)), block), 'block.norm2')
    }
    case 'after-add-twice': {
      const attended = norm(add(x, attention(x)), 'block.norm1.after')
      const again = norm(add(x, attended), 'block.norm1')
      return norm(add(again, mlp(again)), 'block.norm2')
    }
    case 'before': {
      const attended = add(stream(x, 'block.stream1'), attention(first(x)))
      const informed =
        spec.cross === undefined
          ? attended
          : add(attended, attendSource(wiring, norm(attended, 'block.cross.norm'), block, spec.cross))
      return adapt(wiring, add(stream(informed, 'block.stream2'), mlp(norm(informed, 'block.norm2'))), block)
    }
    case 'around': {
      const input = first(x)
      const attended = add(x, norm(attention(input), 'block.norm1.after'))
      const informed =
        spec.laurel === undefined
          ? attended
          : builder.multiply(
              builder.add(attended, secondBranch(wiring, input, block, spec.laurel)),
              builder.float(Math.SQRT1_2),
            )
      const dense = mlp(norm(informed, 'block.norm2'))
      return add(informed, norm(withMixture(wiring, { dense, x: informed }, block), 'block.norm2.after'))
    }
    case 'after': {
      const attended = add(x, norm(attention(x), 'block.norm1.after'))
      return add(attended, norm(mlp(attended), 'block.norm2.after'))
    }
    case 'parallel': {
      const attended = add(x, attention(first(x)))
      return add(attended, mlp(norm(x, 'block.norm2')))
    }
    case 'parallel-one-norm': {
      const input = first(x)
      return add(add(x, attention(input)), mlp(input))
    }
    case 'normed-stream': {
      const input = first(x)
      const attended = norm(add(input, attention(input)), 'block.norm2')
      return add(attended, mlp(attended))
    }
    default:
      return block.placement satisfies never
  }
}

/** norm(dense) + norm(mixture of norm(x)), [B × S × W], where the block has a mixture next to its MLP; otherwise `dense`. */
function withMixture(
  wiring: Wiring,
  { dense, x }: { readonly dense: Value; readonly x: Value },
  block: BlockSpec,
): Value {
  const { mixture } = block
  if (mixture === undefined) return dense
  const { width, norm } = wiring.spec
  const normed = (value: Value, slot: Slot): Value => normalize(wiring, value, { slot, norm, width, place: block })
  const mixed = mixExperts(wiring, normed(x, 'block.mixture.norm'), block, mixture, x)
  return wiring.builder.add(normed(dense, 'block.mixture.dense.norm'), normed(mixed, 'block.mixture.norm.after'))
}

/** x + norm(x · A · B) of a low rank, [B × S × W]. */
function secondBranch(wiring: Wiring, x: Value, block: BlockSpec, rank: number): Value {
  const { builder, spec } = wiring
  const { width, norm } = spec
  const down = linear(wiring, x, 'block.laurel.down', { in: width, out: rank, bias: false, place: block })
  const up = linear(wiring, down, 'block.laurel.up', { in: rank, out: width, bias: false, place: block })
  return builder.add(x, normalize(wiring, up, { slot: 'block.laurel.norm', norm, width, place: block }))
}

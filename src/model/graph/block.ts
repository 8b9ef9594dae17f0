/** One block: attention, a recurrence or both, then an MLP, and the places of their norms. */
import type { BlockSpec, MixFactors, Slot } from '#model/architectures'
import { adapt } from './adapter.ts'
import { attend, type AttentionContext } from './attention.ts'
import { withMixture } from './mixture.ts'
import { runBottleneck } from './bottleneck.ts'
import type { Builder, Value } from './builder.ts'
import { attendSource } from './cross-attention.ts'
import { runWithCompanion } from './companion.ts'
import { mixExperts } from './experts.ts'
import { joinedBranch } from './joined-branch.ts'
import { layerInput } from './layer-inputs.ts'
import { mixAlong } from './mixer.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import { throughStreams } from './streams.ts'
import { linear, type Wiring } from './wiring.ts'

/** What blocks share. */
export interface BlockContext extends AttentionContext {
  /** What experts of a shortcut have given, until a later block takes it. */
  readonly waiting: { value: Value | undefined }
  /** What goes into the first block, [B × S × W]. */
  readonly embedded: Value
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

/** What the halves of a block are made of. */
interface Halves {
  readonly norm: (value: Value, slot: Slot) => Value
  readonly attention: (value: Value) => Value
  readonly mlp: (value: Value) => Value
  /** The stream as a half adds to it. */
  readonly stream: (value: Value, half: 'block.stream1' | 'block.stream2') => Value
  readonly add: (value: Value, more: Value) => Value
  /** By the norm before the first half, where there is one. */
  readonly first: (value: Value) => Value
}

function makeHalves(wiring: Wiring, context: BlockContext, block: BlockSpec): Halves {
  const { builder, spec } = wiring
  const norm = (value: Value, slot: Slot): Value =>
    normalize(wiring, value, { slot, norm: spec.norm, width: spec.width, place: block })
  const attention = (value: Value): Value => {
    if (block.scan === undefined) return shifted(wiring, attend(wiring, context, value, block), 'branch1', block)
    const mixed = mixAlong(wiring, value, block, block.scan)
    return block.attention.heads === 0 ? mixed : builder.add(mixed, attend(wiring, context, value, block))
  }
  const mlp = (value: Value): Value => shifted(wiring, feedForward(wiring, value, block), 'branch2', block)
  const { branches = spec.residual } = block
  const branch = (value: Value): Value => (branches === 1 ? value : builder.multiply(value, builder.float(branches)))
  const stream = (value: Value, half: 'block.stream1' | 'block.stream2'): Value =>
    spec.streamWeights
      ? builder.multiply(value, wiring.weights.tensor(half, [spec.width], block))
      : shifted(wiring, value, half === 'block.stream1' ? 'stream1' : 'stream2', block)
  const add = (value: Value, more: Value): Value => builder.add(value, branch(more))
  const first = (value: Value): Value => (block.firstNorm ? norm(value, 'block.norm1') : value)
  return { norm, attention, mlp, stream, add, first }
}

/** Attention or recurrence, then the MLP, with their norms: [B × S × W] → [B × S × W]. */
function runHalves(wiring: Wiring, context: BlockContext, x: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { norm, attention, mlp, stream, add, first } = makeHalves(wiring, context, block)
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
      const input = norm(informed, 'block.norm2')
      const given = adapt(wiring, add(stream(informed, 'block.stream2'), mlp(input)), block)
      return pastShortcut(wiring, context, { input, given }, block)
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
      const { mixture } = block
      const mixed = mixture === undefined ? dense : withMixture(wiring, { x: informed, dense }, block, mixture)
      return add(informed, norm(mixed, 'block.norm2.after'))
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
      const attended = norm(add(...mixed(builder, [input, attention(input)], block.mix?.first)), 'block.norm2')
      return add(...mixed(builder, [attended, mlp(attended)], block.mix?.second))
    }
    case 'into-scan': {
      const informed = builder.add(x, joinedBranch(wiring, context, { x, embedded: context.embedded }, block))
      return block.scan === undefined ? informed : add(x, mixAlong(wiring, first(informed), block, block.scan))
    }
    default:
      return block.placement satisfies never
  }
}

/** Keeps what the experts of a shortcut make of the MLP's input, or adds what an earlier block's have made. */
function pastShortcut(
  wiring: Wiring,
  { waiting }: BlockContext,
  { input, given }: { readonly input: Value; readonly given: Value },
  block: BlockSpec,
): Value {
  const { shortcut } = block
  if (shortcut === undefined) return given
  if (shortcut === 'taken') return waiting.value === undefined ? given : wiring.builder.add(given, waiting.value)
  waiting.value = mixExperts(wiring, input, block, shortcut)
  return given
}

/** (x + shift) ⊙ scale of learned vectors, where the model has them. */
function shifted(
  { builder, spec, weights }: Wiring,
  x: Value,
  part: 'stream1' | 'stream2' | 'branch1' | 'branch2',
  block: BlockSpec,
): Value {
  if (spec.streamShifts !== true) return x
  const moved = builder.add(x, weights.tensor(`block.${part}.shift`, [spec.width], block))
  return builder.multiply(moved, weights.tensor(`block.${part}.scale`, [spec.width], block))
}

/** Stream and branch, each times its factor. */
function mixed(
  builder: Builder,
  [stream, branch]: readonly [Value, Value],
  factors: MixFactors | undefined,
): readonly [Value, Value] {
  const times = (value: Value, factor = 1): Value =>
    factor === 1 ? value : builder.multiply(value, builder.float(factor))
  return [times(stream, factors?.stream), times(branch, factors?.branch)]
}

/** x + norm(x · A · B) of a low rank, [B × S × W]. */
function secondBranch(wiring: Wiring, x: Value, block: BlockSpec, rank: number): Value {
  const { builder, spec } = wiring
  const { width, norm } = spec
  const down = linear(wiring, x, 'block.laurel.down', { in: width, out: rank, bias: false, place: block })
  const up = linear(wiring, down, 'block.laurel.up', { in: rank, out: width, bias: false, place: block })
  return builder.add(x, normalize(wiring, up, { slot: 'block.laurel.norm', norm, width, place: block }))
}

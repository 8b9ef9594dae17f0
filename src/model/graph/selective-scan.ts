/**
 * Mamba's mixer (Gu & Dao 2023): a short causal convolution, then a linear recurrence whose steps depend on the input.
 * I inner width, K states, R rank, H heads.
 */
import type { BlockSpec, MixerSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { convolveCausally, realColumns } from './causal-convolution.ts'
import { normalize } from './norm.ts'
import { recur } from './recurrence.ts'
import { linear, type Wiring } from './wiring.ts'

type Selective = Extract<MixerSpec, { kind: 'selective' }>

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter the convolution and the recurrence as zeros. */
export function selectiveScan(wiring: Wiring, x: Value, block: BlockSpec, scan: Selective): Value {
  const { builder, spec } = wiring
  const { width: inner, states, rank, kernel, kernelBias, bias, activation, norm } = scan
  const real = realColumns(wiring)
  const [entering, gate] = projectIn(wiring, x, block, scan)
  const convolved = convolveCausally(wiring, builder.multiply(entering, real), block, {
    slot: 'block.scan.convolution',
    channels: inner,
    kernel,
    bias: kernelBias,
  })
  const u = builder.multiply(activate(builder, convolved, activation), real)

  const selected = projectHeads(wiring, u, block, {
    slot: 'block.scan.select',
    in: inner,
    out: rank + 2 * states,
    bias: false,
    scan,
  })
  const parts = builder.split('Split', [selected, builder.int([rank, states, states])], 3, { axis: -1 })
  const slots = ['block.scan.step.norm', 'block.scan.write.norm', 'block.scan.read.norm'] as const
  const [low = '', write = '', read = ''] = parts.map((part, index) =>
    norm === undefined
      ? part
      : normalize(wiring, part, {
          slot: slots[index] as Slot,
          norm,
          width: index === 0 ? rank : states,
          place: block,
        }),
  )
  const step = builder.node('Softplus', [
    projectHeads(wiring, low, block, { slot: 'block.scan.step', in: rank, out: inner, bias: true, scan }),
  ])
  const y = scanChannels(wiring, { u, step, write, read }, block, scan)
  const skipped = builder.add(y, builder.multiply(u, perChannel(wiring, 'block.scan.skip', block, scan)))
  const gated = builder.multiply(skipped, activate(builder, gate, 'silu'))
  return linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias, place: block })
}

/** What enters, and its gate: [B × S × I] each. */
function projectIn(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { width: inner, bias, interleaved = false }: Selective,
): readonly [Value, Value] {
  const { builder, spec } = wiring
  const projected = linear(wiring, x, 'block.scan.in', { in: spec.width, out: 2 * inner, bias, place: block })
  if (interleaved) {
    const pairs = builder.reshape(projected, [0, 0, inner, 2])
    const one = (index: number): Value => builder.node('Gather', [pairs, builder.int(index)], { axis: 3 })
    return [one(0), one(1)]
  }
  const [entering = '', gate = ''] = builder.split('Split', [projected, builder.int([inner, inner])], 2, { axis: -1 })
  return [entering, gate]
}

interface HeadProjection {
  readonly slot: Slot
  /** Columns of all heads for `block.scan.select`, of one for `block.scan.step`. */
  readonly in: number
  /** The other way round. */
  readonly out: number
  readonly bias: boolean
  readonly scan: Selective
}

/** Each head by itself: of all columns of the heads [B × S × H × out], or of [B × S × H × in] all columns. */
function projectHeads(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { slot, in: from, out, bias, scan: { heads, width: inner } }: HeadProjection,
): Value {
  const { builder, weights } = wiring
  if (heads === undefined) return linear(wiring, x, slot, { in: from, out, bias, place: block })
  const ofHead = (columns: number): number => (columns === inner ? inner / heads : columns)
  const [narrow, made] = [ofHead(from), ofHead(out)]
  const split = builder.transpose(builder.reshape(x, [0, 0, heads, narrow]), [0, 2, 1, 3]) // [B × H × S × in]
  const matrices = builder.transpose(weights.tensor(slot, [heads, made, narrow], block), [0, 2, 1])
  const product = builder.transpose(builder.node('MatMul', [split, matrices]), [0, 2, 1, 3])
  if (!bias) return product
  const biased = builder.add(product, weights.tensor(slot, [heads, made], block, 'bias'))
  return builder.reshape(biased, [0, 0, out])
}

/** [I] */
function perChannel(
  { builder, weights }: Wiring,
  slot: Slot,
  block: BlockSpec,
  { heads, width: inner }: Selective,
): Value {
  if (heads === undefined) return weights.tensor(slot, [inner], block)
  return builder.reshape(weights.tensor(slot, [heads, inner / heads], block), [inner])
}

interface Sequences {
  /** [B × S × I] */
  readonly u: Value
  /** [B × S × I] */
  readonly step: Value
  /** [B × S × K], or [B × S × H × K]. */
  readonly write: Value
  readonly read: Value
}

/**
 * h = exp(step · A) ⊙ h + write ⊗ (step · u), y = read · h, column by column from h = 0: [B × S × I]. A = −exp(stored).
 * States [B × K × I], or [B × H × K × I/H], keep the long axis last. What a step multiplies is made inside it: for all
 * columns at once it would take 2 K times the memory of u.
 */
function scanChannels(
  wiring: Wiring,
  { u, step, write, read }: Sequences,
  block: BlockSpec,
  { width, states, heads }: Selective,
): Value {
  const { builder, weights } = wiring
  const byHead = heads === undefined ? [] : [heads]
  const inner = width / (heads ?? 1)
  const stored = weights.tensor('block.scan.decay', [...byHead, inner, states], block)
  const decay = builder.transpose(
    builder.node('Neg', [builder.node('Exp', [stored])]),
    heads === undefined ? [1, 0] : [0, 2, 1],
  )
  const shaped = (value: Value, ...dims: readonly number[]) => ({
    value: builder.reshape(value, [0, 0, ...byHead, ...dims]),
    dims: [...byHead, ...dims],
  })
  const y = recur(
    wiring,
    block,
    {
      carried: [{ part: 'state', dims: [...byHead, states, inner] }],
      constants: [{ value: decay, dims: [...byHead, states, inner] }],
      sequences: [
        shaped(step, 1, inner),
        shaped(builder.multiply(step, u), 1, inner),
        shaped(write, states, 1),
        shaped(read, 1, states),
      ],
      out: [...byHead, 1, inner],
    },
    ({
      body,
      carried: [before = ''],
      constants: [rate = ''],
      now: [stepNow = '', entering = '', writeNow = '', readNow = ''],
    }) => {
      const kept = body.multiply(body.node('Exp', [body.multiply(stepNow, rate)]), before)
      const after = body.add(kept, body.multiply(writeNow, entering))
      return { carried: [after], out: body.node('MatMul', [readNow, after]) }
    },
  )
  return builder.reshape(y, [0, 0, width])
}

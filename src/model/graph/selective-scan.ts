/**
 * Mamba's mixer (Gu & Dao 2023): a short causal convolution, then a linear recurrence whose steps depend on the input.
 * I inner width, K states, R rank.
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
  const { builder, spec, weights } = wiring
  const { width: inner, states, rank, kernel, kernelBias, bias, activation, norm } = scan
  const real = realColumns(wiring)
  const projected = linear(wiring, x, 'block.scan.in', { in: spec.width, out: 2 * inner, bias, place: block })
  const [entering = '', gate = ''] = builder.split('Split', [projected, builder.int([inner, inner])], 2, { axis: -1 })
  const convolved = convolveCausally(wiring, builder.multiply(entering, real), block, {
    slot: 'block.scan.convolution',
    channels: inner,
    kernel,
    bias: kernelBias,
  })
  const u = builder.multiply(activate(builder, convolved, activation), real)

  const selected = linear(wiring, u, 'block.scan.select', {
    in: inner,
    out: rank + 2 * states,
    bias: false,
    place: block,
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
    linear(wiring, low, 'block.scan.step', { in: rank, out: inner, bias: true, place: block }),
  ])
  const y = scanChannels(wiring, { u, step, write, read }, block, scan)
  const skipped = builder.add(y, builder.multiply(u, weights.tensor('block.scan.skip', [inner], block)))
  const gated = builder.multiply(skipped, activate(builder, gate, 'silu'))
  return linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias, place: block })
}

interface Sequences {
  /** [B × S × I] */
  readonly u: Value
  /** [B × S × I] */
  readonly step: Value
  /** [B × S × K] */
  readonly write: Value
  /** [B × S × K] */
  readonly read: Value
}

/**
 * h = exp(step · A) ⊙ h + write ⊗ (step · u), y = read · h, column by column from h = 0: [B × S × I]. A = −exp(stored).
 * States [B × K × I] keep the long axis last. What a step multiplies is made inside it: for all columns at once it
 * would take 2 K times the memory of u.
 */
function scanChannels(
  wiring: Wiring,
  { u, step, write, read }: Sequences,
  block: BlockSpec,
  { width: inner, states }: Selective,
): Value {
  const { builder, weights } = wiring
  const decay = builder.transpose(
    builder.node('Neg', [builder.node('Exp', [weights.tensor('block.scan.decay', [inner, states], block)])]),
    [1, 0],
  )
  const column = (value: Value): Value => builder.node('Unsqueeze', [value, builder.int([3])])
  const row = (value: Value): Value => builder.node('Unsqueeze', [value, builder.int([2])])
  const y = recur(
    wiring,
    block,
    {
      carried: [{ part: 'state', dims: [states, inner] }],
      constants: [{ value: decay, dims: [states, inner] }],
      sequences: [
        { value: row(step), dims: [1, inner] },
        { value: row(builder.multiply(step, u)), dims: [1, inner] },
        { value: column(write), dims: [states, 1] },
        { value: row(read), dims: [1, states] },
      ],
      out: [1, inner],
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
  return builder.node('Squeeze', [y, builder.int([2])])
}

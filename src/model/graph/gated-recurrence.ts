/** RG-LRU (De et al. 2024, Griffin): a number for each channel, with gates from blocks of channels. I inner width. */
import type { BlockSpec, MixerSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { convolveCausally, realColumns } from './causal-convolution.ts'
import { recur } from './recurrence.ts'
import { linear, type Wiring } from './wiring.ts'

type GatedRecurrence = Extract<MixerSpec, { kind: 'gated-recurrence' }>

/**
 * [B × S × W] → [B × S × W], residual not added. A token at position 0 starts anew. Masked tokens enter the convolution
 * as zeros; the reference lets pads on the left in, so that a text's numbers depend on how far it is padded.
 */
export function gatedRecurrence(wiring: Wiring, x: Value, block: BlockSpec, mixer: GatedRecurrence): Value {
  const { builder, spec, weights, columns, positions } = wiring
  const { width: inner, heads, kernel, activation } = mixer
  const into = { in: spec.width, out: inner, bias: true, place: block }
  const gate = activate(builder, linear(wiring, x, 'block.scan.gate', into), activation)
  const entering = builder.multiply(linear(wiring, x, 'block.scan.in', into), realColumns(wiring))
  const u = convolveCausally(wiring, entering, block, {
    slot: 'block.scan.convolution',
    channels: inner,
    kernel,
    bias: true,
  })
  const opened = (weight: Slot, bias: Slot): Value =>
    builder.node('Sigmoid', [blockLinear(wiring, u, block, { weight, bias, heads, width: inner / heads })])
  const input = opened('block.scan.write', 'block.scan.write.bias')
  const recurrent = opened('block.scan.select', 'block.scan.select.bias')
  const rate = builder.node('Softplus', [weights.tensor('block.scan.decay', [inner], block)])
  const logarithm = builder.multiply(builder.multiply(recurrent, builder.float(-8)), rate)
  const square = builder.node('Exp', [builder.multiply(logarithm, builder.float(2))])
  const kept = builder.node('Sqrt', [builder.node('Sub', [builder.float(1), square])])
  const first = builder.node('Unsqueeze', [
    builder.node('Equal', [positions ?? columns, builder.int(0)]),
    builder.int([-1]),
  ])
  const decay = builder.node('Where', [first, builder.float(0), builder.node('Exp', [logarithm])])
  const written = builder.multiply(builder.multiply(u, input), builder.node('Where', [first, builder.float(1), kept]))
  const y = recur(
    wiring,
    block,
    {
      carried: [{ part: 'state', dims: [inner] }],
      sequences: [
        { value: decay, dims: [inner] },
        { value: written, dims: [inner] },
      ],
      out: [inner],
    },
    ({ body, carried: [before = ''], now: [decayNow = '', writtenNow = ''] }) => {
      const after = body.add(body.multiply(decayNow, before), writtenNow)
      return { carried: [after], out: body.node('Identity', [after]) }
    },
  )
  return linear(wiring, builder.multiply(y, gate), 'block.scan.out', {
    in: inner,
    out: spec.width,
    bias: true,
    place: block,
  })
}

/** Every head's columns by a matrix of its own, [in × out] as stored: [B × S × heads·width]. */
function blockLinear(
  { builder, weights }: Wiring,
  x: Value,
  block: BlockSpec,
  { weight, bias, heads, width }: { weight: Slot; bias: Slot; heads: number; width: number },
): Value {
  const byHead = builder.reshape(x, [0, 0, heads, 1, width])
  const product = builder.node('MatMul', [byHead, weights.tensor(weight, [heads, width, width], block)])
  const biases = builder.reshape(weights.tensor(bias, [heads, width], block), [heads, 1, width])
  return builder.reshape(builder.add(product, biases), [0, 0, heads * width])
}

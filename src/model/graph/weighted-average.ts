/**
 * RWKV's time mix (Peng et al. 2023, version 4): values averaged with weights that decay by channel, in exponents that
 * never exceed the greatest so far. I inner width.
 */
import type { BlockSpec, MixerSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { realColumns } from './causal-convolution.ts'
import { recur } from './recurrence.ts'
import { shiftTokens } from './token-shift.ts'
import { linear, type Wiring } from './wiring.ts'

/** So far below every exponent that its exponential is 0, as in the reference. */
const lowest = -1e38

/** [B × S × W] → [B × S × W], residual not added. Masked tokens have no weight; the reference knows no mask. */
export function weightedAverage(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { width: inner }: Extract<MixerSpec, { kind: 'weighted-average' }>,
): Value {
  const { builder, spec, weights } = wiring
  const [forKeys = '', forValues = '', forGate = ''] = shiftTokens(wiring, x, block, {
    part: 'shift',
    shares: ['block.scan.shift.k', 'block.scan.shift.v', 'block.scan.shift.gate'],
  })
  const one = (value: Value, slot: Slot): Value =>
    linear(wiring, value, slot, { in: spec.width, out: inner, bias: false, place: block })
  const keys = builder.node('Where', [
    builder.cast(realColumns(wiring), 'bool'),
    one(forKeys, 'block.scan.k'),
    builder.float(lowest),
  ])
  const gate = builder.node('Sigmoid', [one(forGate, 'block.scan.gate')])
  const decay = builder.node('Neg', [builder.node('Exp', [weights.tensor('block.scan.decay', [inner], block)])])
  const dims = [inner]
  const average = recur(
    wiring,
    block,
    {
      carried: [
        { part: 'sum', dims },
        { part: 'weight', dims },
        { part: 'exponent', dims, start: lowest },
      ],
      constants: [
        { value: decay, dims },
        { value: weights.tensor('block.scan.skip', dims, block), dims },
      ],
      sequences: [
        { value: keys, dims },
        { value: one(forValues, 'block.scan.v'), dims },
      ],
      out: dims,
    },
    ({
      body,
      carried: [sum = '', weight = '', exponent = ''],
      constants: [rate = '', bonus = ''],
      now: [key = '', value = ''],
    }) => {
      const joined = (before: Value, now: Value) => {
        const most = body.node('Max', [before, now])
        const share = (power: Value): Value => body.node('Exp', [body.node('Sub', [power, most])])
        const [old, fresh] = [share(before), share(now)]
        return {
          sum: body.add(body.multiply(old, sum), body.multiply(fresh, value)),
          weight: body.add(body.multiply(old, weight), fresh),
          most,
        }
      }
      const here = joined(exponent, body.add(key, bonus))
      const after = joined(body.add(exponent, rate), key)
      return { carried: [after.sum, after.weight, after.most], out: body.node('Div', [here.sum, here.weight]) }
    },
  )
  return linear(wiring, builder.multiply(gate, average), 'block.scan.out', {
    in: inner,
    out: spec.width,
    bias: false,
    place: block,
  })
}

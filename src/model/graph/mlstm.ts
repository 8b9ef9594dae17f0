/**
 * mLSTM (Beck et al. 2024, xLSTM; Beck et al. 2025, xLSTM 7B): exponential gates, kept in range by the greatest exponent
 * so far. N heads, K columns of a key, V of a value.
 */
import type { BlockSpec, MixerSpec, Slot } from '#model/architectures'
import { capScores } from './attention.ts'
import type { Value } from './builder.ts'
import { realColumns } from './causal-convolution.ts'
import { gatedNorm } from './gated-norm.ts'
import { masked } from './masked.ts'
import { recur, type StepInputs, type StepOutputs } from './recurrence.ts'
import { linear, type Wiring } from './wiring.ts'

type Mlstm = Extract<MixerSpec, { kind: 'mlstm' }>

/** [B × S × W] → [B × S × W], residual not added. Masked tokens leave the state as it is. */
export function mlstm(wiring: Wiring, x: Value, block: BlockSpec, mixer: Mlstm): Value {
  const { builder, spec } = wiring
  const { heads, keyWidth, valueWidth, cap, epsilon, norm } = mixer
  const inner = heads * valueWidth
  const one = (slot: Slot, out: number, bias = false): Value =>
    linear(wiring, x, slot, { in: spec.width, out, bias, place: block })
  const [q, k] = [one('block.scan.q', heads * keyWidth), one('block.scan.k', heads * keyWidth)]
  const [v, output] = [one('block.scan.v', inner), one('block.scan.gate', inner)]
  const [input, forget] = [one('block.scan.write', heads, true), one('block.scan.decay', heads, true)]
  const real = realColumns(wiring)
  const capped = (gate: Value): Value => capScores(wiring, gate, cap)
  // ln σ(x) = −softplus(−x), 0 for pads, which write nothing
  const kept = builder.node('Neg', [builder.node('Softplus', [builder.node('Neg', [capped(forget)])])])
  const written = builder.node('Where', [builder.cast(real, 'bool'), capped(input), builder.float(masked)])
  const shaped = (value: Value, ...dims: readonly number[]) => ({
    value: builder.reshape(value, [0, 0, heads, ...dims]),
    dims: [heads, ...dims],
  })
  const y = recur(
    wiring,
    block,
    {
      carried: [
        { part: 'state', dims: [heads, keyWidth, valueWidth] },
        { part: 'normaliser', dims: [heads, keyWidth, 1] },
        { part: 'exponent', dims: [heads, 1, 1] },
      ],
      sequences: [
        shaped(builder.multiply(q, builder.float(keyWidth ** -0.5)), 1, keyWidth),
        shaped(k, keyWidth, 1),
        shaped(v, 1, valueWidth),
        shaped(written, 1, 1),
        shaped(builder.multiply(kept, real), 1, 1),
      ],
      out: [heads, 1, valueWidth],
    },
    (now) => step(now, epsilon),
  )
  const gated = gatedNorm(wiring, builder.reshape(y, [0, 0, inner]), output, block, { ...norm, width: inner })
  return linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias: false, place: block })
}

/** C = f C + i k v, n = f n + i k, y = q C / (max(|q n|, e^−m) + ε), with f and i over e^m and m the greatest exponent. */
function step(
  {
    body,
    carried: [state = '', normaliser = '', exponent = ''],
    now: [query = '', key = '', value = '', input = '', forget = ''],
  }: StepInputs,
  epsilon: number,
): StepOutputs {
  const passed = body.add(forget, exponent)
  const greatest = body.node('Max', [passed, input])
  const over = (power: Value): Value => body.node('Exp', [body.node('Sub', [power, greatest])])
  const [f, i] = [over(passed), over(input)]
  const entering = body.multiply(key, i)
  const after = body.add(body.multiply(state, f), body.multiply(entering, value))
  const sum = body.add(body.multiply(normaliser, f), entering)
  const weight = body.node('Max', [
    body.node('Abs', [body.node('MatMul', [query, sum])]),
    body.node('Exp', [body.node('Neg', [greatest])]),
  ])
  const out = body.node('Div', [body.node('MatMul', [query, after]), body.add(weight, body.float(epsilon))])
  return { carried: [after, sum, greatest], out }
}

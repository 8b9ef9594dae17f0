/**
 * Mamba's mixer (Gu & Dao 2023): a short causal convolution, then a linear recurrence whose steps depend on the input.
 * I inner width, K states, R rank.
 */
import type { BlockSpec, ScanSpec } from '#model/architectures'
import { activate } from './activation.ts'
import { createBuilder, type Value } from './builder.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter the convolution and the recurrence as zeros. */
export function selectiveScan(wiring: Wiring, x: Value, block: BlockSpec, scan: ScanSpec): Value {
  const { builder, spec, weights, mask } = wiring
  const { width: inner, states, rank, bias, activation } = scan
  const real = builder.node('Unsqueeze', [builder.cast(mask, 'float32'), builder.int([2])])
  const projected = linear(wiring, x, 'block.scan.in', { in: spec.width, out: 2 * inner, bias, place: block })
  const [entering = '', gate = ''] = builder.split('Split', [projected, builder.int([inner, inner])], 2, { axis: -1 })
  const u = builder.multiply(
    activate(builder, convolve(wiring, builder.multiply(entering, real), block, scan), activation),
    real,
  )

  const selected = linear(wiring, u, 'block.scan.select', {
    in: inner,
    out: rank + 2 * states,
    bias: false,
    place: block,
  })
  const [low = '', write = '', read = ''] = builder.split('Split', [selected, builder.int([rank, states, states])], 3, {
    axis: -1,
  })
  const step = builder.node('Softplus', [
    linear(wiring, low, 'block.scan.step', { in: rank, out: inner, bias: true, place: block }),
  ])
  const y = recur(wiring, { u, step, write, read }, block, scan)
  const skipped = builder.add(y, builder.multiply(u, weights.tensor('block.scan.skip', [inner], block)))
  const gated = builder.multiply(skipped, activate(builder, gate, activation))
  return linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias, place: block })
}

/** Every column sees itself and the `kernel` − 1 before it, each channel by itself: [B × S × I]. */
function convolve(
  { builder, weights, past }: Wiring,
  x: Value,
  block: BlockSpec,
  { width: inner, kernel, kernelBias }: ScanSpec,
): Value {
  const weight = weights.tensor('block.scan.convolution', [inner, 1, kernel], block)
  const bias = kernelBias ? [weights.tensor('block.scan.convolution', [inner], block, 'bias')] : []
  const channels = builder.transpose(x, [0, 2, 1])
  const before = past?.roll(block, 'tail', channels)
  const attributes = { group: inner, kernel_shape: [kernel], pads: [before === undefined ? kernel - 1 : 0, 0] }
  return builder.transpose(builder.node('Conv', [before ?? channels, weight, ...bias], attributes), [0, 2, 1])
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
 * would take 2 K times the memory of u. A goes along as a state that stays as it is: OpenVINO's reader of graphs
 * refuses a body of Scan that uses a value around it.
 */
function recur(
  wiring: Wiring,
  { u, step, write, read }: Sequences,
  block: BlockSpec,
  { width: inner, states }: ScanSpec,
): Value {
  const { builder, weights, ids, past } = wiring
  const decay = builder.transpose(
    builder.node('Neg', [builder.node('Exp', [weights.tensor('block.scan.decay', [inner, states], block)])]),
    [1, 0],
  )
  const scope = `scan.${block.i}.`
  const body = createBuilder(scope)
  const float = (name: string, dims: readonly (number | string)[]): Value => body.input(scope + name, 'float32', dims)
  const before = float('state', ['rows', states, inner])
  const rate = float('decay', [states, inner])
  const [stepNow, enteringNow] = [float('step', ['rows', 1, inner]), float('entering', ['rows', 1, inner])]
  const [writeNow, readNow] = [float('write', ['rows', states, 1]), float('read', ['rows', 1, states])]
  const kept = body.multiply(body.node('Exp', [body.multiply(stepNow, rate)]), before)
  const after = body.add(kept, body.multiply(writeNow, enteringNow))
  const out = body.node('MatMul', [readNow, after])
  const rateAfter = body.node('Identity', [rate])
  const graph = {
    name: scope,
    nodes: body.nodes,
    initializers: body.initializers,
    inputs: body.inputs,
    outputs: [
      { name: after, type: 'float32', dims: ['rows', states, inner] },
      { name: rateAfter, type: 'float32', dims: [states, inner] },
      { name: out, type: 'float32', dims: ['rows', 1, inner] },
    ],
  } as const

  const rows = builder.node('Shape', [ids], { start: 0, end: 1 })
  const start =
    past?.before(block, 'state') ??
    builder.node('ConstantOfShape', [builder.node('Concat', [rows, builder.int([states, inner])], { axis: 0 })])
  const column = (value: Value): Value => builder.node('Unsqueeze', [value, builder.int([3])])
  const row = (value: Value): Value => builder.node('Unsqueeze', [value, builder.int([2])])
  const sequences = [row(step), row(builder.multiply(step, u)), column(write), row(read)]
  const [end = '', , y = ''] = builder.split('Scan', [start, decay, ...sequences], 3, {
    body: { graph },
    num_scan_inputs: sequences.length,
    scan_input_axes: sequences.map(() => 1),
    scan_output_axes: [1],
  })
  past?.keep(block, 'state', end)
  return builder.node('Squeeze', [y, builder.int([2])])
}

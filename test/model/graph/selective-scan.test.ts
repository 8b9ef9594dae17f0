import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { selectiveScan } from '../../../src/model/graph/selective-scan.ts'
import { at, greatest, runFragment, sum, values } from './fragment.ts'
import { seeded } from './plain-forward.ts'
import type { Values } from './safetensors-source.ts'

const [rows, cols, width, inner, states, rank, kernel] = [2, 7, 6, 10, 3, 2, 3]
const config = {
  model_type: 'mamba',
  hidden_size: width,
  intermediate_size: inner,
  state_size: states,
  time_step_rank: rank,
  conv_kernel: kernel,
  num_hidden_layers: 1,
  vocab_size: 7,
}
const mask = [
  [1, 1, 1, 1, 1, 1, 1],
  [0, 0, 1, 1, 0, 1, 1],
]
const mixer = 'backbone.layers.0.mixer'

function tensorsOf(draw: () => number): Record<string, Values> {
  const shapes: Record<string, readonly number[]> = {
    'in_proj.weight': [2 * inner, width],
    'in_proj.bias': [2 * inner],
    'conv1d.weight': [inner, 1, kernel],
    'conv1d.bias': [inner],
    'x_proj.weight': [rank + 2 * states, inner],
    'dt_proj.weight': [inner, rank],
    'dt_proj.bias': [inner],
    A_log: [inner, states],
    D: [inner],
    'out_proj.weight': [width, inner],
    'out_proj.bias': [width],
  }
  const parts = Object.entries(shapes).map(([name, shape]) => [`${mixer}.${name}`, values(draw, shape)] as const)
  return { 'backbone.embeddings.weight': values(draw, [7, width]), ...Object.fromEntries(parts) }
}

/** One text after Gu & Dao 2023, algorithm 2, column by column; `real` says which columns count. */
function plainScan(
  tensors: Record<string, Values>,
  x: (s: number, w: number) => number,
  real: readonly number[],
  biases: { ends: boolean; kernel: boolean },
): number[][] {
  const tensor = (name: string): Values => tensors[`${mixer}.${name}`] ?? { shape: [], data: new Float32Array() }
  const silu = (value: number): number => value / (1 + Math.exp(-value))
  const projected = (s: number, i: number): number =>
    sum(width, (w) => at(tensor('in_proj.weight'), i, w) * x(s, w)) + (biases.ends ? at(tensor('in_proj.bias'), i) : 0)
  const entering = (s: number, i: number): number => (s < 0 || real[s] === 0 ? 0 : projected(s, i))
  const memory = Array.from({ length: inner }, () => Array.from({ length: states }, () => 0))
  return real.map((counts, s) => {
    const u = Array.from({ length: inner }, (_, i) => {
      const seen = sum(kernel, (tap) => at(tensor('conv1d.weight'), i, 0, tap) * entering(s + tap - kernel + 1, i))
      return counts * silu(seen + (biases.kernel ? at(tensor('conv1d.bias'), i) : 0))
    })
    const select = (row: number): number => sum(inner, (i) => at(tensor('x_proj.weight'), row, i) * (u[i] ?? 0))
    const outputs = memory.map((channel, i) => {
      const step = Math.log1p(
        Math.exp(sum(rank, (r) => at(tensor('dt_proj.weight'), i, r) * select(r)) + at(tensor('dt_proj.bias'), i)),
      )
      channel.forEach((before, n) => {
        channel[n] =
          Math.exp(-Math.exp(at(tensor('A_log'), i, n)) * step) * before + step * select(rank + n) * (u[i] ?? 0)
      })
      const y = sum(states, (n) => (channel[n] ?? 0) * select(rank + states + n)) + at(tensor('D'), i) * (u[i] ?? 0)
      return y * silu(projected(s, inner + i))
    })
    return Array.from(
      { length: width },
      (_, w) =>
        sum(inner, (i) => at(tensor('out_proj.weight'), w, i) * (outputs[i] ?? 0)) +
        (biases.ends ? at(tensor('out_proj.bias'), w) : 0),
    )
  })
}

describe('a selective scan', () => {
  test.each([
    { ends: false, kernel: true },
    { ends: true, kernel: false },
  ])('is the recurrence column by column; biases at the ends $ends, of the kernel $kernel', async (biases) => {
    const spec = specOf({ ...config, use_bias: biases.ends, use_conv_bias: biases.kernel })
    const [block] = spec.blocks
    if (block?.scan?.kind !== 'selective') throw new Error('no scan')
    const { scan } = block
    const tensors = tensorsOf(seeded(7))
    const x = values(seeded(8), [rows, cols, width])
    const result = await runFragment(spec, tensors, { mask, rank: 3 }, (wiring) =>
      selectiveScan(wiring, wiring.builder.float(x.data, x.shape), block, scan),
    )

    const plain = mask.map((real, b) => plainScan(tensors, (s, w) => at(x, b, s, w), real, biases))
    expect(result.dims).toEqual([rows, cols, width])
    // Float32 against float64 over sums of at most ten products below 1.
    expect(greatest(result, (b, s, w) => plain[b]?.[s]?.[w] ?? Number.NaN)).toBeLessThan(1e-5)
  })
})

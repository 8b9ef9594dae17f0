import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { engineStates } from '#platform/runtime'
import { linear } from '../../../src/model/graph/wiring.ts'
import { integerProducts } from '../../../src/model/graph/integer-product.ts'
import { llamaConfig } from '../architectures/small-configs.ts'
import { runFragment, values } from './fragment.ts'
import { seeded } from './plain-forward.ts'
import type { Values } from './safetensors-source.ts'

const engine = (await engineStates()).find(({ name }) => name === 'onnxruntime')
const exact = engine?.available === true ? engine.integerWeights : undefined
/** Both forms where signed bytes are exact; shifted ones alone elsewhere. */
const forms = exact === 'int8' ? (['int8', 'uint8'] as const) : (['uint8'] as const)
const [width, inner] = [llamaConfig.hidden_size, llamaConfig.intermediate_size]
const name = 'model.layers.0.mlp.gate_proj.weight'

/** The rows times the weight as the graph has them. */
async function product(rows: Values, weight: Values, form: 'int8' | 'uint8', decides = false): Promise<Float32Array> {
  const spec = specOf(llamaConfig)
  const mask = [Array.from({ length: 1 }, () => 1)]
  const { data } = await runFragment(spec, { [name]: weight }, { mask, rank: 2 }, (wiring) => {
    const { builder } = wiring
    const x = builder.float(rows.data, rows.shape)
    const place = spec.blocks[0]
    return linear({ ...wiring, integerProducts: integerProducts(builder, form) }, x, 'block.mlp.gate', {
      in: width,
      out: inner,
      bias: false,
      place,
      decides,
    })
  })
  return data
}

/** Greatest magnitude over 127 as the scale of every row; the integers multiplied exactly. */
function plainProduct(rows: Values, weight: Values): Float32Array {
  const [x, w] = [quantized(rows), quantized(weight)]
  const [count = 0, out = 0] = [rows.shape[0], weight.shape[0]]
  return Float32Array.from({ length: count * out }, (_, at) => {
    const [i, j] = [Math.floor(at / out), at % out]
    let sum = 0
    for (let k = 0; k < width; k++) sum += (x.whole[i * width + k] ?? NaN) * (w.whole[j * width + k] ?? NaN)
    return sum * (w.scales[j] ?? NaN) * (x.scales[i] ?? NaN)
  })
}

function quantized({ shape, data }: Values): { whole: number[]; scales: number[] } {
  const scales = Array.from({ length: shape[0] ?? 0 }, (_, i) =>
    Math.fround(Math.max(...data.subarray(i * width, (i + 1) * width).map(Math.abs)) / 127),
  )
  const whole = Array.from(data, (value, at) => evenRound(Math.fround(value / (scales[Math.floor(at / width)] ?? NaN))))
  return { whole, scales }
}

function evenRound(x: number): number {
  const below = Math.floor(x)
  if (x - below !== 0.5) return Math.round(x)
  return below % 2 === 0 ? below : below + 1
}

describe.each(forms)('products of weights stored as %s', (form) => {
  const draw = seeded(5)
  const rows = values(draw, [6, width])
  const weight = values(draw, [inner, width])

  test('are those of integers, scaled by row and channel', async () => {
    const seen = await product(rows, weight, form)
    const wanted = plainProduct(rows, weight)
    // The sums are exact; two scales are multiplied in float32, 2⁻²⁴ of the result each.
    seen.forEach((value, at) =>
      expect(Math.abs(value - (wanted[at] ?? NaN))).toBeLessThanOrEqual(3 * 2 ** -24 * Math.abs(wanted[at] ?? NaN)),
    )
    expect(seen.length).toBe(wanted.length)
  })

  test('lose nothing where all bytes are as great as they can be', async () => {
    const ones = { shape: [3, width], data: new Float32Array(3 * width).fill(1) }
    const alternating = {
      shape: [inner, width],
      data: Float32Array.from({ length: inner * width }, (_, i) => (Math.floor(i / width) % 2 === 0 ? 1 : -1)),
    }
    const seen = await product(ones, alternating, form)
    seen.forEach((value, at) => expect(value).toBeCloseTo(at % 2 === 0 ? width : -width, 4))
  })

  test('of a row are the same bits whatever rows are beside it', async () => {
    const all = await product(rows, weight, form)
    const great = {
      shape: [2, width],
      data: Float32Array.from([...rows.data.subarray(width, 2 * width), ...Array.from({ length: width }, () => 1e6)]),
    }
    expect((await product(great, weight, form)).subarray(0, inner)).toEqual(all.subarray(inner, 2 * inner))
  })

  test('of zeros are zeros', async () => {
    const seen = await product({ shape: [1, width], data: new Float32Array(width) }, weight, form)
    expect([...new Set(seen)]).toEqual([0])
  })

  test.each([0, 1, width - 1])('hand a NaN at column %i on, to its own row alone', async (column) => {
    const data = rows.data.slice()
    data[width + column] = NaN
    const [seen, before] = [await product({ shape: [6, width], data }, weight, form), await product(rows, weight, form)]
    expect([...seen.subarray(inner, 2 * inner)].every(Number.isNaN)).toBe(true)
    expect(seen.subarray(2 * inner)).toEqual(before.subarray(2 * inner))
  })

  test('with a NaN in a weight are NaN', async () => {
    const data = weight.data.slice()
    data[2 * width + 3] = NaN
    const seen = await product(rows, { shape: weight.shape, data }, form)
    expect(Array.from({ length: 6 }, (_, i) => seen[i * inner + 2])).toEqual(Array.from({ length: 6 }, () => NaN))
    expect(seen[1]).not.toBeNaN()
  })

  test('that decide are not made in integers', async () => {
    const [seen, integers] = [await product(rows, weight, form, true), await product(rows, weight, form)]
    expect(seen).not.toEqual(integers)
    // Roundings to 127 steps of two factors with a maximum some two times their usual size.
    seen.forEach((value, at) => expect(Math.abs(value - (integers[at] ?? NaN))).toBeLessThan(0.05))
  })
})

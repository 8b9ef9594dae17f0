import { describe, expect, test } from 'vitest'
import { elementCount, type TensorSource } from '#core'
import { diagonalFisher, type FisherLabels } from '#model/gradient'
import { randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  readonly config: Readonly<Record<string, unknown>>
  readonly labels: FisherLabels
  readonly seed: number
  readonly drawn: readonly number[]
  readonly tensors: readonly (readonly [name: string, shape: readonly number[]])[]
  readonly fisher: Readonly<Record<string, readonly number[]>>
}

const { examples, cases } = goldenOf<{
  examples: { ids: number[]; label: number }[]
  cases: Case[]
}>('model/gradient', 'fisher')

/** The tensors of a case as `oracles/fisher.py` draws them. */
function drawnTensors({ tensors, seed }: Case): Map<string, { shape: readonly number[]; data: Float32Array }> {
  const draws = randomState(seed)
  return new Map(
    tensors.map(([name, shape]) => {
      const shift = name.includes('LayerNorm.weight') ? 0.5 : -0.5
      return [
        name,
        { shape, data: Float32Array.from(draws.randomSample(elementCount(shape)), (value) => value + shift) },
      ]
    }),
  )
}

function sourceFor(
  one: Case,
  change: (tensors: ReturnType<typeof drawnTensors>) => void = () => undefined,
): TensorSource {
  const tensors = drawnTensors(one)
  change(tensors)
  const info = (name: string) => {
    const tensor = tensors.get(name)
    return tensor && { name, dtype: 'F32' as const, shape: tensor.shape, byteLength: tensor.data.byteLength }
  }
  return {
    name: 'drawn',
    names: () => [...tensors.keys()],
    info,
    read: async (name) => new Uint8Array(tensors.get(name)!.data.buffer),
    locate: () => undefined,
    identity: async () => '',
    close: async () => undefined,
  }
}

const first = cases[0]!

describe.each(cases)('$config.model_type, $labels', (one) => {
  test('the diagonal is that of autograd, under the names of the checkpoint', async () => {
    const { config, labels, seed, fisher, tensors } = one
    const found = await diagonalFisher({ config, tensors: sourceFor(one), examples, labels, seed })
    expect([...found.keys()].toSorted()).toEqual(tensors.map(([name]) => name).toSorted())
    for (const [name, wanted] of Object.entries(fisher)) {
      const values = found.get(name)!
      expect(values.length, name).toBe(wanted.length)
      // both sides compute in float64; the file has 8 digits, the result those of float32: 1.1e-7. Gradients that are 0
      // in theory, as of the keys' biases, are rounding errors below 1e-15, their squares below 1e-30
      const apart = wanted.findIndex((value, k) => !(Math.abs(values[k]! - value) <= 2e-7 * value + 1e-28))
      expect(apart < 0 ? undefined : [name, apart, values[apart], wanted[apart]]).toBeUndefined()
    }
  })
})

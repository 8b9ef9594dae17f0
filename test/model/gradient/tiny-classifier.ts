/** The classifiers of `oracles/fisher.py`, their tensors drawn again. */
import { elementCount, type TensorSource } from '#core'
import type { FisherText, FisherLabels } from '#model/gradient'
import { randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'

export interface GoldenCase {
  readonly config: Readonly<Record<string, unknown>> & { readonly model_type: string }
  readonly labels: FisherLabels
  readonly seed: number
  readonly tensors: readonly (readonly [name: string, shape: readonly number[]])[]
  readonly fisher: Readonly<Record<string, readonly number[]>>
}

export const { examples, cases } = goldenOf<{ examples: FisherText[]; cases: GoldenCase[] }>('model/gradient', 'fisher')

/** `reshaped` gives a tensor another shape, or takes it away. */
export function drawnSource(
  { tensors, seed }: Pick<GoldenCase, 'tensors' | 'seed'>,
  reshaped: Readonly<Record<string, readonly number[] | undefined>> = {},
): TensorSource {
  const draws = randomState(seed)
  const drawn = new Map<string, { shape: readonly number[]; data: Float32Array }>()
  for (const [name, stored] of tensors) {
    const shift = /norm\.weight$/i.test(name) ? 0.5 : -0.5
    const shape = name in reshaped ? reshaped[name] : stored
    const data = Float32Array.from(draws.randomSample(elementCount(stored)), (value) => value + shift)
    if (shape !== undefined) drawn.set(name, { shape, data })
  }
  return {
    name: 'drawn',
    names: () => [...drawn.keys()],
    info(name) {
      const tensor = drawn.get(name)
      return tensor && { name, dtype: 'F32', shape: tensor.shape, byteLength: tensor.data.byteLength }
    },
    read: async (name) => new Uint8Array(drawn.get(name)!.data.buffer),
    locate: () => undefined,
    identity: async () => 'drawn',
    close: async () => undefined,
  }
}

/**
 * Spherical interpolation of two whole tensors, as mergekit does it: the angle of the directions, the coefficients on
 * the raw values. Shoemake 1985.
 */
import { type MergeMethod, numberOf, shared } from './method.ts'
import { gram } from './gram.ts'

/** Beyond this cosine – towards either side – the straight line is taken. */
const nearlyParallel = 0.9995
const smallestNorm = 1e-8

export const slerp: MergeMethod = {
  name: 'slerp',
  reference: 'https://doi.org/10.1145/325334.325242',
  base: 'required',
  inputs: [1, 1],
  parameters: { t: shared() },
  streaming: 'reduction',
  tolerance: 2e-6,
  deviations: [
    'lengths and the product are summed in float64: a cosine within 1e-7 of the threshold 0.9995 may fall to its other side',
  ],
  kernel({ shared: values }) {
    const t = numberOf(values, 't')
    const { pass, dot } = gram(2)
    let coefficients: readonly [number, number] | undefined
    const found = (): readonly [number, number] =>
      (coefficients ??= weightsAt(t, cosineOf(dot(0, 0), dot(1, 1), dot(0, 1))))
    return {
      grain: 1,
      // the base is one of the two vectors, not what they are measured from
      passes: [
        ({ offset, length, base, inputs }) => pass({ offset, length, base: undefined, inputs: [base!, inputs[0]!] }),
      ],
      output({ length, base, inputs }, out) {
        const [a, b] = [base!, inputs[0]!]
        const [own, other] = found()
        for (let i = 0; i < length; i++) out[i] = own * a[i]! + other * b[i]!
      },
      mix: () => ({ of: 'values', coefficients: found() }),
    }
  },
}

/** Vectors that are almost zero are not normalised, as in the reference. */
function cosineOf(a: number, b: number, product: number): number {
  const scale = (square: number): number => (Math.sqrt(square) > smallestNorm ? Math.sqrt(square) : 1)
  return product / (scale(a) * scale(b))
}

function weightsAt(t: number, cosine: number): [number, number] {
  if (Math.abs(cosine) > nearlyParallel) return [1 - t, t]
  const angle = Math.acos(cosine)
  return [Math.sin((1 - t) * angle) / Math.sin(angle), Math.sin(t * angle) / Math.sin(angle)]
}

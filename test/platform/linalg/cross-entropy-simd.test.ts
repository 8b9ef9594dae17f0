import { expect, test } from 'vitest'
import { crossEntropyPlain } from '../../../src/platform/linalg/cross-entropy.ts'
import { sameAsMathExp } from '../../../src/platform/linalg/exp-simd.ts'
import { crossEntropy, crossEntropyPairs } from '../../../src/platform/linalg/cross-entropy-simd.ts'
import { sameBits } from '../wasm/same-bits.ts'
import { fdlibmExp } from './fdlibm-exp.ts'

/** size: rows. Twice, since memory is written over. */
sameBits(
  'platform/linalg/cross-entropy-simd.ts',
  { lanes: 2, chunk: 16 },
  Object.fromEntries(
    [1, 2, 3, 5, 32].map((classes) => [
      `${classes} classes`,
      ({ size, doubles, words }) => {
        const labels = words('labels').map((word) => word % classes)
        const [kernel, loop] = [crossEntropyPairs(size, classes), crossEntropyPlain(size, classes, fdlibmExp)].map(
          ({ scores, residuals, loss }) => {
            const columns = Array.from({ length: classes }, (_, k) => doubles(`${k}`))
            const pass = (scale: number): number => {
              columns.forEach((column, k) => column.forEach((value, i) => (scores[i * classes + k] = scale * value)))
              return loss(labels)
            }
            return { losses: [pass(1), pass(30)], residuals: residuals.slice() }
          },
        )
        return { kernel: kernel!, loop: loop! }
      },
    ]),
  ),
)

test('the kernel is used where its exponential has the bits of Math.exp', () => {
  const { scores } = crossEntropy(3, 2)
  expect(scores.byteOffset > 0).toBe(sameAsMathExp())
})

test('equal scores: the loss is rows · log classes, residuals are shares less the labels', () => {
  const { residuals, loss } = crossEntropy(3, 4)
  expect(loss([0, 3, 3])).toBeCloseTo(3 * Math.log(4), 12)
  expect(Array.from(residuals)).toEqual(
    [-0.75, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, -0.75, -0.75].map((value) => value / 3),
  )
})

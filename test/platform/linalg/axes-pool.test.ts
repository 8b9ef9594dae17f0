import { expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { principalAxes, principalAxesApart } from '#platform/linalg'
import { randomState } from '#platform/random'

/** Symmetric, seeded. */
function drawn(n: number, seed: number): Matrix64 {
  const values = randomState(seed).randomSample(n * n)
  const data = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) data[i * n + j] = data[j * n + i] = (values[i * n + j] ?? 0) - 0.5
  return { rows: n, width: n, data }
}

test('matrices that are solved side by side have the bits of each alone, in their order, and stay as they were', async () => {
  const problems = [1, 2, 3].map((seed) => drawn(520 + seed, seed))
  const before = problems.map(({ data }) => data.slice())
  const beside = await Promise.all(problems.map((one) => principalAxesApart(one, 40)))
  for (const [i, one] of problems.entries()) expect(beside[i]).toEqual(await principalAxes(one, 40))
  expect(problems.map(({ data }) => data)).toEqual(before)
})

test('a small one is solved on the spot, and one that is not finite is refused either way', async () => {
  const small = drawn(30, 4)
  expect(await principalAxesApart(small, 5)).toEqual(await principalAxes(small, 5))
  for (const n of [30, 600]) {
    const broken = drawn(n, 5)
    broken.data[7] = NaN
    await expect(principalAxesApart(broken, 5)).rejects.toMatchObject({ code: 'tensor.value' })
  }
})

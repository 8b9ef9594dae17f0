import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leavesOf, linkage, type LinkageMethod, rowDistances } from '#platform/linalg'

interface Case {
  readonly method: LinkageMethod
  readonly points: readonly (readonly number[])[]
  readonly joints: readonly (readonly [number, number, number, number])[]
  readonly leaves: readonly number[]
}
const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'linkage.json'), 'utf8')) as {
  cases: readonly Case[]
}

test.each(cases.map((one) => [one.method, one.points.length, one] as const))(
  '%s of %i rows is SciPy’s',
  (_, __, { method, points, joints, leaves }) => {
    const found = linkage(rowDistances(points), points.length, method)
    expect(found.map(({ left, right, size }) => [left, right, size])).toEqual(
      joints.map(([left, right, , size]) => [left, right, size]),
    )
    // sums of up to 69 squares in another order
    found.forEach(({ distance }, i) => expect(distance).toBeCloseTo(joints[i]?.[2] ?? NaN, 10))
    expect(leavesOf(found)).toEqual(leaves)
  },
)

test.each([NaN, Infinity, 1e300])('rows that are %d apart are refused instead of joined for ever', (far) => {
  expect(() => linkage(rowDistances([[0], [far], [2 * far]]), 3, 'ward')).toThrow(
    expect.objectContaining({ code: 'result.invalid' }),
  )
})

test('one row has nothing to join', () => {
  expect([linkage(rowDistances([[1, 2]]), 1, 'ward'), leavesOf([])]).toEqual([[], [0]])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastOfEach } from '../../../../src/task/rows/tables/last-of-each.ts'

/** What a map keeps: the place of the first, the value of the last. */
function byMap(ids: readonly string[]): number[] {
  return [...new Map(ids.map((id, row) => [id, row])).values()]
}

test('keeps what a map keeps', () => {
  const few = fc.array(fc.oneof(fc.constantFrom('', 'a', 'b', '日本', '\ud800'), fc.string({ maxLength: 2 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(few, (ids) => {
      expect([...(lastOfEach(ids) ?? ids.keys())]).toEqual(byMap(ids))
    }),
    { seed: 1 },
  )
})

test('many ids that are much alike', () => {
  const ids = Array.from({ length: 200_000 }, (_, i) => `doc-${i % 150_000}`)
  expect(Array.from(lastOfEach(ids) ?? [])).toEqual(byMap(ids))
  expect(lastOfEach(ids.slice(0, 150_000))).toBeUndefined()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rollingWindows } from '#model/tokenizer'

const lists = (ids: Int32Array, window: number) =>
  rollingWindows(ids, 99, window).map(({ context, continuation }) => [[...context], [...continuation]])

test('the example of the reference: ten tokens, windows of four', () => {
  expect(
    lists(
      Int32Array.from({ length: 10 }, (_, i) => i),
      4,
    ),
  ).toEqual([
    [[99], [0, 1, 2, 3]],
    [[3], [4, 5, 6, 7]],
    [
      [5, 6, 7],
      [8, 9],
    ],
  ])
})

test('every token is scored once, and no window is longer than the model’s', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 12 }), (length, window) => {
      const ids = Int32Array.from({ length }, (_, i) => i)
      const windows = lists(ids, window)
      expect(windows.flatMap(([, scored]) => scored)).toEqual([...ids])
      expect(
        windows.every(
          ([context = [], scored = []]) => context.length >= 1 && context.length + scored.length - 1 <= window,
        ),
      ).toBe(true)
    }),
  )
})

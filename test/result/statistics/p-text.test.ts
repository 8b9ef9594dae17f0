import { expect, test } from 'vitest'
import { pSaid, pText } from '#result/statistics'

test.each([
  [0, '< 0.001', 'p < 0.001'],
  [0.0009, '< 0.001', 'p < 0.001'],
  [0.001, '0.001', 'p = 0.001'],
  [0.5314, '0.531', 'p = 0.531'],
  [1, '1.000', 'p = 1.000'],
])('p of %d in a table and in a sentence', (p, text, said) => {
  expect([pText(p), pSaid(p)]).toEqual([text, said])
})

import { expect, test } from 'vitest'
import { adler32 } from '../../../src/experiment/run/adler32.ts'

test('is zlib.adler32 of Python', () => {
  expect(['', 'STSBenchmark', 'Banking77Classification', 'ä€', 'x'.repeat(6000)].map(adler32)).toEqual([
    1, 465_962_118, 1_714_620_629, 179_962_744, 497_351_959,
  ])
})

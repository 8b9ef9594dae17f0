import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { blocksFor } from '../../../src/representation/export/first-blocks.ts'
import type { Reading } from '../../../src/representation/export/reading.ts'
import { bertConfig, llamaConfig } from '../../model/architectures/small-configs.ts'

const bert = specOf({ ...bertConfig, num_hidden_layers: 4 })
const llama = specOf({ ...llamaConfig, num_hidden_layers: 4 })
const reading = (seen: Reading['seen'], finalNorm: Reading['finalNorm'] = 'native'): Reading => ({
  name: 'r',
  seen,
  finalNorm,
  pooling: ['mean'],
  later: [],
})
const state = (h: number): Reading['seen'] => ({ kind: 'state', h })
const conflict: Error = expect.objectContaining({ code: 'usage.conflict' }) as Error

describe('where a model is cut', () => {
  test('behind the block whose state is asked for', () => {
    expect(blocksFor(reading(state(3)), bert)).toBe(3)
    expect(blocksFor(reading(state(3), 'always'), llama)).toBe(3)
    expect(blocksFor(reading({ kind: 'last' }), llama)).toBe(4)
  })

  test('nowhere, where the final norm would follow a state that is taken before it', () => {
    expect(() => blocksFor(reading(state(3)), llama)).toThrow(conflict)
    expect(() => blocksFor(reading(state(4)), { ...llama, final: { ...llama.final, lastState: 'raw' } })).toThrow(
      conflict,
    )
  })

  test('nowhere, where a projection would follow', () => {
    expect(() => blocksFor(reading(state(3)), { ...bert, final: { ...bert.final, project: 2 } })).toThrow(conflict)
  })

  test('not before the first block, and not for several states', () => {
    expect(() => blocksFor(reading(state(0)), bert)).toThrow(conflict)
    const mix = { kind: 'sum', weights: Float64Array.of(0.5, 0.5, 0, 0, 0) } as const
    expect(() => blocksFor(reading({ kind: 'mix', mix, layerNorm: 'none' }), bert)).toThrow(conflict)
  })
})

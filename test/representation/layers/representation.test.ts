import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import {
  meansNamed,
  representationName,
  representationNamed,
  statesNamed,
} from '../../../src/representation/layers/representation.ts'
import { poolings, poolingNamed } from '../../../src/model/passes/pooling-name.ts'

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return error instanceof Fault ? error.code : 'not a fault'
  }
  return 'no fault'
}

describe('representation names', () => {
  test('a name read and written again is the same', () => {
    const names = fc.oneof(
      fc.constant('default'),
      fc.integer({ min: 0, max: 12 }).map((h) => `h${h}`),
      fc.tuple(fc.integer({ min: 0, max: 12 }), fc.constantFrom(...poolings)).map(([h, mode]) => `h${h}-${mode}`),
    )
    fc.assert(
      fc.property(names, (name) => {
        expect(representationName(representationNamed(name, 13))).toBe(name)
      }),
    )
  })

  test('a negative index counts from the last state', () => {
    expect(representationName(representationNamed('h-1', 7))).toBe('h6')
    expect(statesNamed('0,3,-1', 7)).toEqual([0, 3, 6])
  })

  test('a mean of neighbours: equal weights, named by what it is', () => {
    const mean = representationNamed('mean:1-3', 7)
    expect(mean).toMatchObject({
      kind: 'combination',
      layerNorm: 'none',
      mix: { kind: 'sum', weights: Float64Array.of(0, 1 / 3, 1 / 3, 1 / 3, 0, 0, 0) },
    })
    expect(representationName(mean)).toMatch(/^mean-[0-9a-f]{8}$/)
    expect(representationNamed('mean:-6--4', 7)).toEqual(mean)
    expect(representationName(representationNamed('mean:1-4', 7))).not.toBe(representationName(mean))
    expect([
      codeOf(() => representationNamed('mean:2-2', 7)),
      codeOf(() => representationNamed('mean:3-1', 7)),
    ]).toEqual(['usage.value', 'usage.value'])
    expect(codeOf(() => representationNamed('mean:1-7', 7))).toBe('representation.unknown')
  })

  test('means of neighbours: only where all of them are', () => {
    expect(meansNamed([0, 1, 2, 4], 2)).toEqual(['mean:0-1', 'mean:1-2'])
    expect(meansNamed([0, 1, 2, 4], 3)).toEqual(['mean:0-2'])
    expect(meansNamed([0, 1], 3)).toEqual([])
  })

  test('all names every state', () => {
    expect(statesNamed('all', 3)).toEqual([0, 1, 2])
  })

  test('what a model does not have is refused', () => {
    expect(codeOf(() => representationNamed('h7', 7))).toBe('representation.unknown')
    expect(codeOf(() => representationNamed('layer3', 7))).toBe('representation.unknown')
    expect(codeOf(() => statesNamed('0,x', 7))).toBe('usage.value')
    expect(codeOf(() => statesNamed('-8', 7))).toBe('representation.unknown')
    expect(codeOf(() => poolingNamed('constructor'))).toBe('usage.value')
  })

  test('poolings have short names', () => {
    expect(poolingNamed('last')).toBe('lasttoken')
    expect(poolingNamed('mean')).toBe('mean')
  })
})

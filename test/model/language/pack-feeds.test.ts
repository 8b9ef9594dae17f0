import { describe, expect, test } from 'vitest'
import { noPast, packedRows, type PastStates } from '../../../src/model/language/pack-feeds.ts'
import type { PackedTokens } from '../../../src/model/language/pack-tokens.ts'

/** A token an entry: its id, the one before it in its path, its place. */
const row = (...tokens: readonly (readonly [id: number, parent: number, place: number])[]): PackedTokens => ({
  ids: Int32Array.from(tokens, ([id]) => id),
  parents: Int32Array.from(tokens, ([, parent]) => parent),
  places: Int32Array.from(tokens, ([, , place]) => place),
})
/** [rows × cols × keys] in lines of keys. */
const lines = (values: Int32Array, keys: number): string[] =>
  Array.from({ length: values.length / keys }, (_, i) => values.subarray(i * keys, (i + 1) * keys).join(''))

describe('rows that are fed', () => {
  const long = row([11, -1, 0], [12, 0, 1], [13, 1, 2])
  const short = row([21, -1, 0])

  test('are padded at their end, where the mask is 0 and nothing is seen', () => {
    const fed = packedRows([long, short], noPast, 9)
    expect([fed.rows, fed.cols]).toEqual([2, 3])
    expect([...fed.ids]).toEqual([11, 12, 13, 21, 9, 9])
    expect([...fed.mask]).toEqual([1, 1, 1, 1, 0, 0])
    expect([...fed.places]).toEqual([0, 1, 2, 0, 0, 0])
    expect(lines(fed.visible(Infinity), 3)).toEqual(['100', '110', '111', '100', '000', '000'])
  })

  test('see their own path alone, and of it a window', () => {
    // two continuations of one token: 1 and 3 follow 0, 2 follows 1
    const tree = row([11, -1, 0], [12, 0, 1], [13, 1, 2], [14, 0, 1])
    const fed = packedRows([tree], noPast, 0)
    expect(lines(fed.visible(Infinity), 4)).toEqual(['1000', '1100', '1110', '1001'])
    expect(lines(fed.visible(2), 4)).toEqual(['1000', '1100', '0110', '1001'])
    expect(lines(fed.visible(1), 4)).toEqual(['1000', '0100', '0010', '0001'])
  })

  test('see all of a past, which has the first places, or what a window leaves of it', () => {
    const past: PastStates = { length: 2, states: new Map() }
    const fed = packedRows([row([11, -1, 2], [12, 0, 3])], past, 0)
    expect([...fed.keyPlaces]).toEqual([0, 1, 2, 3])
    expect(lines(fed.visible(Infinity), 4)).toEqual(['1110', '1111'])
    expect(lines(fed.visible(2), 4)).toEqual(['0110', '0011'])
  })
})

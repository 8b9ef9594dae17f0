import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest, suggestion } from '#core'

describe('nearest', () => {
  test('two letters that changed places are one mistake', () => {
    expect(nearest('STS71', ['STS12', 'STS17', 'STS16'])).toBe('STS17')
  })

  test('a name is nearest to itself, whatever its case', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        (names, pick) => {
          const name = names[pick % names.length] ?? ''
          expect(nearest(name.toUpperCase(), names)).toBe(name)
        },
      ),
    )
  })

  test('nothing is suggested for a word that is like none', () => {
    expect(nearest('zzzzzzzz', ['layers', 'encode'])).toBeUndefined()
    expect(suggestion('zzzzzzzz', ['layers', 'encode'])).toBe('known: layers, encode')
  })
})

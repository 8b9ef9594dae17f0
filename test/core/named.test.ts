import { expect, test } from 'vitest'
import { named } from '#core'

const known = [{ name: 'mean' }, { name: 'last' }, { name: 'weighted' }]
const options = { place: '--methods', kind: 'method' }

test('names by comma are members in the order given, each once; all are all', () => {
  expect(named('last, mean,last', known, options)).toEqual([{ name: 'last' }, { name: 'mean' }])
  expect(named('all', known, options)).toEqual(known)
})

test('a member may be meant by another word', () => {
  expect(named('LAST', known, { ...options, isMeant: ({ name }, word) => name === word.toLowerCase() })).toEqual([
    { name: 'last' },
  ])
})

test('a word that means nothing is refused with the nearest name', () => {
  expect(() => named('mean, wieghted', known, options)).toThrow(
    expect.objectContaining({
      code: 'usage.value',
      parts: {
        place: '--methods',
        what: 'no such method',
        seen: ' wieghted',
        wanted: 'mean, last, weighted',
        hint: 'did you mean weighted?',
      },
    }) as Error,
  )
})

import { describe, expect, test } from 'vitest'
import { joinLicences, type StatedLicence } from '../../../src/files/cards/joined-licence.ts'

const joined = (...licences: readonly (StatedLicence | string | undefined)[]): ReturnType<typeof joinLicences> =>
  joinLicences(
    licences.map((licence, i) => ({
      model: `org/${i}`,
      licence: typeof licence === 'string' ? { id: licence } : licence,
    })),
  )

describe('the licence of a model made from others', () => {
  test('is the common one where all are equal', () => {
    expect(joined('mit', 'mit')).toMatchObject({ licence: { id: 'mit' }, notes: [] })
    const named = { id: 'other', name: 'their-own', link: 'LICENSE' }
    expect(joined(named, { ...named }).licence).toEqual(named)
  })

  test('is not the common one where two outside the table have nothing but "other" in common', () => {
    const { licence } = joined({ id: 'other', link: 'https://one' }, { id: 'other', link: 'https://two' })
    expect(licence?.link).toBeUndefined()
    expect(joined('gpl-3.0', { id: 'gpl-3.0', name: 'gpl-3.0' })).toMatchObject({
      licence: { id: 'gpl-3.0' },
      notes: [],
    })
  })

  test('is the strictest one where all others permit it, and their notices stay', () => {
    const { licence, notes } = joined('cc-by-nc-4.0', 'apache-2.0', 'mit')
    expect(licence).toEqual({ id: 'cc-by-nc-4.0' })
    expect(notes).toEqual([
      'notices of apache-2.0 must be kept under cc-by-nc-4.0',
      'notices of mit must be kept under cc-by-nc-4.0',
    ])
  })

  test('has both names where none of two permissive ones covers the other', () => {
    const { licence, notes } = joined('mit', 'apache-2.0')
    expect(licence).toEqual({ id: 'other', name: 'mit-and-apache-2.0' })
    expect(notes).toEqual(['both mit and apache-2.0 apply'])
  })

  test.each([
    ['cc-by-nc-4.0', 'gpl-3.0'],
    ['cc-by-sa-4.0', 'cc-by-nc-sa-4.0'],
    ['apache-2.0', 'gpl-2.0'],
  ])('%s and %s are said to be incompatible, and the licence is other', (first, second) => {
    const { licence, notes } = joined(first, second)
    expect(licence).toEqual({ id: 'other', name: `${first}-and-${second}` })
    expect(notes.filter((note) => note.includes('incompatible'))).toHaveLength(1)
    expect(notes[0]).toContain(first)
    expect(notes[0]).toContain(second)
  })

  test('a clash is said even where a third licence would be the strictest', () => {
    const { licence, notes } = joined('apache-2.0', 'gpl-2.0', 'lgpl-2.1')
    expect(licence?.id).toBe('other')
    expect(notes.join()).toContain('incompatible')
  })

  test('an unknown one is said by name, and the whole is not called after the others', () => {
    const { licence, notes } = joined('apache-2.0', undefined)
    expect(licence).toEqual({ id: 'other', name: 'apache-2.0-and-unknown' })
    expect(notes).toEqual(['the licence of org/1 is unknown: no card of it states one'])
    expect(joined(undefined, undefined)).toMatchObject({ licence: undefined, notes: { length: 2 } })
  })

  test('terms of their own and forbidden changes are said, of one model too', () => {
    expect(joined('gemma')).toMatchObject({
      licence: { id: 'gemma' },
      notes: ['gemma has terms of its own, which go with the model: read them'],
    })
    expect(joined('cc-by-nd-4.0').notes).toEqual(['cc-by-nd-4.0 does not allow changed versions to be shared'])
  })

  test('names have only the letters that the hub takes', () => {
    const { licence } = joined('openrail++', { id: 'other', name: 'Model Licence (v2)' })
    expect(licence?.name).toMatch(/^[a-z0-9.-]+$/)
  })
})

/** Filters by hand from `lm_eval/filters` of 0.4.13: extraction.py, selection.py, transformation.py. */
import { describe, expect, test } from 'vitest'
import type { Response } from '../../../../src/task/harness/filters/filter.ts'
import { filters, runPipeline } from '../../../../src/task/harness/filters/table.ts'
import { fault } from '#core'

type Responses = readonly (readonly Response[] | Response)[]

const none = (): never => {
  throw fault('internal', { place: 'test', what: 'no port is asked for' })
}
const piped = (
  responses: readonly (readonly string[])[],
  ...steps: { function: string; [option: string]: unknown }[]
) =>
  runPipeline(
    { name: 'own', steps: steps.map(({ function: named, ...options }) => ({ function: named, options })) },
    { responses, docs: responses.map(() => ({})), port: none, place: 'test' },
  )
const filtered = (name: string, options: Readonly<Record<string, unknown>>, responses: Responses, choices?: string[]) =>
  filters[name]?.make(options, 'test')(responses, choices === undefined ? [] : [{ choices }])

describe('a pattern', () => {
  test('of several groups gives the first that is not empty', () => {
    // re.findall gives [('', 'b'), ('a', '')]
    const pattern = { regex_pattern: '(a)|(b)' }
    expect(filtered('regex', pattern, [['b then a']])?.responses).toEqual([['b']])
    expect(filtered('regex', { ...pattern, group_select: 1 }, [['b then a']])?.responses).toEqual([['a']])
    expect(filtered('regex', { ...pattern, group_select: -1 }, [['b then a']])?.responses).toEqual([['a']])
  })

  test('gives what it finds without white space around it, and where there is nothing its fallback, counted', () => {
    const { responses, missed } = filtered('regex', { regex_pattern: 'is(.*)$' }, [['it is 7 ', 'no'], ['none']]) ?? {}
    expect([responses, missed]).toEqual([[['7', '[invalid]'], ['[invalid]']], 2])
    expect(filtered('regex', { regex_pattern: 'x', fallback: '-' }, [['']])?.responses).toEqual([['-']])
  })

  test('is the one of GSM8K where none is given', () => {
    expect(filtered('regex', {}, [['so #### -1,200.5 it is']])?.responses).toEqual([['-1,200.5']])
  })
})

describe('a choice', () => {
  const choices = ['Guilty', 'Guilty of Romance', 'Not (it)']
  const named = (response: string, options: Readonly<Record<string, unknown>> = {}) =>
    filtered('multi_choice_regex', { regex_pattern: '(\\([A-Z]\\))', ...options }, [[response]], choices)?.responses

  test('is found by the pattern, by its own words, by its letter after a colon', () => {
    expect(named('The answer is (B).')).toEqual([['(B)']])
    expect(named('It is Guilty, I think')).toEqual([['(A)']])
    expect(named('Answer: C')).toEqual([['(C)']])
    expect(named('nobody knows')).toEqual([['[invalid]']])
  })

  test('does not hide behind one that it begins with', () => {
    expect(named('It is Guilty of Romance')).toEqual([['(B)']])
  })

  test('is found as it is written, whatever its characters mean in a pattern', () => {
    expect(named('Not (it)')).toEqual([['(C)']])
    expect(named('guilty of romance')).toEqual([['[invalid]']])
    expect(named('guilty of romance!', { ignore_case: true })).toEqual([['(B)']])
    expect(named('Guil-ty o.f Romance', { ignore_punctuation: true })).toEqual([['(B)']])
    expect(named('Guilty xx of Romance', { regexes_to_ignore: [' xx'] })).toEqual([['(B)']])
  })
})

describe('a response as a whole', () => {
  test('by its entry in a table, or what the table says of others', () => {
    const options = { mapping_dict: { A: '1', B: '2' }, default_value: '0' }
    expect(filtered('map', options, [['A', 'C'], ['B']])).toEqual({ responses: [['1', '0'], ['2']], missed: 1 })
    expect(filtered('map', { mapping_dict: {} }, [['constructor']])?.responses).toEqual([[null]])
    expect(() => filtered('map', { mapping_dict: 'A' }, [['A']])).toThrow(
      expect.objectContaining({ code: 'usage.value' }),
    )
  })

  test('without white space around it, in small letters, in capitals', () => {
    expect(filtered('remove_whitespace', {}, [[' a b\n']])?.responses).toEqual([['a b']])
    expect(filtered('lowercase', {}, [['AbÉ']])?.responses).toEqual([['abé']])
    expect(filtered('uppercase', {}, [['abé']])?.responses).toEqual([['ABÉ']])
  })
})

describe('repeats', () => {
  test('the most frequent counts, the first of equally frequent ones', () => {
    expect(
      filtered('majority_vote', {}, [
        ['a', 'b', 'b'],
        ['x', 'y'],
        ['p', 'q', 'q', 'p'],
      ])?.responses,
    ).toEqual([['b'], ['x'], ['p']])
  })

  test('the first, the first k', () => {
    expect(filtered('take_first', {}, [['a', 'b'], ['c']])?.responses).toEqual(['a', 'c'])
    expect(filtered('take_first_k', { k: 2 }, [['a', 'b', 'c']])?.responses).toEqual([['a', 'b']])
    expect(filtered('take_first_k', { k: 3 }, [['a', 'b', 'c']])?.responses).toEqual([['a', 'b', 'c']])
    expect(() => filtered('take_first_k', { k: 4 }, [['a', 'b', 'c']])).toThrow(
      expect.objectContaining({ code: 'usage.value' }),
    )
    for (const k of [0, 1.5, '2', undefined])
      expect(() => filtered('take_first_k', { k }, [['a']])).toThrow(expect.objectContaining({ code: 'usage.value' }))
  })
})

describe('a pipeline', () => {
  test('runs its steps in their order, and adds up what was missed', () => {
    const found = piped(
      [['A1 b2 b2', 'none']],
      { function: 'regex', regex_pattern: '([A-Za-z]\\d)', group_select: -1 },
      { function: 'uppercase' },
      { function: 'regex', regex_pattern: '(\\d)' },
      { function: 'take_first' },
    )
    expect(found).toEqual({ filtered: ['2'], missed: 2 })
  })

  test('refuses a filter that is none, and an option that a filter has not', () => {
    expect(() => piped([['a']], { function: 'regx' })).toThrow(expect.objectContaining({ code: 'usage.value' }))
    expect(() => piped([['a']], { function: 'custom' })).toThrow(expect.objectContaining({ code: 'task.unsupported' }))
    expect(() => piped([['a']], { function: 'regex', patern: 'a' })).toThrow(
      expect.objectContaining({ code: 'usage.value' }),
    )
  })
})

import { expect, test } from 'vitest'
import { toGeneration, writtenKwargs } from '../../../src/experiment/ask/generation-kwargs.ts'

const of = (kwargs: Readonly<Record<string, unknown>>): unknown => toGeneration(kwargs, 'toy')

// models/huggingface.py and utils.py of lm-evaluation-harness 0.4.13
test('the most tokens go by the first of their names', () => {
  expect(of({ max_gen_toks: 1, max_new_tokens: 2, max_tokens: 3, max_completion_tokens: 4 })).toMatchObject({
    maxTokens: 1,
  })
  expect(of({ max_completion_tokens: 4, max_tokens: 3, max_new_tokens: 2 })).toMatchObject({ maxTokens: 2 })
  expect(of({ max_completion_tokens: 4, max_tokens: 3 })).toMatchObject({ maxTokens: 3 })
  expect(of({})).toEqual({ until: [], temperature: 0 })
})

test('nothing is drawn without a temperature or a word, and with `do_sample: false` whatever it is', () => {
  expect(of({ temperature: 0.5 })).toMatchObject({ temperature: 0.5 })
  expect(of({ temperature: 0 })).toMatchObject({ temperature: 0 })
  expect(of({ do_sample: false, temperature: 0.5, top_k: 3 })).toEqual({ until: [], temperature: 0 })
  expect(of({ do_sample: true })).toMatchObject({ temperature: 1 })
  expect(of({ do_sample: true, temperature: 0.5, top_k: 3, top_p: 0.9 })).toMatchObject({
    temperature: 0.5,
    topK: 3,
    topP: 0.9,
  })
})

test('one stop string or several; beams and unknown words are refused, what changes nothing is not', () => {
  expect(of({ until: '.' })).toMatchObject({ until: ['.'] })
  expect(of({ until: ['.', '\n'], use_cache: true, num_beams: 1 })).toMatchObject({ until: ['.', '\n'] })
  expect(of({ until: null })).toMatchObject({ until: [] })
  expect(() => of({ num_beams: 2 })).toThrow(expect.objectContaining({ code: 'usage.value' }))
  expect(() => of({ temprature: 1 })).toThrow(expect.objectContaining({ code: 'usage.value' }))
})

test('word by word: whole floats of a file are numbers', () => {
  expect(writtenKwargs({ temperature: { kind: 'float', value: 1 }, until: ['.'] })).toEqual({
    kwargs: { temperature: 1, until: ['.'] },
    temperature: 1,
  })
  expect(writtenKwargs({ do_sample: false })).toEqual({ kwargs: { do_sample: false } })
})

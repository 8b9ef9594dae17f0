/** `generation_kwargs` of task files and of `--gen_kwargs`, in this program's terms. */
import { fault, type GenerateOptions, suggestion } from '#core'
import { isObject } from '#files/formats'

export type Generation = Pick<GenerateOptions, 'until' | 'maxTokens' | 'temperature' | 'topK' | 'topP'>

const known = [
  'until',
  'max_gen_toks',
  'max_new_tokens',
  'max_tokens',
  'max_completion_tokens',
  'do_sample',
  'temperature',
  'top_k',
  'top_p',
]
/** Keys that do not affect an answer. */
const ignored = ['use_cache', 'num_beams', 'num_return_sequences', 'return_full_text', 'pad_token_id']

/**
 * When several names for the maximum number of tokens are given, the first in the reference's order counts; without
 * `do_sample` the most probable token is taken. Throws `usage.value`.
 */
export function toGeneration(kwargs: Readonly<Record<string, unknown>>, place: string): Generation {
  const unknown = Object.keys(kwargs).find((key) => !known.includes(key) && !ignored.includes(key))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: `${place} › generation_kwargs`,
      what: 'not known here',
      seen: unknown,
      hint: suggestion(unknown, known),
    })
  if (numberOf(kwargs['num_beams']) !== undefined && numberOf(kwargs['num_beams']) !== 1)
    throw fault('usage.value', {
      place: `${place} › generation_kwargs`,
      what: 'beam search is not supported',
      seen: kwargs['num_beams'],
    })
  const until = kwargs['until']
  const temperature = numberOf(kwargs['temperature'])
  const sample = kwargs['do_sample'] === undefined ? (temperature ?? 0) > 0 : kwargs['do_sample'] === true
  const maxTokens = numberOf(
    kwargs['max_gen_toks'] ?? kwargs['max_new_tokens'] ?? kwargs['max_tokens'] ?? kwargs['max_completion_tokens'],
  )
  return {
    until: until === undefined || until === null ? [] : [until].flat().map(String),
    ...(maxTokens !== undefined && { maxTokens }),
    temperature: sample ? (temperature ?? 1) : 0,
    ...(sample && { topK: numberOf(kwargs['top_k']), topP: numberOf(kwargs['top_p']) }),
  }
}

const counts = ['max_gen_toks', 'max_new_tokens', 'max_tokens', 'max_completion_tokens']

/**
 * Throws `usage.value` for values that mean nothing to any model: an empty stop text, which the reference takes for the
 * end of every answer, a number of tokens below 1, a temperature that is no number from 0 on.
 */
export function checkKwargs(kwargs: Readonly<Record<string, unknown>>, place: string, takesKwargs = false): void {
  // servers take -1 for all tokens
  const leastTopK = takesKwargs ? -1 : 0
  const refuse = (name: string, what: string, wanted: string, hint?: string): never => {
    const seen = kwargs[name]
    throw fault('usage.value', {
      place: `${place} › generation_kwargs › ${name}`,
      what,
      seen: typeof seen === 'number' ? String(seen) : seen,
      wanted,
      hint,
    })
  }
  if ([kwargs['until']].flat().includes(''))
    refuse(
      'until',
      'an empty text ends every answer',
      'texts that are not empty',
      'for answers of full length: until: []',
    )
  for (const name of counts) {
    const value = kwargs[name] ?? undefined
    const tokens = numberOf(value)
    if (value !== undefined && (tokens === undefined || !Number.isSafeInteger(tokens) || tokens < 1))
      refuse(name, 'not a number of tokens', 'a whole number, 1 or greater')
  }
  const range = (name: string, fits: (value: number) => boolean, wanted: string): void => {
    const value = kwargs[name] ?? undefined
    if (value !== undefined && !fits(numberOf(value) ?? NaN)) refuse(name, 'not a value that it can have', wanted)
  }
  range('temperature', (value) => value >= 0 && value < Infinity, 'a number, 0 or greater (0: the most probable token)')
  range('top_p', (value) => value > 0 && value <= 1, 'a number above 0, at most 1')
  range(
    'top_k',
    (value) => Number.isSafeInteger(value) && value >= leastTopK,
    `a whole number, ${leastTopK} or greater`,
  )
}

/** Unchanged, for a model that uses them directly; whole floats of a task file as in JSON. */
export function writtenKwargs(kwargs: Readonly<Record<string, unknown>>): {
  kwargs: Record<string, unknown>
  temperature?: number
} {
  const plain = Object.fromEntries(
    Object.entries(kwargs).map(([name, value]) => [name, isObject(value) ? (numberOf(value) ?? value) : value]),
  )
  const { temperature } = plain
  return { kwargs: plain, ...(typeof temperature === 'number' && { temperature }) }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isObject(value) && typeof value['value'] === 'number' ? value['value'] : undefined
}

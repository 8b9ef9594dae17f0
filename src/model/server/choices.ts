/** The parts of an answer, one a prompt. */
import { fault } from '#core'
import { fieldOf, isObject } from '#files/formats'

/**
 * In the order of the prompts: choices come as they like, and say their place. Throws `server.answer` where one is
 * missing.
 */
export function choicesOf(answer: unknown, count: number, place: string): Readonly<Record<string, unknown>>[] {
  const listed = isObject(answer) ? fieldOf(answer, 'choices') : undefined
  const choices = Array.isArray(listed) ? listed.filter(isObject) : []
  const found = Array.from({ length: count }, (_, index) => choices.find((choice) => choice['index'] === index))
  if (choices.length === count && found.every((choice) => choice !== undefined)) return found
  throw fault('server.answer', {
    place,
    what: 'the answer must have one choice per prompt',
    seen: Array.isArray(listed) ? choices.map((choice) => choice['index']) : listed,
    wanted: `${count}, by index`,
    hint: count > 1 ? 'if the server takes no batches, set batch_size=1' : undefined,
  })
}

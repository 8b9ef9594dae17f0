/** Texts out of an answer. */
import { fault, type Generation } from '#core'
import { fieldOf, isObject } from '#files/formats'
import { choicesOf } from './choices.ts'

export interface ReadText {
  readonly text: string
  readonly end: Generation['end']
}

/** A text that is null is empty, as in the reference: its tokens went into thoughts. Throws `server.answer`. */
export function readTexts(
  answer: unknown,
  count: number,
  { chat, place }: { readonly chat: boolean; readonly place: string },
): ReadText[] {
  return choicesOf(answer, count, place).map((choice) => {
    const message = chat ? choice['message'] : choice
    const text: unknown = isObject(message) ? fieldOf(message, chat ? 'content' : 'text') : undefined
    if (typeof text !== 'string' && text !== null)
      throw fault('server.answer', { place, what: 'a choice without a text', seen: Object.keys(choice) })
    return { text: text ?? '', end: choice['finish_reason'] === 'length' ? 'length' : 'stop' }
  })
}

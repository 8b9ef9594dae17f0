/** Texts out of an answer. */
import { fault, type Generation } from '#core'
import { fieldOf, isObject } from '#files/formats'
import { choicesOf } from './choices.ts'

export interface ReadText {
  readonly text: string
  readonly end: Generation['end']
}

/**
 * A chat's text that is null is empty, as in the reference: its tokens went into thoughts. A completion has none, and
 * null says that the server withheld it. Throws `server.answer`.
 */
export function readTexts(
  answer: unknown,
  count: number,
  { chat, place }: { readonly chat: boolean; readonly place: string },
): ReadText[] {
  return choicesOf(answer, count, place).map((choice) => {
    const message = chat ? choice['message'] : choice
    const text: unknown = isObject(message) ? fieldOf(message, chat ? 'content' : 'text') : undefined
    if (text === null && !chat)
      throw fault('server.answer', {
        place,
        what: 'the text is null',
        seen: { finish_reason: choice['finish_reason'] },
        wanted: 'a text, if an empty one',
        hint: 'ask a chat model through local-chat-completions; a server that filters answers cannot be measured',
      })
    if (typeof text !== 'string' && text !== null)
      throw fault('server.answer', { place, what: 'a choice without a text', seen: Object.keys(choice) })
    return { text: text ?? '', end: choice['finish_reason'] === 'length' ? 'length' : 'stop' }
  })
}

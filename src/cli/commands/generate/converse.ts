/** A dialogue: turns of user and model until the input ends. */
import type { ChatTurn } from '#core'
import { answer, type AnswerSettings } from './answer.ts'

/**
 * `ask` returns the next turn of the user, or undefined at the end; it is called again after a blank line. An answer
 * stopped by Ctrl-C stays in the dialogue as far as it came. Returns the whole dialogue. Throws `usage.value` when the
 * dialogue fills the model's window.
 */
export async function converse(
  begun: readonly ChatTurn[],
  how: AnswerSettings,
  ask: () => Promise<string | undefined>,
): Promise<ChatTurn[]> {
  const turns = [...begun]
  for (let line = await ask(); line !== undefined; line = await ask()) {
    if (line.trim() === '') continue
    turns.push({ role: 'user', content: line })
    const { text } = await answer(turns, how)
    turns.push({ role: 'assistant', content: text })
  }
  return turns
}

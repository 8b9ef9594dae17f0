/** A dialogue: turns asked and answered until nobody says any more. */
import type { ChatTurn } from '#core'
import { answer, type AskedHow } from './answer.ts'

/**
 * `ask` gives the next turn of the user, or undefined at the end; a line without a word is asked again. An answer that
 * Ctrl-C ended stays in the dialogue as far as it came.
 * Returns the whole of it. Throws `usage.value` when the dialogue fills the model's window.
 */
export async function converse(
  begun: readonly ChatTurn[],
  how: AskedHow,
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

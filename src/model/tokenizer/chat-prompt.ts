/** A chat as a prompt. */
import { type ChatTurn, fault } from '#core'
import type { Tokenizer } from './tokenizer.ts'

/** As transformers' `continue_final_message`: the chat up to the end of the last turn's text. */
export function chatPrompt(
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
  { continueLast, template }: { readonly continueLast: boolean; readonly template?: string | undefined },
): string {
  const messages = turns.map(({ role, content }) => ({ role, content }))
  const text = tokenizer.renderChat(messages, { addGenerationPrompt: !continueLast, template })
  const last = turns.at(-1)?.content ?? ''
  if (!continueLast || last === '') return text
  const kept = last.trim()
  const at = text.lastIndexOf(kept)
  if (at < 0)
    throw fault('chat.template', {
      place: tokenizer.name,
      what: 'the template does not show the answer that is to be continued',
      seen: last.slice(0, 80),
    })
  const whole = text.slice(at).startsWith(last) ? last : kept
  return text.slice(0, at + whole.length)
}

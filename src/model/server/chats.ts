/** A chat as one string on its way to a server: lm-evaluation-harness hashes and logs it as such (`JsonChatStr`). */
import { type ChatTurn, fault } from '#core'
import { parseJson } from '#files/formats'

/** As Python's `json.dumps(…, ensure_ascii=False)`. */
export function pythonTurns(turns: readonly ChatTurn[]): string {
  return `[${turns.map(({ role, content }) => `{"role": ${JSON.stringify(role)}, "content": ${JSON.stringify(content)}}`).join(', ')}]`
}

export function turnsOf(prompt: string): unknown {
  const turns = parseJson(prompt, 'chat')
  if (Array.isArray(turns)) return turns
  throw fault('internal', { place: 'chat', what: 'no list of turns', seen: prompt.slice(0, 80) })
}

/**
 * A prompt as turns: description, examples, question – joined into one text, or into a chat (task.py and utils.py of
 * lm-evaluation-harness 0.4.13).
 */
import type { ChatTurn } from '#core'
import { fault } from '#core'
import { isSpace } from '#platform/python'
import type { DocValue } from '../doc.ts'

/** A turn, and what follows it where turns become one text. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  readonly delimiter: string
}

const endsInSpace = (text: string): boolean => isSpace(text.slice(-1))
const beginsWithSpace = (text: string): boolean => isSpace(text.slice(0, 1))

/** Both texts, with the delimiter between them unless one side brings white space of its own. */
export function joinDelimited(before: string | undefined, after: string | undefined, delimiter: string): string {
  if (before === undefined || before === '') return after ?? ''
  if (after === undefined || after === '') return before
  return endsInSpace(before) || beginsWithSpace(after) ? before + after : before + delimiter + after
}

export interface QuestionTurns {
  readonly question: string
  readonly choices?: readonly string[] | undefined
  /** Absent for the row that is asked. */
  readonly answer?: DocValue | undefined
  readonly prefix: string | undefined
  readonly targetDelimiter: string
  readonly delimiter: string
  readonly place: string
}

/** The question, and its answer or the beginning of one. */
export function questionTurns({
  question,
  choices,
  answer,
  prefix,
  targetDelimiter,
  delimiter,
  place,
}: QuestionTurns): Turn[] {
  const answered = answer !== undefined && answer !== null && answer !== ''
  const hasPrefix = prefix !== undefined && prefix !== ''
  const delimited = hasPrefix ? question !== '' && !endsInSpace(question) && !beginsWithSpace(prefix) : answered
  const turns: Turn[] = [{ role: 'user', content: question, delimiter: delimited ? targetDelimiter : '' }]
  if (answered) {
    const text = answerText(answer, choices, place)
    turns.push({ role: 'assistant', content: joinDelimited(hasPrefix ? prefix : undefined, text, ' '), delimiter })
  } else if (hasPrefix) turns.push({ role: 'assistant', content: prefix, delimiter: '' })
  return turns
}

function answerText(answer: DocValue, choices: readonly string[] | undefined, place: string): string {
  const plain = Array.isArray(answer) ? (answer[0] as DocValue | undefined) : answer
  const byNumber = choices !== undefined && choices.length > 0 && typeof answer === 'number'
  const text = byNumber ? choices.at(answer) : plain
  if (typeof text === 'string') return text
  throw fault('task.value', { place, what: 'the answer of an example is not a text', seen: answer })
}

/** The turns as one text. */
export function asText(turns: readonly Turn[]): string {
  return turns.map(({ content, delimiter }) => content + delimiter).join('')
}

/** The turns as a chat; `multiturn: false` puts examples and question into one message of the user. */
export function asChat(turns: readonly Turn[], { multiturn }: { multiturn: boolean }): ChatTurn[] {
  if (multiturn) return turns.map(({ role, content }) => ({ role, content }))
  const [first] = turns
  const system = first?.role === 'system' ? [first] : []
  const rest = turns.slice(system.length)
  const last = rest.at(-1)
  const answer = last?.role === 'assistant' ? [last] : []
  const asked = rest.slice(0, rest.length - answer.length)
  const content = asked
    .map((turn, i) => (i === asked.length - 1 ? turn.content : turn.content + turn.delimiter))
    .join('')
  return [...system, { role: 'user' as const, content }, ...answer].map(({ role, content: said }) => ({
    role,
    content: said,
  }))
}

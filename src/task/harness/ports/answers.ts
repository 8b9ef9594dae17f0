/** Answers as what a function takes them for. */
import { fault } from '#core'
import type { Answer } from './port.ts'

export function textOf(answer: Answer | undefined): string {
  if (typeof answer === 'string') return answer
  if (Array.isArray(answer) && typeof answer[0] === 'string') return answer[0]
  throw fault('task.value', { place: 'answer', what: 'no text', seen: answer })
}

/** In nats. */
export function logLikelihoodOf(answer: Answer | undefined): number {
  if (typeof answer === 'number') return answer
  if (Array.isArray(answer) && typeof answer[0] === 'number') return answer[0]
  throw fault('task.value', { place: 'answer', what: 'no log-likelihood', seen: answer })
}

/** A place in LaTeX that is being read, and steps over it. What does not fit is undefined, and the reader goes back. */
import type { Expression } from './expression.ts'
import { type Dialect, latexTokens, type Token } from './latex-tokens.ts'

export interface Reading {
  readonly tokens: Token[]
  readonly dialect: Dialect
  /** Whether its symbols are real. */
  readonly real: boolean
  at: number
  /** A letter was looked at that no rule takes, or too much was tried: nothing fits any more. */
  broken: boolean
  steps: number
}

/** The reference gives up after some seconds; this many looks take well below one. */
const mostSteps = 300_000

export function readingOf(text: string, dialect: Dialect, real: boolean): Reading {
  return { tokens: latexTokens(text, dialect), dialect, real, at: 0, broken: false, steps: 0 }
}

const nothing: Token = { kind: 'end', text: '' }

export function look(reading: Reading, ahead = 0): Token {
  const token = reading.tokens[reading.at + ahead] ?? nothing
  if (++reading.steps > mostSteps || (ahead === 0 && token.kind === 'broken')) reading.broken = true
  return reading.broken ? nothing : token
}

/** Whether the next piece is one of these signs, or commands by their names with a backslash before. */
export function sees(reading: Reading, ...texts: readonly string[]): boolean {
  const { kind, text } = look(reading)
  if (kind === 'command') return texts.includes(`\\${text}`)
  return kind !== 'end' && texts.includes(text)
}

/** Steps over it where it stands there. */
export function takes(reading: Reading, ...texts: readonly string[]): boolean {
  if (!sees(reading, ...texts)) return false
  reading.at++
  return true
}

/** Back to where it began where the part does not fit. */
export function attempt<Part>(reading: Reading, part: () => Part | undefined): Part | undefined {
  const start = reading.at
  const read = part()
  if (read === undefined || reading.broken) reading.at = start
  return reading.broken ? undefined : read
}

/** The first of several that fits. */
export function firstOf<Part>(reading: Reading, parts: readonly (() => Part | undefined)[]): Part | undefined {
  for (const part of parts) {
    const read = attempt(reading, part)
    if (read !== undefined) return read
  }
  return undefined
}

/** Between two signs. */
export function within<Part>(
  reading: Reading,
  open: string,
  close: string,
  part: () => Part | undefined,
): Part | undefined {
  return attempt(reading, () => {
    if (!takes(reading, open)) return undefined
    const read = part()
    return read !== undefined && takes(reading, close) ? read : undefined
  })
}

/** Pieces between two places as one text, for names made of them. */
export function textBetween(reading: Reading, from: number, to: number): string {
  return reading.tokens
    .slice(from, to)
    .map(({ kind, text }) => (kind === 'command' ? `\\${text}` : text))
    .join('')
}

/** How expressions are read, for rules that stand inside one another. */
export interface Rules {
  readonly expression: () => Expression | undefined
  /** A product that no function stands in but at its beginning: what a function without parentheses is of. */
  readonly argument: () => Expression | undefined
  readonly term: () => Expression | undefined
  readonly atom: () => Expression | undefined
}

/**
 * What a template may cost, and what it finds where there is nothing. Templates come from strangers and can loop,
 * double strings and nest lists; every step, every character and every entry that is copied is paid for.
 */
import type { Dialect } from './dialect.ts'
import { isKind, isList, TemplateError, type Undefined, undefinedValue, type Value } from './values.ts'

export interface Budget {
  /** Pays for `steps`; throws when nothing is left. */
  spend(steps: number): void
  /** Pays for reading or writing `count` characters. */
  characters(count: number): void
  /** Pays for a new string and returns it. */
  text(value: string): string
  /** Pays for a value's characters or entries – whoever makes or copies it – and returns it. */
  made<Made extends Value>(value: Made): Made
  /** The undefined value; `what` says why. */
  missing(what: string): Undefined
  readonly dialect: Dialect
}

/** Half a second or so of evaluation, whatever the template does. */
const leastSteps = 2_000_000
const charactersPerStep = 8
/** What the caller brings may be long: each character may be copied a few dozen times. */
const stepsPerInputCharacter = 4

/** `inputCharacters`: size of messages, tools and documents. */
export function newBudget(inputCharacters: number, dialect: Dialect = 'chat'): Budget {
  let left = leastSteps + inputCharacters * stepsPerInputCharacter
  const spend = (steps: number): void => {
    left -= steps
    // Said so that NaN, which a template can make, has no credit.
    if (!(left >= 0)) throw new TemplateError('the template takes too many steps, or makes too much text')
  }
  const characters = (count: number): void => spend(count / charactersPerStep)
  return {
    spend,
    characters,
    text(value) {
      characters(value.length)
      return value
    },
    made(value) {
      if (typeof value === 'string') characters(value.length)
      else if (isList(value)) spend(value.items.length)
      else if (isKind(value, 'dict', 'namespace')) spend(value.entries.size)
      return value
    },
    missing: (what) => undefinedValue(what, dialect === 'rows'),
    dialect,
  }
}

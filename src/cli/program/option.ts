/** A flag as commander parses it. */
import { InvalidArgumentError, Option } from 'commander'
import { Fault, suggestion } from '#core'
import type { Flag } from '../spec/flag.ts'
import { takesPath } from '../spec/path-notation.ts'
import { localPath } from './local-path.ts'

/** Throws, through commander, for a word that is not among the choices, and for a text that `parse` refuses. */
export function optionFor({ flags: notation, help, choices, fallback, repeated, joined = false, parse }: Flag): Option {
  const option = new Option(notation, help)
  if (choices !== undefined) option.choices(choices)
  if (fallback !== undefined) option.default(fallback, String(fallback))
  if (repeated === true)
    option.argParser((text: string, before: string[] | undefined) => [
      ...(before ?? []),
      takesPath(notation) ? pathIn(notation)(text) : text,
    ])
  else if (!option.isBoolean() && !option.negate) {
    const read = parse ?? (takesPath(notation) ? pathIn(notation) : undefined)
    const choose = choices === undefined ? undefined : (text: string): string => choiceIn(choices, text)
    option.argParser(reading(read ?? choose ?? ((text: string) => text), joined))
  }
  return option
}

/** The last value counts, so that a line can be changed at its end; `joined`: the lists of all flags are one. */
function reading(read: (text: string) => unknown, joined: boolean): (text: string) => unknown {
  let before: string | undefined
  return (text) => {
    before = before === undefined || !joined ? text : `${before},${text}`
    try {
      return read(before)
    } catch (error) {
      const hint = error instanceof Fault && error.hint !== undefined ? ` – ${error.hint}` : ''
      throw new InvalidArgumentError(error instanceof Error ? `${error.message}${hint}` : String(error))
    }
  }
}

function pathIn(notation: string): (text: string) => string {
  return (text) => localPath(text, new Option(notation).long ?? notation)
}

function choiceIn(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text
  const near = suggestion(text, choices)
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${near === undefined ? '' : ` ${near}`}`)
}

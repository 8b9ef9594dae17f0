/** A flag as commander parses it. */
import { InvalidArgumentError, Option } from 'commander'
import { fault, Fault, suggestion } from '#core'
import type { Flag } from '../spec/flag.ts'
import { localPath, takesPath } from './local-path.ts'

/** Throws, through commander, for a word that is not among the choices, and for a text that `parse` refuses. */
export function optionFor({ flags: notation, help, choices, fallback, repeated, parse }: Flag): Option {
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
    option.argParser(onceOnly(read ?? choose ?? ((text: string) => text)))
  }
  return option
}

/** Lists that are given in several flags are one list; another value that is given twice is refused. */
function onceOnly(read: (text: string) => unknown): (text: string) => unknown {
  let before: string | undefined
  return (text) => {
    try {
      const value = read(text)
      if (before === undefined || before === text) {
        before = text
        return value
      }
      if (!Array.isArray(value)) throw fault('usage.value', { place: JSON.stringify(before), what: 'was given before' })
      before = `${before},${text}`
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

/** A flag as commander parses it. */
import { InvalidArgumentError, Option } from 'commander'
import { suggestion } from '#core'
import type { Flag } from '../spec/flag.ts'
import { localPath, takesPath } from './local-path.ts'

/** Throws, through commander, for a word that is not among the choices, and for a text that `parse` refuses. */
export function optionFor({ flags: notation, help, choices, fallback, repeated, parse }: Flag): Option {
  const option = new Option(notation, help)
  if (choices !== undefined) option.choices(choices).argParser((text: string) => choiceIn(choices, text))
  if (fallback !== undefined) option.default(fallback, String(fallback))
  if (repeated === true)
    option.argParser((text: string, before: string[] | undefined) => [
      ...(before ?? []),
      takesPath(notation) ? pathIn(notation)(text) : text,
    ])
  const read = parse ?? (repeated !== true && takesPath(notation) ? pathIn(notation) : undefined)
  if (read !== undefined)
    option.argParser((text: string) => {
      try {
        return read(text)
      } catch (error) {
        throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
      }
    })
  return option
}

function pathIn(notation: string): (text: string) => string {
  return (text) => localPath(text, new Option(notation).long ?? notation)
}

function choiceIn(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text
  const near = suggestion(text, choices)
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${near === undefined ? '' : ` ${near}`}`)
}

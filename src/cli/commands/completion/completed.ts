/** A command line's words as a shell completes them, from the table of commands. */
import type { Command } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { takesPath } from '../../spec/path-notation.ts'

/** The value that comes after a flag: one of some words, a path, or a text that no shell can know. */
export type CompletedValue = { readonly words: readonly string[] } | 'path' | 'text'

export interface CompletedFlag {
  /** `--results`. */
  readonly long: string
  /** `-n`, where it has one. */
  readonly short?: string
  readonly help: string
  /** None of a switch. */
  readonly value?: CompletedValue
  readonly repeated: boolean
}

export interface CompletedCommand {
  /** Its name and other names. */
  readonly names: readonly string[]
  readonly summary: string
  readonly flags: readonly CompletedFlag[]
}

/** Every command with its flags under today's names. */
export async function completedCommands(commands: readonly Command[]): Promise<readonly CompletedCommand[]> {
  return Promise.all(
    commands.map(async ({ words: { name, aliases = [], summary }, loadFlags }) => ({
      names: [name, ...aliases],
      summary,
      flags: [...(await loadFlags()).map(completedFlag), help],
    })),
  )
}

const help: CompletedFlag = { long: '--help', short: '-h', help: 'display help for command', repeated: false }

function completedFlag({ flags: notation, help, choices, repeated = false, joined = false }: Flag): CompletedFlag {
  const [long = '', short] = notation
    .split(/[ ,]+/)
    .filter((part) => part.startsWith('-'))
    .sort((a, b) => b.length - a.length)
  const value = /[<[]/.test(notation) ? completedValue(notation, choices) : undefined
  return {
    long,
    help,
    repeated: repeated || joined,
    ...(short === undefined ? {} : { short }),
    ...(value === undefined ? {} : { value }),
  }
}

function completedValue(notation: string, choices: readonly string[] | undefined): CompletedValue {
  if (choices !== undefined) return { words: choices }
  return takesPath(notation) ? 'path' : 'text'
}

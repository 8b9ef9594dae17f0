/** What a command is: a name, its arguments and flags, and a module that is loaded only when the command runs. */
import type { OnProgress } from '#core'
import type { FlagName } from './flags.ts'

export type FlagValues = { readonly [Name in FlagName]?: unknown }

/** What a command may do to the outside; tests give their own. */
export interface Terminal {
  /** One line of output (results). */
  print(line: string): void
  /** One line for a person (notices); not part of the output. */
  note(line: string): void
  readonly signal: AbortSignal
  readonly progress: OnProgress
}

export interface CommandRun {
  (args: readonly string[], flags: FlagValues, terminal: Terminal): Promise<number>
}

export interface CommandSpec {
  readonly summary: string
  /** commander's notation: `<model>`, `[files...]`. */
  readonly args: readonly (readonly [name: string, help: string])[]
  readonly flags: readonly FlagName[]
  readonly examples: readonly string[]
  readonly load: () => Promise<{ run: CommandRun }>
}

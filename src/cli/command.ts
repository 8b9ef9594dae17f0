/** What a command is: a summary, its arguments and flags. */
import type { OnProgress } from '#core'
import type { FlagName } from './flags.ts'

/** What a command may do to the outside; tests give their own. */
export interface Terminal {
  /** One line of output (results). */
  print(line: string): void
  /** A piece of output, as it comes: a line begins and ends where the text says so. */
  write(text: string): void
  /** One line for a person (notices); not part of the output. */
  note(line: string): void
  readonly signal: AbortSignal
  /** Work of which Ctrl-C ends no more than itself, through the signal that it is given. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  readonly progress: OnProgress
}

export interface CommandSpec {
  readonly summary: string
  /** commander's notation: `<model>`, `[files...]`. */
  readonly args: readonly (readonly [name: string, help: string])[]
  readonly flags: readonly FlagName[]
  readonly examples: readonly string[]
}

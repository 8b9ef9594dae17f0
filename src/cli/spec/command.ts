/** What a command is: its words, arguments and flags, and what runs it. */
import type { OnProgress } from '#core'
import type { FlagValues } from './flag-values.ts'
import type { Flag } from './flag.ts'

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

/** The headings of the help, in its order. */
export const groups = {
  look: 'Look at models, tasks and layers',
  combine: 'Combine models and layers',
  measure: 'Measure',
  search: 'Search and experiments',
  compare: 'Compare results',
  make: 'Make vectors, models and texts',
  move: 'Move files',
} as const

export type Group = keyof typeof groups

export interface CommandSpec {
  readonly name: string
  /** Other names that it answers to. */
  readonly aliases?: readonly string[]
  readonly group: Group
  readonly summary: string
  /** commander's notation: `<model>`, `[files...]`. */
  readonly args: readonly (readonly [name: string, help: string])[]
  readonly flags: readonly Flag[]
  readonly examples: readonly string[]
}

/** The values of the flags that a command lists. */
export type FlagsOf<Spec extends CommandSpec> = FlagValues<Spec['flags'][number]>

/** What the module of a command exports as `run`. Returns the exit code. */
export type CommandRun<Spec extends CommandSpec> = (
  args: readonly string[],
  flags: FlagsOf<Spec>,
  terminal: Terminal,
) => Promise<number>

/** A command of whatever flags, as the parser starts it. */
export interface Command {
  readonly spec: CommandSpec
  /** Takes the values of the flags that `spec` lists, as they were parsed. */
  readonly run: (
    args: readonly string[],
    flags: Readonly<Record<string, unknown>>,
    terminal: Terminal,
  ) => Promise<number>
}

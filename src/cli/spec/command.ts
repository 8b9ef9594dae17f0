/** A command: its help, its flags and its run. */
import type { OnProgress } from '#core'
import type { Flag } from './flag.ts'

/** A command's access to the outside; tests use their own. */
export interface Terminal {
  /** One line of output (results). */
  print(line: string): void
  /** A piece of output, as it is generated: lines begin and end where the text does. */
  write(text: string): void
  /** One line for a person (notices); not part of the output. */
  note(line: string): void
  readonly signal: AbortSignal
  /** Runs work that Ctrl-C stops through the given signal, without stopping the program. */
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
  serve: 'Serve',
  keep: 'Keep and move files',
} as const

export type Group = keyof typeof groups

/** The help of a command, and its examples. */
export interface CommandWords {
  readonly name: string
  /** Other names of the command. */
  readonly aliases?: readonly string[]
  readonly group: Group
  readonly summary: string
  /** commander's notation: `<model>`, `[files...]`. */
  readonly args: readonly (readonly [name: string, help: string])[]
  readonly examples: readonly string[]
  /** The part of its work that outlasts a stop; by default, all that is finished. */
  readonly keeps?: 'nothing'
}

/** The `run` export of a command's module. Returns the exit code. */
export type CommandRun<Flags> = (args: readonly string[], flags: Flags, terminal: Terminal) => Promise<number>

/**
 * A command with any flags. Flags and run are loaded when they are needed: the help of the program shows only words.
 */
export interface Command {
  readonly words: CommandWords
  readonly loadFlags: () => Promise<readonly Flag[]>
  /** Takes the values of those flags, as they were parsed. */
  readonly run: CommandRun<Readonly<Record<string, unknown>>>
}

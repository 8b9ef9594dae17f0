/** What a command is: its words, its flags and its run. */
import type { OnProgress } from '#core'
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

/** What the help of the program shows of a command, and its examples. */
export interface CommandWords {
  readonly name: string
  /** Other names that it answers to. */
  readonly aliases?: readonly string[]
  readonly group: Group
  readonly summary: string
  /** commander's notation: `<model>`, `[files...]`. */
  readonly args: readonly (readonly [name: string, help: string])[]
  readonly examples: readonly string[]
}

/** What the module of a command exports as `run`. Returns the exit code. */
export type CommandRun<Flags> = (args: readonly string[], flags: Flags, terminal: Terminal) => Promise<number>

/** A command of whatever flags. Flags and run are loaded when they are needed: the help of the program shows only words. */
export interface Command {
  readonly words: CommandWords
  readonly loadFlags: () => Promise<readonly Flag[]>
  /** Takes the values of those flags, as they were parsed. */
  readonly run: CommandRun<Readonly<Record<string, unknown>>>
}

/** What a line of flags is made of, and what it may name. */

export interface Places {
  /** A model of two states, another one, a language model, a static one. */
  readonly one: string
  readonly two: string
  readonly speaker: string
  /** A file of a task, of texts, of recipes, of an experiment; folders of results, of scratch. */
  readonly task: string
  readonly texts: string
  readonly recipe: string
  readonly experiment: string
  readonly probes: string
  readonly harness: string
  readonly scores: string
  readonly ids: string
  readonly results: string
  /** Results by type and locale. */
  readonly locales: string
  readonly scratch: string
}

/** By command. */
export type Lines = Readonly<
  Record<
    string,
    {
      /** The command line without flags to try. */
      readonly at: readonly string[]
      /** Flags that are given something else, or another line: words after `+` are added to the line without the flag. */
      readonly flags?: Readonly<Record<string, readonly string[]>>
      /** Lines of their own, by flag. */
      readonly on?: Readonly<Record<string, readonly string[]>>
    }
  >
>

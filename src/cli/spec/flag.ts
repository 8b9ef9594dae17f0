/** A flag. */

export interface Flag {
  /** commander's notation: `--tasks <names>`, `--json`. */
  readonly flags: string
  readonly help: string
  /**
   * Former names, each with other flags that it stood for. They are accepted with a notice, and hidden from the help.
   */
  readonly formerly?: Readonly<Record<`--${string}`, readonly `--${string}`[]>>
  readonly choices?: readonly string[]
  readonly fallback?: string | number
  /** May be given several times; the value is a list. */
  readonly repeated?: boolean
  /** Comma-separated; given several times, the lists are one. */
  readonly joined?: boolean
  /** Text → value; a thrown fault stops the run with exit code 2. */
  readonly parse?: (text: string) => unknown
}

/**
 * Every word of a union, in the order of the help: checked by the compiler, so that no flag has to load the room that
 * owns the words.
 */
export function wordsOf<Word extends string>() {
  return <const List extends readonly Word[]>(list: List & ([Word] extends [List[number]] ? unknown : never)): List =>
    list
}

/**
 * What the commands of Snowball do to a word (https://snowballstem.org/compiler/snowman.html), as its runtime in C does:
 * a cursor moves through the text between two limits, forwards or backwards, and a slice of it is replaced.
 */

/** The word with its cursor, limits and slice, in UTF-16 units, and the variables of the program. */
export interface State {
  text: string
  cursor: number
  limit: number
  /** Limit of a cursor that moves backwards. */
  back: number
  /** The slice: from `bra` to `ket`. */
  bra: number
  ket: number
  readonly integers: Map<string, number>
  readonly booleans: Set<string>
  readonly strings: Map<string, string>
}

/** Whether the command succeeds. Whoever continues after one that fails sets the cursor. */
export type Command = (state: State) => boolean
export type Expression = (state: State) => number
export type Text = (state: State) => string

/** A string of an `among`: the routine that must succeed behind it, and the number of its action. */
export interface Choice {
  readonly condition: Command | undefined
  readonly action: number
}

export type Direction = 'forward' | 'backward'

/** A letter that needs two UTF-16 units, which Snowball counts as one. */
const wide = /[\u{10000}-\u{10ffff}]/gu
const privateUse = 0xe000

/** Word → the text that a command makes of it. */
export function onWords(command: Command): (word: string) => string {
  const narrow = (text: string): string => {
    const [integers, booleans, strings] = [new Map<string, number>(), new Set<string>(), new Map<string, string>()]
    const { length } = text
    const state = { text, cursor: 0, limit: length, back: 0, bra: 0, ket: length, integers, booleans, strings }
    command(state)
    return state.text
  }
  return (word) => {
    const letters = word.match(wide)
    if (letters === null) return narrow(word)
    let at = 0
    const stood = narrow(word.replaceAll(wide, () => String.fromCharCode(privateUse + at++)))
    return stood.replaceAll(/[\ue000-\uf8ff]/g, (letter) => letters[letter.charCodeAt(0) - privateUse] ?? '')
  }
}

export const succeed: Command = () => true

export function replace(state: State, [from, to]: readonly [number, number], by: string): void {
  const added = by.length - (to - from)
  state.text = state.text.slice(0, from) + by + state.text.slice(to)
  state.limit += added
  if (state.cursor >= to) state.cursor += added
  else if (state.cursor > from) state.cursor = from
}

export function replaceSlice(by: Text): Command {
  return (state) => {
    const text = by(state)
    replace(state, [state.bra, state.ket], text)
    state.ket = state.bra + text.length
    return true
  }
}

/** `insert` leaves the cursor behind the text, or before it while moving backwards; `attach` the other way round. */
export function insertText(text: Text, keepsCursor: boolean): Command {
  return (state) => {
    const { cursor } = state
    const own = text(state)
    replace(state, [cursor, cursor], own)
    if (cursor <= state.ket) {
      state.ket += own.length
      if (cursor <= state.bra) state.bra += own.length
    }
    if (keepsCursor) state.cursor = cursor
    return true
  }
}

/** Commands that depend on the direction of the cursor. */
export function movers(direction: Direction) {
  const isForward = direction === 'forward'
  /** A cursor is kept from the side on which the text does not change. */
  const save = (state: State): number => (isForward ? state.cursor : state.limit - state.cursor)
  const restore = (state: State, saved: number): void => {
    state.cursor = isForward ? saved : state.limit - saved
  }
  const room = ({ cursor, limit, back }: State): number => (isForward ? limit - cursor : cursor - back)
  const move = (state: State, by: number): boolean => {
    if (by < 0 || room(state) < by) return false
    state.cursor += isForward ? by : -by
    return true
  }
  const matches =
    (text: Text): Command =>
    (state) => {
      const own = text(state)
      if (room(state) < own.length) return false
      if (!state.text.startsWith(own, isForward ? state.cursor : state.cursor - own.length)) return false
      return move(state, own.length)
    }
  const inGrouping =
    (grouping: ReadonlySet<string>, isIn: boolean): Command =>
    (state) => {
      if (grouping.has(state.text[isForward ? state.cursor : state.cursor - 1] ?? '') !== isIn) return false
      return move(state, 1)
    }
  const goes =
    (command: Command, stays: boolean): Command =>
    (state) => {
      for (;;) {
        const saved = save(state)
        if (command(state)) {
          if (stays) restore(state, saved)
          return true
        }
        restore(state, saved)
        if (!move(state, 1)) return false
      }
    }
  const repeat =
    (command: Command): Command =>
    (state) => {
      for (;;) {
        const saved = save(state)
        if (command(state)) continue
        restore(state, saved)
        return true
      }
    }
  /** Puts the cursor back: after success or failure, or after one of them. `ends`: success of the command → of the whole. */
  const kept =
    (command: Command, restores: 'always' | 'success' | 'failure', ends: (done: boolean) => boolean): Command =>
    (state) => {
      const saved = save(state)
      const done = command(state)
      if (restores === 'always' || done === (restores === 'success')) restore(state, saved)
      return ends(done)
    }
  return { save, restore, move, room, matches, inGrouping, goes, repeat, kept, isForward }
}

export type Movers = ReturnType<typeof movers>

export function either(commands: readonly Command[], { save, restore }: Movers): Command {
  return (state) => {
    const saved = save(state)
    for (const command of commands) {
      if (command(state)) return true
      restore(state, saved)
    }
    return false
  }
}

export function allFrom(commands: readonly Command[], { save, restore }: Movers): Command {
  return (state) => {
    const saved = save(state)
    return commands.every((command, i) => {
      if (i > 0) restore(state, saved)
      return command(state)
    })
  }
}

export function inTurn(commands: readonly Command[]): Command {
  const [only] = commands
  if (commands.length === 1 && only !== undefined) return only
  return (state) => {
    for (const command of commands) if (!command(state)) return false
    return true
  }
}

/** `loop` and, with `more`, `atleast`. */
export function times(count: Expression, command: Command, more: Command): Command {
  return (state) => {
    for (let left = count(state); left > 0; left--) if (!command(state)) return false
    return more(state)
  }
}

/** `setlimit limit for command`. */
export function within(limit: Command, command: Command, { save, restore, isForward }: Movers): Command {
  return (state) => {
    const saved = save(state)
    if (!limit(state)) return false
    const { limit: end, back, cursor } = state
    if (isForward) {
      state.limit = cursor
      state.cursor = saved
    } else {
      restore(state, saved)
      state.back = cursor
    }
    const done = command(state)
    if (isForward) state.limit += end - cursor
    else state.back = back
    return done
  }
}

/** Runs a command from the end of the text to the cursor. */
export function backwards(command: Command): Command {
  return (state) => {
    state.back = state.cursor
    state.cursor = state.limit
    if (!command(state)) return false
    state.cursor = state.back
    return true
  }
}

/** The action of the longest string at the cursor whose condition is met, which the cursor passes; -1: there is none. */
export function longestChoice(choices: ReadonlyMap<string, Choice>, { room, isForward }: Movers): Expression {
  const lengths = [...new Set([...choices.keys()].map((own) => own.length))].sort((a, b) => b - a)
  return (state) => {
    const { cursor } = state
    const most = room(state)
    for (const length of lengths) {
      if (length > most) continue
      const end = isForward ? cursor + length : cursor - length
      const found = choices.get(isForward ? state.text.slice(cursor, end) : state.text.slice(end, cursor))
      if (found === undefined) continue
      state.cursor = end
      if (found.condition !== undefined && !found.condition(state)) continue
      // a condition may move the cursor, not change the text
      state.cursor = end
      return found.action
    }
    state.cursor = cursor
    return -1
  }
}

/**
 * Stemmers from their descriptions in Snowball (https://snowballstem.org/compiler/snowman.html): a program becomes a
 * chain of functions. Only the commands that the stemmers of version 3.1 need are known.
 */
import * as run from './snowball-commands.ts'
import type { Command, Direction, Expression, Movers, State, Text } from './snowball-commands.ts'
import { snowballTokens, type Token } from './snowball-tokens.ts'

type Kind = 'integers' | 'booleans' | 'externals' | 'groupings' | 'strings' | 'routines'

const kinds: ReadonlySet<string> = new Set<Kind>(
  'integers booleans externals groupings strings routines'.split(' ') as Kind[],
)

/**
 * The routine `stem` of a program, as a function of a word. Throws an `Error` for a program that is not in Snowball, or
 * uses what the stemmers of version 3.1 do not.
 */
export function snowballStemmer(source: string): (word: string) => string {
  return run.onWords(new Reader(source).read())
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

const assignments: Readonly<Record<string, (own: number, given: number) => number>> = {
  '=': (_, given) => given,
  '+=': (own, given) => own + given,
  '-=': (own, given) => own - given,
}

const numbers: Readonly<Record<string, Expression>> = {
  cursor: ({ cursor }) => cursor,
  limit: ({ limit }) => limit,
  len: ({ text }) => text.length,
}

/** Reads a program from its first token to its last. */
class Reader {
  private readonly tokens: readonly Token[]
  private at = 0
  private readonly names = new Map<string, Kind>()
  private readonly groupings = new Map<string, ReadonlySet<string>>()
  private readonly routines = new Map<string, Command>()
  private moves: Movers = run.movers('forward')
  /** Set by `substring` until the `among` that it looks ahead to. */
  private sought: { choose: Expression; found: number } | undefined

  constructor(source: string) {
    this.tokens = snowballTokens(source)
  }

  read(): Command {
    while (this.at < this.tokens.length) this.item()
    return this.routine('stem')
  }

  private peek(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '' }
  }

  private next(): Token {
    const token = this.peek()
    this.at++
    return token
  }

  private takes(text: string): boolean {
    const { kind, text: own } = this.peek()
    const isIt = kind !== 'string' && own === text
    if (isIt) this.at++
    return isIt
  }

  private need(text: string): void {
    if (!this.takes(text)) throw this.unknown(this.peek())
  }

  private unknown({ kind, text }: Token): Error {
    return new Error(`Snowball: ${kind} ${text} at token ${this.at} is not known here`)
  }

  private item(): void {
    const token = this.next()
    if (kinds.has(token.text)) {
      this.need('(')
      while (!this.takes(')')) this.names.set(this.next().text, token.text as Kind)
    } else if (token.text === 'backwardmode') {
      this.need('(')
      this.facing('backward', () => {
        while (!this.takes(')')) this.item()
      })
    } else if (token.text === 'define') this.definition(this.next().text)
    else throw this.unknown(token)
  }

  private facing<T>(direction: Direction, read: () => T): T {
    const { moves } = this
    this.moves = run.movers(direction)
    const result = read()
    this.moves = moves
    return result
  }

  private definition(name: string): void {
    if (this.takes('as')) {
      this.routines.set(name, this.command())
      return
    }
    const letters = new Set(this.letters())
    for (;;) {
      if (this.takes('+')) for (const letter of this.letters()) letters.add(letter)
      else if (this.takes('-')) for (const letter of this.letters()) letters.delete(letter)
      else break
    }
    this.groupings.set(name, letters)
  }

  private letters(): Iterable<string> {
    const token = this.next()
    return token.kind === 'string' ? token.text : this.grouping(token)
  }

  private grouping(token: Token): ReadonlySet<string> {
    const found = this.groupings.get(token.text)
    if (found === undefined) throw this.unknown(token)
    return found
  }

  /** A routine may be defined behind the place that calls it. */
  private routine(name: string): Command {
    let found: Command | undefined
    return (state) => {
      found ??= this.routines.get(name)
      if (found === undefined) throw new Error(`Snowball: no routine ${name}`)
      return found(state)
    }
  }

  private list(): Command {
    const commands: Command[] = []
    while (!this.takes(')')) {
      let command = this.command()
      for (;;) {
        const word = this.peek().text
        const joined = [command]
        if (this.takes('or')) joined.push(this.command())
        else if (this.takes('and')) joined.push(this.command())
        else break
        while (this.takes(word)) joined.push(this.command())
        command = (word === 'or' ? run.either : run.allFrom)(joined, this.moves)
      }
      commands.push(command)
    }
    return run.inTurn(commands)
  }

  private command(): Command {
    const token = this.next()
    if (token.kind === 'string') return this.moves.matches(() => token.text)
    return this.named(token) ?? this.wrapped(token.text) ?? this.plain(token)
  }

  private named({ kind, text }: Token): Command | undefined {
    const known = kind === 'word' ? this.names.get(text) : undefined
    switch (known) {
      case 'routines':
      case 'externals':
        return this.routine(text)
      case 'groupings':
        return this.moves.inGrouping(this.grouping({ kind, text }), true)
      case 'booleans':
        return ({ booleans }) => booleans.has(text)
      case 'strings':
        return this.moves.matches(({ strings }) => strings.get(text) ?? '')
      case 'integers':
      case undefined:
        return undefined
      default:
        return known satisfies never
    }
  }

  /** Commands around another one. */
  private wrapped(word: string): Command | undefined {
    const { moves } = this
    switch (word) {
      case 'do':
        return moves.kept(this.command(), 'always', () => true)
      case 'try':
        return moves.kept(this.command(), 'failure', () => true)
      case 'test':
        return moves.kept(this.command(), 'success', (done) => done)
      case 'not':
        return moves.kept(this.command(), 'failure', (done) => !done)
      case 'fail':
        return moves.kept(this.command(), 'always', () => false)
      case 'goto':
        return moves.goes(this.command(), true)
      case 'gopast':
        return moves.goes(this.command(), false)
      case 'repeat':
        return moves.repeat(this.command())
      case 'loop':
        return run.times(this.sum(), this.command(), run.succeed)
      case 'atleast': {
        const [count, command] = [this.sum(), this.command()]
        return run.times(count, command, moves.repeat(command))
      }
      case 'backwards':
        return run.backwards(this.facing('backward', () => this.command()))
      case 'setlimit': {
        const limit = this.command()
        this.need('for')
        return run.within(limit, this.command(), moves)
      }
      default:
        return undefined
    }
  }

  private plain(token: Token): Command {
    const { moves } = this
    switch (token.text) {
      case '(':
        return this.list()
      case '$':
        return this.arithmetic()
      case '[':
        return this.setter(moves.isForward ? 'bra' : 'ket')
      case ']':
        return this.setter(moves.isForward ? 'ket' : 'bra')
      case '<-':
        return run.replaceSlice(this.text())
      case 'delete':
        return run.replaceSlice(() => '')
      case 'insert':
        return run.insertText(this.text(), !moves.isForward)
      case 'attach':
        return run.insertText(this.text(), moves.isForward)
      case 'substring':
        return this.substring()
      case 'among':
        return this.among()
      case 'true':
        return run.succeed
      case 'false':
        return () => false
      case 'non':
        this.takes('-')
        return moves.inGrouping(this.grouping(this.next()), false)
      default:
        return this.marks(token)
    }
  }

  /** Commands on the cursor and on variables. */
  private marks(token: Token): Command {
    const { moves } = this
    switch (token.text) {
      case 'next':
        return (state) => moves.move(state, 1)
      case 'hop': {
        const by = this.sum()
        return (state) => moves.move(state, by(state))
      }
      case 'atlimit':
        return (state) => moves.room(state) <= 0
      case 'tolimit':
        return (state) => moves.move(state, moves.room(state))
      case 'tomark': {
        const mark = this.sum()
        return (state) => {
          if (moves.isForward ? state.cursor > mark(state) : state.cursor < mark(state)) return false
          state.cursor = mark(state)
          return true
        }
      }
      case 'atmark': {
        const mark = this.sum()
        return (state) => state.cursor === mark(state)
      }
      default:
        return this.variables(token)
    }
  }

  private variables(token: Token): Command {
    const name = this.next().text
    switch (token.text) {
      case 'setmark':
        return ({ integers, cursor }) => integers.set(name, cursor).has(name)
      case 'set':
        return ({ booleans }) => booleans.add(name).has(name)
      case 'unset':
        return ({ booleans }) => !booleans.delete(name) || !booleans.has(name)
      case '->':
        return ({ strings, text, bra, ket }) => strings.set(name, text.slice(bra, ket)).has(name)
      default:
        throw this.unknown(token)
    }
  }

  private setter(side: 'bra' | 'ket'): Command {
    return (state) => {
      state[side] = state.cursor
      return true
    }
  }

  private text(): Text {
    const { kind, text } = this.next()
    return kind === 'string' ? () => text : ({ strings }) => strings.get(text) ?? ''
  }

  /** `$name = 1`, `$name > 1` or `$(len > 1)`. */
  private arithmetic(): Command {
    const inBrackets = this.takes('(')
    const { text: name } = this.peek()
    const left = this.sum()
    const sign = this.next()
    const right = this.sum()
    if (inBrackets) this.need(')')
    const compare = comparisons[sign.text]
    if (compare !== undefined) return (state) => compare(left(state), right(state))
    const assign = assignments[sign.text]
    if (assign === undefined) throw this.unknown(sign)
    return (state) => state.integers.set(name, assign(left(state), right(state))).has(name)
  }

  private sum(): Expression {
    let left = this.term()
    for (;;) {
      const own = left
      if (this.takes('+')) {
        const right = this.term()
        left = (state) => own(state) + right(state)
      } else if (this.takes('-')) {
        const right = this.term()
        left = (state) => own(state) - right(state)
      } else return left
    }
  }

  private term(): Expression {
    const token = this.next()
    if (token.kind === 'number') return () => Number(token.text)
    if (token.text === 'sizeof' || token.text === 'lenof') {
      const text = this.text()
      return (state) => text(state).length
    }
    if (this.names.get(token.text) === 'integers') return ({ integers }) => integers.get(token.text) ?? 0
    const known = numbers[token.text]
    if (known === undefined) throw this.unknown(token)
    return known
  }

  private substring(): Command {
    const sought = { choose: (): number => -1, found: -1 } as { choose: Expression; found: number }
    this.sought = sought
    return (state) => {
      sought.found = sought.choose(state)
      return sought.found >= 0
    }
  }

  private among(): Command {
    const { sought } = this
    this.sought = undefined
    this.need('(')
    const choices = new Map<string, run.Choice>()
    const actions: Command[] = []
    while (!this.takes(')')) {
      const token = this.next()
      if (token.kind === 'string') {
        const condition = this.peek().kind === 'word' ? this.routine(this.next().text) : undefined
        choices.set(token.text, { condition, action: actions.length })
      } else if (token.text === '(') actions.push(this.list())
      else throw this.unknown(token)
    }
    const choose = run.longestChoice(choices, this.moves)
    const act = (action: number, state: State): boolean => (actions[action] ?? run.succeed)(state)
    if (sought !== undefined) {
      sought.choose = choose
      return (state) => act(sought.found, state)
    }
    return (state) => {
      const action = choose(state)
      return action >= 0 && act(action, state)
    }
  }
}

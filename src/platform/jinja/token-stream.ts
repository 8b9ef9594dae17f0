/** Tokens taken one by one. */
import type { Token, TokenType } from './lex.ts'
import { TemplateError } from './values.ts'

export interface TokenStream {
  peek: () => Token
  take: () => Token
  /** Whether the token after the next is this one. */
  follows: (type: TokenType, value: string) => boolean
  isName: (...names: string[]) => boolean
  isOperator: (...operators: string[]) => boolean
  skipName: (name: string) => boolean
  skipOperator: (operator: string) => boolean
  takeName: () => string
  takeOperator: (operator: string) => void
  /** Takes a token that must be of the type. */
  expect: (type: TokenType) => Token
  /** Nothing more of a tuple comes: a tag, a bracket or its list ends, or `in` follows. */
  endsTuple: () => boolean
  unexpected: () => TemplateError
  position: () => number
  /** Whether a name was taken since a position. */
  named: (name: string, since: number) => boolean
}

const end: Token = { type: 'end', value: '' }

export function streamOf(tokens: readonly Token[]): TokenStream {
  let at = 0
  const peek = (): Token => tokens[at] ?? end
  const take = (): Token => {
    const token = peek()
    at++
    return token
  }
  const unexpected = (): TemplateError => {
    const { type, value } = peek()
    return new TemplateError(
      type === 'end' ? 'unexpected end of template' : `unexpected ${value === '' ? type : `'${value}'`}`,
    )
  }
  const is = (type: TokenType, values: readonly string[]): boolean =>
    peek().type === type && values.includes(peek().value)
  const skip = (type: TokenType, value: string): boolean => {
    const found = is(type, [value])
    if (found) at++
    return found
  }
  const expect = (type: TokenType): Token => {
    if (peek().type !== type) throw unexpected()
    return take()
  }
  return {
    peek,
    take,
    expect,
    unexpected,
    position: () => at,
    named: (name, since) => tokens.slice(since, at).some((token) => token.type === 'name' && token.value === name),
    follows: (type, value) => tokens[at + 1]?.type === type && tokens[at + 1]?.value === value,
    isName: (...names) => is('name', names),
    isOperator: (...operators) => is('operator', operators),
    skipName: (name) => skip('name', name),
    skipOperator: (operator) => skip('operator', operator),
    takeName: () => expect('name').value,
    takeOperator: (operator) => {
      if (!skip('operator', operator)) throw unexpected()
    },
    endsTuple: () =>
      ['close print', 'close block', 'end'].includes(peek().type) || is('operator', [')', '=']) || is('name', ['in']),
  }
}

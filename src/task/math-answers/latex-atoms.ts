/** Numbers, names and functions of LaTeX, in SymPy's dialect and in that of latex2sympy2_extended. */
import { call, constant, type Expression, inverse, power, product, whole } from './expression.ts'
import { decimal, fraction, isInteger } from './fraction.ts'
import { attempt, firstOf, look, type Reading, type Rules, sees, takes, textBetween, within } from './reading.ts'
import { integral, limit, series } from './latex-calculus.ts'
import { accentName, namedSymbol, symbolCommands } from './symbol-names.ts'

type Read = Expression | undefined

export function atom(reading: Reading, rules: Rules): Read {
  return reading.dialect === 'sympy' ? sympyAtom(reading, rules) : extendedAtom(reading, rules)
}

const numberOf = (text: string): Expression => ({ kind: 'number', value: decimal(text), float: /[.E]/.test(text) })

/** Names that are not symbols in SymPy's grammar. */
const sympyReserved = new Set(
  ['left|', 'right|'].concat(
    'langle rangle lim to rightarrow Rightarrow longrightarrow Longrightarrow int sum prod exp log lg ln sin cos tan csc sec cot arcsin arccos arctan arccsc arcsec arccot sinh cosh tanh arsinh arcosh artanh lfloor rfloor lceil rceil sqrt overline times cdot div frac dfrac tfrac binom dbinom tbinom mathit neq leq le leqq leqslant geq ge geqq geqslant'.split(
      ' ',
    ),
  ),
)

function sympyAtom(reading: Reading, rules: Rules): Read {
  const { kind, text } = look(reading)
  if (kind === 'number') {
    reading.at++
    // a point that no digit follows fits nothing
    if (!text.includes('.') && sees(reading, '.')) reading.broken = true
    return numberOf(text)
  }
  if (kind === 'differential') {
    reading.at++
    return { kind: 'symbol', name: `d${text.slice(1).trim().replace('\\', '')}`, real: false }
  }
  if (sees(reading, '\\frac', '\\dfrac', '\\tfrac')) return digitFraction(reading, rules)
  if (takes(reading, '\\binom', '\\dbinom', '\\tbinom')) {
    const top = within(reading, '{', '}', rules.expression)
    const bottom = top && within(reading, '{', '}', rules.expression)
    return bottom && call('binomial', top, bottom)
  }
  if (takes(reading, '\\mathit'))
    return within(reading, '{', '}', () => {
      const start = reading.at
      while (look(reading).kind === 'letter') reading.at++
      return { kind: 'symbol', name: textBetween(reading, start, reading.at), real: false }
    })
  const name = sympyName(reading, rules)
  if (name === undefined) return undefined
  return name === 'infty' ? constant('infinity') : { kind: 'symbol', name, real: false }
}

/** A letter or a command with its subscript and its primes. */
function sympyName(reading: Reading, rules: Rules): string | undefined {
  const { kind, text } = look(reading)
  if (kind !== 'letter' && (kind !== 'command' || sympyReserved.has(text))) return undefined
  reading.at++
  const primes = (): string => {
    const own = look(reading).text
    if (!own.startsWith("'")) return ''
    reading.at++
    return own
  }
  const before = primes()
  // a lower mark that fits nothing is an error, not an end
  const below = sees(reading, '_') ? subscript(reading, rules) : ''
  if (below === undefined) return undefined
  return kind === 'command' && text === 'infty' ? text : `${text}${below}${before}${before === '' ? primes() : ''}`
}

function subscript(reading: Reading, rules: Rules): string | undefined {
  if (!takes(reading, '_')) return undefined
  const start = reading.at
  const read = firstOf(reading, [() => within(reading, '{', '}', rules.expression), () => atom(reading, rules)])
  if (read === undefined) {
    if (reading.dialect === 'sympy') reading.broken = true
    return undefined
  }
  const text = textBetween(reading, start, reading.at)
  return `_{${text.startsWith('{') ? text.slice(1, -1) : text}}`
}

/** `\frac12` takes two digits of a number; the remaining digits follow the fraction. */
function digitFraction(reading: Reading, rules: Rules): Read {
  reading.at++
  const part = (): Read => {
    const { kind, text } = look(reading)
    if (kind !== 'number') return within(reading, '{', '}', rules.expression)
    const left = text.slice(1)
    if (left === '') reading.at++
    else if (/^\d/.test(left)) reading.tokens[reading.at] = { kind: 'number', text: left }
    else return undefined
    return numberOf(text.slice(0, 1))
  }
  const kept = [...reading.tokens]
  const top = part()
  const bottom = top && part()
  if (bottom === undefined) reading.tokens.splice(0, reading.tokens.length, ...kept)
  return bottom && product(top, inverse(bottom))
}

function extendedAtom(reading: Reading, rules: Rules): Read {
  const { kind, text } = look(reading)
  // the parser that ANTLR 4.11 runs, which the harness asks for, stops at percentages and at a bare Γ
  if (kind === 'percent' || sees(reading, '\\Gamma', '\\gamma')) return undefined
  if (kind === 'number') {
    reading.at++
    attempt(reading, () => subscript(reading, rules))
    return numberOf(text.replace(/^0+(?=\d)/, ''))
  }
  if (kind === 'differential') {
    reading.at++
    return { kind: 'symbol', name: `d${text.slice(1).trim().replace('\\', '')}`, real: reading.real }
  }
  if (takes(reading, '\\infty')) return constant('infinity')
  if (takes(reading, 'E')) return { kind: 'symbol', name: 'e', real: reading.real }
  return symbolAtom(reading, rules)
}

/** A letter, a symbol's command or an accent, with subscript and superscript in either order. */
export function symbolAtom(reading: Reading, rules: Rules, raised = true): Read {
  const { kind, text } = look(reading)
  const isName =
    (kind === 'letter' && text !== 'e' && text !== 'E') ||
    (kind === 'command' && symbolCommands.has(text)) ||
    kind === 'accent'
  if (!isName) return undefined
  reading.at++
  if (text === 'I') return constant('i')
  const sup = (): Read => attempt(reading, () => superscript(reading, rules))
  const below = (): string => attempt(reading, () => subscript(reading, rules)) ?? ''
  const before = below()
  const exponent = raised ? sup() : undefined
  const name =
    (kind === 'accent' ? accentName(text) : text) + (before === '' && exponent !== undefined ? below() : before)
  const symbol = namedSymbol(name, reading.real)
  return exponent === undefined ? symbol : power(symbol, exponent)
}

function superscript(reading: Reading, rules: Rules): Read {
  if (!takes(reading, '^')) return undefined
  return firstOf(reading, [() => atom(reading, rules), () => within(reading, '{', '}', rules.expression)])
}

const plainFunctions =
  'exp log ln sin cos tan csc sec cot arcsin arccos arctan arccsc arcsec arccot sinh cosh tanh arsinh arcosh artanh'.split(
    ' ',
  )
const sympyFunctions = new Set([...plainFunctions, 'lg'])
const extendedFunctions = new Set([...plainFunctions, ...'arcsinh arccosh arctanh floor ceil det'.split(' ')])

/** A function and what it is of; in SymPy's dialect any name before a parenthesis is one. */
export function called(reading: Reading, rules: Rules): Read {
  const sympy = reading.dialect === 'sympy'
  const { kind, text } = look(reading)
  if (kind === 'command' && (sympy ? sympyFunctions : extendedFunctions).has(text))
    return knownFunction(reading, rules, text)
  if (takes(reading, '\\sqrt')) return rootOf(reading, rules)
  if (sees(reading, '\\sum', '\\prod')) return series(reading, rules, text)
  if (takes(reading, '\\int')) return integral(reading, rules)
  if (takes(reading, '\\lim')) return limit(reading, rules)
  if (sympy && takes(reading, '\\overline')) {
    const of = within(reading, '{', '}', rules.expression)
    return of && call('conjugate', of)
  }
  if (!sympy && takes(reading, 'e', '\\exponentialE')) {
    const exponent = attempt(reading, () => superscript(reading, rules))
    return exponent === undefined ? constant('e') : power(constant('e'), exponent)
  }
  if (!sympy && takes(reading, '\\max', '\\min'))
    return within(reading, '(', ')', () => ofList(text, argumentsOf(reading, rules)))
  return sympy ? sympyCall(reading, rules) : extendedCall(reading, rules)
}

function rootOf(reading: Reading, rules: Rules): Read {
  const root = sees(reading, '[') ? within(reading, '[', ']', rules.expression) : whole(2)
  const base = root && within(reading, '{', '}', rules.expression)
  if (base === undefined || root === undefined) return undefined
  const plain = root.kind === 'number' && isInteger(root.value) && root.value.top !== 0n
  return power(base, plain ? { kind: 'number', value: fraction(1n, root.value.top), float: false } : inverse(root))
}

function knownFunction(reading: Reading, rules: Rules, name: string): Read {
  reading.at++
  let base: Read
  let exponent: Read
  for (let i = 0; i < 2; i++) {
    base ??= attempt(reading, () =>
      takes(reading, '_')
        ? firstOf(reading, [() => atom(reading, rules), () => within(reading, '{', '}', rules.expression)])
        : undefined,
    )
    exponent ??= attempt(reading, () => superscript(reading, rules))
  }
  const argument = (): Read => firstOf(reading, [() => within(reading, '(', ')', rules.expression), rules.argument])
  let of = argument()
  if (of === undefined && base?.kind === 'number' && reading.dialect === 'sympy') {
    // `\log_23` is of base 2: digits below are taken only as far as one is left
    const last = reading.tokens[reading.at - 1]
    if (last?.kind !== 'number' || !/^\d\d+$/.test(last.text)) return undefined
    base = numberOf(last.text.slice(0, -1))
    of = numberOf(last.text.slice(-1))
  }
  if (of === undefined) return undefined
  const inverted =
    exponent?.kind === 'number' &&
    exponent.value.top === -1n &&
    isInteger(exponent.value) &&
    /^(?:sin|cos|tan|csc|sec|cot)h?$/.test(name)
  const plain = named(inverted ? `arc${name}` : name, of, base, reading.dialect)
  return exponent === undefined || inverted ? plain : power(plain, exponent)
}

function named(name: string, of: Expression, base: Read, dialect: Reading['dialect']): Expression {
  switch (name) {
    case 'exp':
      return power(constant('e'), of)
    case 'ln':
      return call('log', of, base ?? constant('e'))
    case 'log':
      return call('log', of, base ?? (dialect === 'sympy' ? constant('e') : whole(10)))
    case 'lg':
      return call('log', of, base ?? whole(10))
    case 'ceil':
      return call('ceiling', of)
    default:
      return call(name.replace(/^arc?(?=(?:sin|cos|tan|csc|sec|cot))/, 'a'), of)
  }
}

function argumentsOf(reading: Reading, rules: Rules): readonly Expression[] | undefined {
  const args: Expression[] = []
  do {
    const one = rules.expression()
    if (one === undefined) return undefined
    args.push(one)
  } while (takes(reading, ','))
  return args
}

const ofList = (name: string, args: readonly Expression[] | undefined): Read => args && call(name, ...args)

function sympyCall(reading: Reading, rules: Rules): Read {
  const name = sympyName(reading, rules)
  if (name === undefined || !sees(reading, '(')) return undefined
  return within(reading, '(', ')', () => ofList(`function ${name}`, argumentsOf(reading, rules)))
}

/** A call on one number or name, or on several arguments: `x(x+1)` is a product there. */
function extendedCall(reading: Reading, rules: Rules): Read {
  const start = reading.at
  const symbol = symbolAtom(reading, rules, false)
  const name = textBetween(reading, start, reading.at)
  if (symbol === undefined) return undefined
  const exponent = attempt(reading, () => superscript(reading, rules))
  const list = (): readonly Expression[] | undefined =>
    firstOf(reading, [
      () => {
        const one = atom(reading, rules)
        return one && !sees(reading, ',') && sees(reading, ')', ']') ? [one] : undefined
      },
      () => {
        const args = argumentsOf(reading, rules)
        return args !== undefined && args.length > 1 ? args : undefined
      },
    ])
  const of = firstOf(
    reading,
    [['(', ')'] as const, ['[', ']'] as const].map(
      ([open, close]) =>
        () =>
          within(reading, open, close, list),
    ),
  )
  if (of === undefined) return undefined
  const applied = call(`function ${name}`, ...of)
  return exponent === undefined ? applied : power(applied, exponent)
}

/**
 * Regular expressions of Python's `re` on JavaScript's engine: the syntax rewritten, the rules of findall and sub kept.
 */

/** A pattern that Python refuses, or that cannot be said here. */
export class PythonRegexError extends Error {}

export interface RegexFlags {
  readonly ignoreCase?: boolean | undefined
  readonly multiline?: boolean | undefined
  readonly dotAll?: boolean | undefined
}

export interface PythonRegex {
  /**
   * What each match is: all of it, its one group, or its groups; a group that took no part is the empty text
   * (`re.findall`).
   */
  findAll(text: string): (string | string[])[]
  /** Every match replaced; `\1`, `\g<name>` stand for groups (`re.sub`). `count` 0: all. */
  sub(replacement: string, text: string, count?: number): string
  /**
   * The first match anywhere, or at the beginning: its groups, the whole first (`re.search`, `re.match`,
   * `re.fullmatch`).
   */
  search(text: string): (string | undefined)[] | undefined
  match(text: string): (string | undefined)[] | undefined
  fullMatch(text: string): (string | undefined)[] | undefined
  /** `re.split`: groups are among the pieces. */
  split(text: string): (string | undefined)[]
}

/** Throws `PythonRegexError`. */
export function pythonRegex(pattern: string, flags: RegexFlags = {}): PythonRegex {
  const { source, set } = translate(pattern, flags)
  const make = (body: string, more: string): RegExp => {
    try {
      return new RegExp(body, set + more)
    } catch (error) {
      throw new PythonRegexError(error instanceof Error ? error.message : String(error))
    }
  }
  const global = make(source, 'g')
  // classes of Unicode take long to compile: the other forms are made when they are used
  const once = (body: string, more: string): ((text: string) => (string | undefined)[] | undefined) => {
    let regex: RegExp | undefined
    return (text) => {
      regex ??= make(body, more)
      regex.lastIndex = 0
      const found = regex.exec(text)
      return found === null ? undefined : [...found]
    }
  }
  return {
    findAll: (text) =>
      Array.from(text.matchAll(global), (found) => {
        const groups = found.slice(1).map((group) => group ?? '')
        if (groups.length === 0) return found[0]
        return groups.length === 1 ? (groups[0] ?? '') : groups
      }),
    sub(replacement, text, count = 0) {
      const template = replacementOf(replacement)
      let out = ''
      let from = 0
      let done = 0
      for (const found of text.matchAll(global)) {
        if (count > 0 && done >= count) break
        done++
        out += text.slice(from, found.index) + template(found)
        from = found.index + found[0].length
      }
      return out + text.slice(from)
    },
    search: once(source, ''),
    match: once(`(?:${source})`, 'y'),
    fullMatch: once(`(?:${source})(?![^])`, 'y'),
    split(text) {
      const pieces: (string | undefined)[] = []
      let from = 0
      for (const found of text.matchAll(global)) {
        pieces.push(text.slice(from, found.index), ...found.slice(1))
        from = found.index + found[0].length
      }
      return [...pieces, text.slice(from)]
    },
  }
}

const word = '\\p{L}\\p{N}_'
const white = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const classes: Readonly<Record<string, string>> = { d: '\\p{Nd}', w: word, s: white }

/** Syntax characters that JavaScript wants escaped. */
const escaped = (letter: string): string =>
  /[\^$\\.*+?()[\]{}|/-]/.test(letter) ? `\\${letter === '-' ? 'x2d' : letter}` : letter

function translate(pattern: string, flags: RegexFlags): { source: string; set: string } {
  const inline = /^\(\?([aiLmsux]+)\)/.exec(pattern)
  const set = inlineFlags(inline?.[1] ?? '', flags)
  const letters = Array.from(pattern)
  const out: string[] = []
  for (let at = inline?.[0].length ?? 0; at < letters.length;) {
    const { text, used } = piece(letters, at, set)
    out.push(text)
    at += used
  }
  return { source: out.join(''), set: `u${set.ignoreCase === true ? 'i' : ''}` }
}

/** `(?is)` at the beginning. */
function inlineFlags(text: string, flags: RegexFlags): RegexFlags {
  const unknown = Array.from(text).find((flag) => !'imsu'.includes(flag))
  if (unknown !== undefined) throw new PythonRegexError(`the flag ${unknown} is not known here`)
  return {
    ignoreCase: flags.ignoreCase === true || text.includes('i'),
    multiline: flags.multiline === true || text.includes('m'),
    dotAll: flags.dotAll === true || text.includes('s'),
  }
}

interface Piece {
  readonly text: string
  readonly used: number
}

function piece(letters: readonly string[], at: number, { multiline, dotAll }: RegexFlags): Piece {
  const letter = letters[at] ?? ''
  switch (letter) {
    case '\\':
      return escape(letters, at, false)
    case '[':
      return set(letters, at)
    case '(': {
      if (letters[at + 1] !== '?') return { text: letter, used: 1 }
      const [whole, text] = group(letters.slice(at).join(''))
      return { text, used: Array.from(whole).length }
    }
    case '$':
      return { text: multiline === true ? '(?=\\n|(?![^]))' : '(?=\\n?(?![^]))', used: 1 }
    case '^':
      return { text: multiline === true ? '(?<=\\n|(?<![^]))' : '(?<![^])', used: 1 }
    case '.':
      return { text: dotAll === true ? '[^]' : '[^\\n]', used: 1 }
    case '{':
      return repetition(letters.slice(at, at + 20).join(''))
    case '}':
    case ']':
    case '/':
      return { text: `\\${letter}`, used: 1 }
    default:
      return { text: letter, used: 1 }
  }
}

/** `{2,3}` and `{,3}`; braces that count nothing are themselves. */
function repetition(rest: string): Piece {
  const [whole = '', from = '', to = ''] = /^\{(\d*)(,?\d*)\}/.exec(rest) ?? []
  if (whole === '' || (from === '' && to.replace(',', '') === '')) return { text: '\\{', used: 1 }
  return { text: `{${from === '' ? '0' : from}${to}}`, used: whole.length }
}

/** Translation of an opening bracket with a question mark: the text it takes, and its replacement. */
function group(rest: string): [string, string] {
  for (const [form, into] of [
    [/^\(\?P<([A-Za-z_]\w*)>/, (name: string) => `(?<${name}>`],
    [/^\(\?P=([A-Za-z_]\w*)\)/, (name: string) => `\\k<${name}>`],
    [/^\(\?#[^)]*\)/, () => ''],
    [/^\(\?(?::|=|!|<=|<!)/, undefined],
  ] as const) {
    const found = form.exec(rest)
    if (found !== null) return [found[0], into === undefined ? found[0] : into(found[1] ?? '')]
  }
  throw new PythonRegexError(`a group that is not known here: ${rest.slice(0, 12)}`)
}

function escape(letters: readonly string[], at: number, inSet: boolean): Piece {
  const letter = letters[at + 1]
  if (letter === undefined) throw new PythonRegexError('bad escape (end of pattern)')
  const own = classes[letter.toLowerCase()]
  if (own !== undefined && /[dws]/i.test(letter)) {
    const negated = letter !== letter.toLowerCase()
    if (!inSet) return { text: `[${negated ? '^' : ''}${own}]`, used: 2 }
    if (negated) return { text: negatedInSet(letter), used: 2 }
    return { text: own, used: 2 }
  }
  if (!inSet) {
    const boundary = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`
    if (letter === 'b') return { text: boundary, used: 2 }
    if (letter === 'B') return { text: `(?!${boundary})`, used: 2 }
    if (letter === 'A') return { text: '(?<![^])', used: 2 }
    if (letter === 'Z') return { text: '(?![^])', used: 2 }
    const [digits] = /^[1-9]\d?/.exec(letters.slice(at + 1, at + 3).join('')) ?? []
    if (digits !== undefined) return { text: `(?:\\${digits})`, used: 1 + digits.length }
  } else if (letter === 'b') return { text: '\\x08', used: 2 }
  if (/[tnrfv]/.test(letter)) return { text: `\\${letter}`, used: 2 }
  if (letter === 'a') return { text: '\\x07', used: 2 }
  const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(0[0-7]{0,2}))/.exec(
    letters.slice(at + 1, at + 10).join(''),
  )
  if (code !== null) {
    const [whole, byte, unit, long, octal] = code
    const point = octal === undefined ? Number.parseInt(byte ?? unit ?? long ?? '0', 16) : Number.parseInt(octal, 8)
    return { text: `\\u{${point.toString(16)}}`, used: 1 + whole.length }
  }
  if (/[A-Za-z0-9]/.test(letter)) throw new PythonRegexError(`bad escape \\${letter}`)
  return { text: escaped(letter), used: 2 }
}

/** `\W` and the like inside of brackets, said without a class of its own. */
function negatedInSet(letter: string): string {
  const whole: Readonly<Record<string, string>> = {
    D: '\\P{Nd}',
    S: '\\x00-\\x08\\x0e-\\x1b\\x21-\\x84\\x86-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}',
  }
  const text = whole[letter]
  if (text === undefined) throw new PythonRegexError(`\\${letter} inside of brackets is not known here`)
  return text
}

function set(letters: readonly string[], start: number): Piece {
  let at = start + 1
  let text = '['
  if (letters[at] === '^') {
    text += '^'
    at++
  }
  for (let first = true; ; first = false) {
    const letter = letters[at]
    if (letter === undefined) throw new PythonRegexError('unterminated character set')
    if (letter === ']' && !first) break
    if (letter === '\\') {
      const { text: own, used } = escape(letters, at, true)
      text += own
      at += used
    } else {
      const range = letter === '-' && !first && letters[at + 1] !== ']' && letters[at + 1] !== undefined
      text += range ? '-' : escaped(letter)
      at++
    }
  }
  return { text: `${text}]`, used: at + 1 - start }
}

function replacementOf(replacement: string): (found: RegExpMatchArray) => string {
  return (found) =>
    replacement.replace(/\\(?:g<(\w+)>|([1-9]\d?)|([^]))/g, (whole, name?: string, digits?: string, one?: string) => {
      const key = name ?? digits
      if (key !== undefined) return (/^\d+$/.test(key) ? found[Number(key)] : found.groups?.[key]) ?? ''
      const short: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }
      if (/[A-Za-z]/.test(one ?? '') && short[one ?? ''] === undefined)
        throw new PythonRegexError(`bad escape ${whole}`)
      return short[one ?? ''] ?? whole
    })
}

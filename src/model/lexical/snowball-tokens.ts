/** Words, signs and strings of a program in Snowball (https://snowballstem.org/compiler/snowman.html). */

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'sign' | 'end'
  readonly text: string
}

const blank = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
/** A string may hold `{name}` of a stringdef, which may itself have a quote. */
const quoted = /'((?:\{[^}]*\}|[^'{])*)'/y
const pattern = /([a-z]\w*)|(\d+)|(->|<-|=>|[-+*/]=|[=!<>]=|[-+*/<>=$()[\]])/iy

/** Throws an `Error` with the place of a character that begins nothing. */
export function snowballTokens(source: string): Token[] {
  const named = new Map<string, string>()
  const tokens: Token[] = []
  let at = 0
  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found !== null) at += found[0].length
    return found ?? undefined
  }
  for (;;) {
    take(blank)
    if (at === source.length) return tokens
    const string = take(quoted)?.[1]
    if (string !== undefined) {
      tokens.push({ kind: 'string', text: unescaped(string, named) })
      continue
    }
    const definition = take(/stringdef\s+(\S+)\s+/y)?.[1]
    if (definition !== undefined) {
      named.set(definition, unescaped(take(quoted)?.[1] ?? '', named))
      continue
    }
    if (take(/stringescapes\s*\{\s*\}/y)) continue
    const found = take(pattern)
    if (found === undefined) throw new Error(`Snowball: nothing begins with ${source.slice(at, at + 10)}`)
    const [text, word, number] = found
    tokens.push({ kind: kindOf(word, number), text })
  }
}

function kindOf(word: string | undefined, number: string | undefined): Token['kind'] {
  if (word !== undefined) return 'word'
  return number === undefined ? 'sign' : 'number'
}

function unescaped(string: string, named: ReadonlyMap<string, string>): string {
  return string.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
    const known = named.get(name)
    if (known !== undefined) return known
    if (name === "'" || name === '{') return name
    if (/^U\+[0-9A-F]+$/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
    throw new Error(`Snowball: no string of the name ${name}`)
  })
}

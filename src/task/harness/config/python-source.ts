/**
 * Which function a Python file means by a name – read, never run: the statements it is made of, and a fingerprint of
 * their wording.
 */
import { fingerprint } from '#core'

/** A function as its file words it. */
export interface FunctionWording {
  /** Fingerprint of the statements that the function reaches in its file, without comments and blank lines. */
  readonly exact: string
  /** The same with literals left out: functions that differ in nothing else share it. */
  readonly shape: string
  /**
   * The literals, in the order of the file; the first is the function's name where the file makes functions while it
   * runs.
   */
  readonly constants: readonly (string | number)[]
}

/** The source of a module that a file imports by its dotted name; undefined for those of other packages. */
export type ImportedSource = (module: string) => string | undefined

/**
 * The wording of the function called `name`. Undefined when the file neither defines the name nor makes names while it
 * runs (`globals().update(…)`):
 * in the latter case all of the file is its wording. What it imports from files that `imported` knows belongs to it.
 */
export function functionWording(
  source: string,
  name: string,
  imported: ImportedSource = () => undefined,
): FunctionWording | undefined {
  const statements = topStatements(tokens(source))
  const reached = reachedFrom(statements, name)
  const made = statements.some(({ tokens: own }) =>
    own.some((token) => token.text === 'globals' || token.text === 'setattr'),
  )
  if (reached === undefined && !made) return undefined
  const all = withImports(reached ?? statements, imported, new Set())
  const literals = all.flatMap(({ kind, text }) =>
    kind === 'text' || kind === 'number' ? [literalValue(kind, text)] : [],
  )
  const masked = all.map(({ kind, text }) => (kind === 'text' || kind === 'number' ? '…' : text)).join(' ')
  return {
    exact: fingerprint(
      reached === undefined ? [name, ...all.map(({ text }) => text)] : all.map(({ text }) => text),
    ).slice(0, 16),
    // lists of constants may be of any length
    shape: fingerprint([masked.replace(/…(?:\s,?\s?…)+/g, '…')]).slice(0, 16),
    constants: reached === undefined ? [name, ...literals] : literals,
  }
}

/** Tokens of statements, and of those that they import, each module's names once. */
function withImports(statements: readonly Statement[], imported: ImportedSource, seen: Set<string>): Token[] {
  return statements.flatMap(({ tokens: own, names }) => {
    const at = own.findIndex(({ text }) => text === 'import')
    if (own[0]?.text !== 'from' || at < 0) return own
    const module = own
      .slice(1, at)
      .map(({ text }) => text)
      .join('')
    if (seen.has(`${module} ${names.join(' ')}`)) return own
    seen.add(`${module} ${names.join(' ')}`)
    const theirs = topStatements(tokens(imported(module) ?? ''))
    const wanted = new Set(names.flatMap((name) => reachedFrom(theirs, name) ?? []))
    // a name may be a module of its own
    const modules = names.flatMap((name) => topStatements(tokens(imported(`${module}.${name}`) ?? '')))
    return [
      ...own,
      ...withImports([...theirs.filter((statement) => wanted.has(statement)), ...modules], imported, seen),
    ]
  })
}

interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'mark' | 'line'
  readonly text: string
  /** At the first column, outside of brackets. */
  readonly top: boolean
}

interface Statement {
  readonly names: readonly string[]
  readonly tokens: readonly Token[]
}

const pieces =
  /(?<comment>#[^\n]*)|(?<text>(?:[rRbBuUfF]{0,2})(?:"""(?:\\[^]|(?!""")[^\\])*"""|'''(?:\\[^]|(?!''')[^\\])*'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'))|(?<number>(?<![\w.])(?:0[xX][0-9a-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?))|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<line>\n)|(?<gap>[^\S\n]+|\\\n)|(?<mark>[^])/gu

/** Indentation is kept where a line begins, as it carries meaning; a line's own end only outside of brackets. */
function tokens(source: string): Token[] {
  const found: Token[] = []
  let depth = 0
  let start = true
  for (const { 0: text, groups = {} } of source.matchAll(pieces)) {
    if (groups['comment'] !== undefined) continue
    if (groups['line'] !== undefined) {
      if (depth === 0) start = true
      continue
    }
    if (groups['gap'] !== undefined) {
      if (start && depth === 0 && !text.startsWith('\\'))
        found.push({ kind: 'line', text: text.replaceAll('\t', '    '), top: false })
      if (!text.startsWith('\\')) start = false
      continue
    }
    const kind = (['text', 'number', 'word'] as const).find((name) => groups[name] !== undefined) ?? 'mark'
    found.push({ kind, text, top: start && depth === 0 })
    start = false
    if (kind === 'mark' && '([{'.includes(text)) depth++
    if (kind === 'mark' && ')]}'.includes(text)) depth = Math.max(0, depth - 1)
  }
  // a line of nothing but white space leaves its indentation behind
  return found.filter((token, i) => token.kind !== 'line' || found[i + 1]?.kind !== 'line')
}

/** Statements at the first column, a decorator with what it decorates, branches of one `if` or `try` together. */
function topStatements(all: readonly Token[]): Statement[] {
  const groups: Token[][] = []
  let decorated = false
  for (const token of all) {
    const goesOn = ['else', 'elif', 'except', 'finally'].includes(token.text)
    const last = groups.at(-1)
    if (last !== undefined && (!token.top || decorated || goesOn)) last.push(token)
    else groups.push([token])
    if (token.top) decorated = token.text === '@'
  }
  return groups.map((own) => ({ tokens: own, names: namesOf(own) }))
}

/**
 * Names that a statement puts into the file's scope; in branches and loops, all names before an equals sign or after
 * `def`.
 */
function namesOf(own: readonly Token[]): string[] {
  const names: string[] = []
  const first = own[0]?.text
  if (first === 'import' || first === 'from') {
    const from = own.findIndex(({ text }) => text === 'import')
    return own.slice(from + 1).flatMap(({ kind, text }) => (kind === 'word' && text !== 'as' ? [text] : []))
  }
  let depth = 0
  own.forEach(({ kind, text, top }, i) => {
    const before = own[i - 1]?.text
    if (kind === 'mark' && '([{'.includes(text)) depth++
    if (kind === 'mark' && ')]}'.includes(text)) depth--
    // within brackets an equals sign gives a value to a parameter
    if (kind !== 'word' || depth > 0) return
    if (before === 'def' || before === 'class') names.push(text)
    else if (
      (top || before === ',') &&
      !['def', 'class', 'async', 'if', 'for', 'with', 'try', 'while', 'else', 'elif', 'except', 'finally'].includes(
        text,
      ) &&
      isAssigned(own, i)
    )
      names.push(text)
  })
  return names
}

function isAssigned(own: readonly Token[], at: number): boolean {
  const rest = own.slice(at + 1, at + 40)
  const equals = rest.findIndex(
    ({ text }, i) => text === '=' && rest[i + 1]?.text !== '=' && !'=!<>'.includes(rest[i - 1]?.text ?? ' '),
  )
  return (
    equals >= 0 &&
    rest.slice(0, equals).every(({ kind, text }) => kind === 'word' || [',', ':', '[', ']', '.', '|'].includes(text))
  )
}

function reachedFrom(statements: readonly Statement[], name: string): Statement[] | undefined {
  const defining = new Map<string, Statement[]>()
  for (const statement of statements)
    for (const own of statement.names) defining.set(own, [...(defining.get(own) ?? []), statement])
  const open = [...(defining.get(name) ?? [])]
  if (open.length === 0) return undefined
  const reached = new Set(open)
  for (let statement = open.pop(); statement !== undefined; statement = open.pop())
    for (const { kind, text } of statement.tokens)
      for (const next of kind === 'word' ? (defining.get(text) ?? []) : inner(text, defining))
        if (!reached.has(next)) {
          reached.add(next)
          open.push(next)
        }
  return statements.filter((statement) => reached.has(statement))
}

/** Names inside of formatted texts. */
function inner(text: string, defining: ReadonlyMap<string, Statement[]>): Statement[] {
  if (!/^[rRbB]?[fF]/.test(text)) return []
  return [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([, code = '']) =>
    [...code.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)].flatMap(([word]) => defining.get(word) ?? []),
  )
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

function literalValue(kind: 'text' | 'number', text: string): string | number {
  if (kind === 'number') return Number(text.replaceAll('_', ''))
  const [, prefix = '', quotes = ''] = /^([a-zA-Z]*)("""|'''|"|')/.exec(text) ?? []
  const body = text.slice(prefix.length + quotes.length, -quotes.length)
  if (/r/i.test(prefix)) return body
  return body.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([^]))/g,
    (whole, short?: string, long?: string, byte?: string, one?: string) => {
      const code = short ?? long ?? byte
      return code === undefined ? (escapes[one ?? ''] ?? whole) : String.fromCodePoint(Number.parseInt(code, 16))
    },
  )
}

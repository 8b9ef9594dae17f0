/**
 * YAML 1.2 (core schema, merge keys) from strangers, as plain values: bounded depth and aliases, no tags of its own,
 * errors with line and column.
 */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { Document, LineCounter, Node } from 'yaml'
import { fault, type Fault } from '#core'
import { MAX_YAML_DEPTH, MAX_YAML_ALIASES, MAX_YAML_LENGTH, MAX_YAML_PARTS } from './limits.ts'

/**
 * The one document of a YAML text. Anchors and aliases work, but may not form a cycle; a key may stand only once.
 * Faults: `format.yaml` with line and column, `format.limit`.
 */
export function parseYaml(text: string, place: string): unknown {
  const { document, lines } = composeYaml(text, place)
  const flaw = document.errors[0] ?? document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  if (flaw)
    throw fault('format.yaml', {
      place: at(place, lines, flaw.pos[0]),
      what: flaw.message.split(/ at line |\n/)[0] ?? flaw.code,
      cause: flaw,
    })
  checkScalars(document, place, lines)
  const value = plainValue(document, place)
  checkDepth(value, place)
  return value
}

/**
 * The documents of a YAML text, each with blank lines where the ones before it stood, so that lines and columns in
 * messages are the file's.
 * A line that begins with `---` ends a document wherever it stands (YAML 1.2, 9.1.2); empty documents are left out.
 */
export function yamlDocuments(text: string): string[] {
  const documents: string[][] = [[]]
  text.split('\n').forEach((line, number) => {
    if (/^---(\s|$)/.test(line)) documents.push(Array.from({ length: number }, () => ''))
    documents.at(-1)?.push(line)
  })
  return documents.map((lines) => lines.join('\n')).filter((document) => /^(?!\s*(#|---\s*(#|$)|%|$))/m.test(document))
}

/**
 * The YAML text of a plain value, one entry of a list a line, that readers of YAML 1.1 (PyYAML) and of 1.2 understand
 * alike: `no` and dates are quoted.
 */
export function yamlText(value: unknown): string {
  return yaml().stringify(value, { version: '1.1', indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false })
}

/**
 * Where the value at a path stands, `place:line:column` – of the nearest node around it if it is not there. `ofKey`
 * names the key itself.
 */
export function locateYaml(text: string, place: string, path: readonly PropertyKey[], ofKey = false): string {
  const { document, lines } = composeYaml(text, place)
  const { isAlias, isMap, isScalar, isSeq } = yaml()
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const [depth, key] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined
    const next = isSeq(node) ? node.items[Number(key)] : pair?.value
    if (next === undefined) break
    const target = pair && (next === null || (ofKey && depth === path.length - 1)) ? pair.key : next
    offset = (target as Node).range?.[0] ?? offset
    node = next
  }
  return at(place, lines, offset)
}

/**
 * Loaded when the first YAML is read: its 50 ms would be felt by every command, and `import()` would make all readers
 * asynchronous.
 */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml

/** Throws `format.limit`. */
export function checkLength(text: string, place: string): void {
  if (text.length > MAX_YAML_LENGTH)
    throw fault('format.limit', {
      place,
      what: 'YAML is too long',
      seen: text.length,
      wanted: `at most ${MAX_YAML_LENGTH} characters`,
    })
}

function composeYaml(text: string, place: string): { document: Document.Parsed; lines: LineCounter } {
  const { Composer, Lexer, LineCounter, Parser } = yaml()
  checkLength(text, place)
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const tokens = []
  let [parts, aliases] = [0, 0]
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    parts++
    if (lexeme.startsWith('*')) aliases++
    // The composer recurses: depth is judged while the parser still keeps a stack of its own.
    if (parser.stack.length > MAX_YAML_DEPTH + 2) throw tooDeep(at(place, lines, parser.offset))
    if (parts > MAX_YAML_PARTS || aliases > MAX_YAML_ALIASES) {
      const [what, wanted] =
        aliases > MAX_YAML_ALIASES ? ['too many aliases', MAX_YAML_ALIASES] : ['too many parts', MAX_YAML_PARTS]
      throw fault('format.limit', { place: at(place, lines, parser.offset), what, wanted: `at most ${wanted}` })
    }
  }
  tokens.push(...parser.end())
  const options = { version: '1.2', merge: true, resolveKnownTags: false, uniqueKeys: false } as const
  const [document, second] = [...new Composer(options).compose(tokens, true, text.length)]
  if (!document || second)
    throw fault('format.yaml', {
      place: second ? at(place, lines, second.range[0]) : place,
      what: 'not exactly one document',
    })
  return { document, lines }
}

/** Said of an integer that would change where it is read. */
export const inexact = 'an integer too large to be exact (in quotes it is a text)'

/** Whether a number says the integer as it is written. */
export function isExact(value: bigint): boolean {
  return BigInt(Number(value)) === value
}

/**
 * Keys must be plain and unique – the package's own test for that compares each key with all before it – and integers
 * exact.
 */
function checkScalars(document: Document.Parsed, place: string, lines: LineCounter): void {
  const { isScalar, visit } = yaml()
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (typeof value === 'number' && /^[+-]?\d{16,}$/.test(source) && !isExact(BigInt(source.replace('+', ''))))
        throw fault('format.yaml', { place: at(place, lines, range?.[0] ?? 0), what: inexact, seen: source })
    },
    Map(_, { items }) {
      const seen = new Set<string>()
      for (const { key } of items) {
        const where = at(place, lines, (key as Node).range?.[0] ?? 0)
        if (!isScalar(key)) throw fault('format.yaml', { place: where, what: 'a key must be a plain word or number' })
        const word = String(key.value)
        if (seen.has(word)) throw fault('format.yaml', { place: where, what: `key ${word} occurs twice` })
        seen.add(word)
      }
    },
  })
}

function plainValue(document: Document.Parsed, place: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_YAML_ALIASES })
  } catch (cause) {
    // The package throws ReferenceError for both.
    const unresolved = cause instanceof Error && cause.message.startsWith('Unresolved alias')
    if (unresolved) throw fault('format.yaml', { place, what: cause.message, cause })
    throw fault('format.limit', {
      place,
      what: 'aliases that repeat too much',
      wanted: `at most ${MAX_YAML_ALIASES}`,
      cause,
    })
  }
}

/** Aliases can nest values deeper than the text, even into themselves. */
export function checkDepth(root: unknown, place: string): void {
  const heights = new Map<object, number>()
  height(root, 0)

  function height(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) return 0
    if (depth > MAX_YAML_DEPTH) throw tooDeep(place)
    let known = heights.get(value)
    if (known === undefined) {
      known = 1 + Object.values(value).reduce<number>((most, item) => Math.max(most, height(item, depth + 1)), 0)
      heights.set(value, known)
    }
    if (depth + known > MAX_YAML_DEPTH + 1) throw tooDeep(place)
    return known
  }
}

function tooDeep(place: string): Fault {
  return fault('format.limit', { place, what: 'nested too deep', wanted: `at most ${MAX_YAML_DEPTH} levels` })
}

function at(place: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return `${place}:${line}:${col}`
}

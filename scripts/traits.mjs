// Traits of one or more trees of TypeScript, side by side, by the compiler's own parser: `node scripts/traits.mjs src [other/src …] [--json]`.
// A function is one that has a name: a declaration, a method, an accessor, or an arrow that a variable or a property holds; its lines go from its head to its last brace.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import ts from 'typescript'
import { commentRanges, filesBelow, sourceProse, whatAsNoun, wordCount } from './prose.mjs'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const folders = positionals.length > 0 ? positionals : ['src']
const missing = folders.filter((folder) => !existsSync(folder))
if (missing.length > 0) {
  console.error(`not a folder: ${missing.join(', ')}`)
  process.exit(2)
}
const found = Object.fromEntries(folders.map((folder) => [folder, traits(folder)]))
console.log(values.json ? JSON.stringify(found, null, 2) : table(found))

/** @typedef {ReturnType<typeof traits>} Traits */

function traits(/** @type {string} */ folder) {
  const paths = filesBelow(folder, /(?<!\.d)\.[cm]?tsx?$/)
  const files = paths.map((path) => measure(path))
  const sum = (/** @type {(file: ReturnType<typeof measure>) => number} */ of) =>
    files.reduce((total, file) => total + of(file), 0)
  const lines = sum((file) => file.lines)
  const functions = files.flatMap((file) => file.functions)
  const lengths = functions.map((one) => one.lines)
  const longest = functions.toSorted((a, b) => b.lines - a.lines)[0]
  const manyParameters = functions.filter((one) => one.parameters > 4).length
  const fileLengths = files.map((file) => file.lines)
  const longLines = sum((file) => file.longLines)
  const words = sum((file) => file.words)
  const nouns = sum((file) => file.nouns)
  const cycles = importCycles(resolve(folder), files)
  return {
    files: files.length,
    lines,
    fileLength: { median: quantile(fileLengths, 0.5), p90: quantile(fileLengths, 0.9) },
    functions: functions.length,
    functionLength: {
      median: quantile(lengths, 0.5),
      p90: quantile(lengths, 0.9),
      p99: quantile(lengths, 0.99),
      longest: longest?.lines ?? 0,
      name: longest === undefined ? '' : `${longest.name} (${longest.path.slice(folder.length + 1)})`,
    },
    moreThan4Parameters: manyParameters,
    over120Columns: longLines,
    nestedTernaries: sum((file) => file.nestedTernaries),
    casts: sum((file) => file.casts),
    any: sum((file) => file.any),
    commentLines: sum((file) => file.commentLines),
    codeLines: sum((file) => file.codeLines),
    importCycles: cycles.length,
    filesInCycles: cycles.flat().length,
    proseWords: words,
    whatAsNoun: nouns,
  }
}

function measure(/** @type {string} */ path) {
  const text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  /** @type {{ name: string, path: string, lines: number, parameters: number }[]} */
  const functions = []
  const counts = { nestedTernaries: 0, casts: 0, any: 0 }
  /** @type {string[]} */
  const imports = []
  const lineOf = (/** @type {number} */ offset) => source.getLineAndCharacterOfPosition(offset).line
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name = functionName(node)
    if (name !== undefined) {
      const { parameters } = /** @type {ts.FunctionLikeDeclaration} */ (node)
      functions.push({
        name,
        path,
        lines: lineOf(node.end) - lineOf(node.getStart(source)) + 1,
        parameters: parameters.length,
      })
    }
    if (ts.isConditionalExpression(node) && isBranchOfTernary(node)) counts.nestedTernaries++
    if ((ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) || ts.isTypeAssertionExpression(node))
      counts.casts++
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any++
    const from = importedPath(node)
    if (from !== undefined) imports.push(from)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const lines = text.replace(/\n$/, '').split('\n')
  const comments = commentRanges(source)
  const code = comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, '') + rest.slice(end),
    text,
  )
  const commentLines = new Set(
    comments.flatMap(({ start, end }) =>
      Array.from({ length: lineOf(end) - lineOf(start) + 1 }, (_, i) => lineOf(start) + i),
    ),
  )
  const pieces = sourceProse(text, path)
  return {
    path,
    imports,
    functions,
    ...counts,
    lines: lines.length,
    longLines: lines.filter((line) => line.length > 120).length,
    commentLines: commentLines.size,
    codeLines: code.split('\n').filter((line) => line.trim() !== '').length,
    words: wordCount(pieces),
    nouns: pieces.reduce((sum, piece) => sum + (piece.text.match(whatAsNoun)?.length ?? 0), 0),
  }
}

/** The name of a function with a body; undefined for anything else, and for a function that only an argument holds. */
function functionName(/** @type {ts.Node} */ node) {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return undefined
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const holder = ts.isArrowFunction(node) || ts.isFunctionExpression(node) ? node.parent : node
  const isNamed = holder === node || ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder)
  return isNamed ? (/** @type {ts.NamedDeclaration} */ (holder).name?.getText() ?? 'default') : undefined
}

/** A conditional that is a branch of another one; the condition of one is no branch. */
function isBranchOfTernary(/** @type {ts.Node} */ node) {
  let { parent: above, parent } = node
  let below = node
  for (; ts.isParenthesizedExpression(above); above = parent) {
    below = above
    parent = above.parent
  }
  return ts.isConditionalExpression(above) && above.condition !== below
}

/** What a line imports or exports from that is there when the program runs: types leave no cycle behind. */
function importedPath(/** @type {ts.Node} */ node) {
  const isTypeOnly =
    (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
    (ts.isExportDeclaration(node) && node.isTypeOnly)
  if (isTypeOnly || (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node))) return undefined
  return node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
    ? node.moduleSpecifier.text
    : undefined
}

/**
 * Groups of files that import each other, by relative paths and by the rooms' names.
 *
 * @param {string} root
 * @param {readonly { path: string, imports: string[] }[]} files
 */
function importCycles(root, files) {
  const known = new Set(files.map(({ path }) => resolve(path)))
  const target = (/** @type {string} */ from, /** @type {string} */ name) => {
    if (!/^[.#]/.test(name)) return undefined
    const place = name.startsWith('#') ? join(root, name.slice(1)) : resolve(dirname(from), name)
    const plain = place.replace(/\.[cm]?[jt]sx?$/, '')
    return [place, `${plain}.ts`, `${plain}.tsx`, `${plain}.mts`, join(place, 'index.ts')].find((path) =>
      known.has(path),
    )
  }
  const edges = new Map(
    files.map(({ path, imports }) => [resolve(path), imports.flatMap((name) => target(resolve(path), name) ?? [])]),
  )
  return connected(edges).filter((group) => group.length > 1)
}

/**
 * Strongly connected components: Tarjan 1972, with a stack of its own.
 *
 * @param {Map<string, string[]>} edges
 */
function connected(edges) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const stack = []
  /** @type {string[][]} */
  const groups = []
  for (const start of edges.keys()) {
    if (seen.has(start)) continue
    const path = [{ node: start, next: 0 }]
    while (path.length > 0) {
      const step = path[path.length - 1]
      if (step === undefined) break
      const { node } = step
      const state = seen.get(node) ?? { index: seen.size, low: seen.size, open: true }
      if (!seen.has(node)) {
        seen.set(node, state)
        stack.push(node)
      }
      const child = edges.get(node)?.[step.next++]
      if (child !== undefined) {
        const there = seen.get(child)
        if (there === undefined) path.push({ node: child, next: 0 })
        else if (there.open) state.low = Math.min(state.low, there.index)
        continue
      }
      path.pop()
      const above = path[path.length - 1]
      const parent = above === undefined ? undefined : seen.get(above.node)
      if (parent !== undefined) parent.low = Math.min(parent.low, state.low)
      if (state.low !== state.index) continue
      const group = stack.splice(stack.indexOf(node))
      for (const member of group) Object.assign(seen.get(member) ?? {}, { open: false })
      groups.push(group)
    }
  }
  return groups
}

/** The value that a share of all values does not reach. */
function quantile(/** @type {number[]} */ list, /** @type {number} */ share) {
  const ordered = list.toSorted((a, b) => a - b)
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? 0
}

/** @param {Record<string, Traits>} all */
function table(all) {
  const number = (/** @type {number} */ value) => value.toLocaleString('en')
  const share = (/** @type {number} */ part, /** @type {number} */ whole) =>
    `${number(part)} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
  /** @type {[string, (one: Traits) => string][]} */
  const rows = [
    ['files', (one) => number(one.files)],
    ['lines', (one) => number(one.lines)],
    ['file length, median / p90', ({ fileLength }) => `${fileLength.median} / ${fileLength.p90}`],
    [
      'function length, median / p90 / p99',
      ({ functionLength: { median, p90, p99 } }) => `${median} / ${p90} / ${p99}`,
    ],
    ['longest function', ({ functionLength: { longest, name } }) => `${longest}: ${name}`],
    ['functions with more than 4 parameters', (one) => share(one.moreThan4Parameters, one.functions)],
    ['lines over 120 characters', (one) => share(one.over120Columns, one.lines)],
    ['nested ternaries', (one) => number(one.nestedTernaries)],
    ['casts, `as const` not counted', (one) => number(one.casts)],
    ['`any`', (one) => number(one.any)],
    ['lines of comment per line of code', (one) => (one.commentLines / Math.max(1, one.codeLines)).toFixed(2)],
    ['import cycles (files in them)', (one) => `${one.importCycles} (${one.filesInCycles})`],
    [
      '"what is / was / lies …" as a noun, per 10,000 words of prose',
      (one) => ((1e4 * one.whatAsNoun) / Math.max(1, one.proseWords)).toFixed(1),
    ],
  ]
  const head = [`| trait | ${Object.keys(all).join(' | ')} |`, `|---|${'--:|'.repeat(Object.keys(all).length)}`]
  return [...head, ...rows.map(([title, cell]) => `| ${title} | ${Object.values(all).map(cell).join(' | ')} |`)].join(
    '\n',
  )
}

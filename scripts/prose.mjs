// Prose that a person reads, out of sources and pages: strings, comments, paragraphs, each with its place. Read by traits.mjs and english.mjs.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/**
 * A string, a paragraph of a comment or of a page. `text` is the source's, character by character, with everything that
 * is not prose blanked, so that an offset in it is one in the file.
 *
 * @typedef {{ kind: 'string' | 'comment' | 'page', start: number, text: string }} Piece
 */

/** Every file below a folder with one of these endings, sorted; installed, built and hidden ones left out. */
export function filesBelow(/** @type {string} */ folder, /** @type {RegExp} */ ending) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !/(^|\/)(node_modules|dist|\..*)\//.test(path))
    .toSorted()
    .map((path) => join(folder, path))
}

const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ')
/** Code between backticks counts as one word that no shape names. */
const withoutCode = (/** @type {string} */ text) => text.replace(/`[^`]+`/g, (code) => `X${blank(code.slice(1))}`)

/**
 * Strings and comments of a source. A string is prose when it holds a space and a word in lower case.
 *
 * @returns {Piece[]}
 */
export function sourceProse(/** @type {string} */ text, /** @type {string} */ path = 'source.ts') {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  /** @type {Piece[]} */
  const pieces = []
  /** @param {number} start @param {string} words */
  const add = (start, words) => {
    if (/ /.test(words.trim()) && /\b[a-z]{2,}/.test(words)) pieces.push({ kind: 'string', start, text: words })
  }
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      add(node.getStart() + 1, node.getText().slice(1, -1))
    else if (ts.isTemplateExpression(node)) {
      let words = node.head.getText().slice(1, -2)
      for (const { expression, literal } of node.templateSpans) {
        const end = literal.getStart()
        words += `X${blank(text.slice(expression.pos - 1, end + 1))}${literal.getText().slice(1, ts.isTemplateTail(literal) ? -1 : -2)}`
      }
      add(node.getStart() + 1, words)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...pieces, ...commentRanges(source).flatMap(({ start, end }) => commentProse(text, start, end))]
}

/** Where the comments of a source begin and end: what looks like one outside its literals. */
export function commentRanges(/** @type {ts.SourceFile} */ source) {
  let code = ''
  let end = 0
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isLiteralExpression(node)) {
      const start = node.getStart(source)
      code += source.text.slice(end, start) + '_'.repeat(node.end - start)
      end = node.end
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  code += source.text.slice(end)
  return [...code.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
}

/** @returns {Piece[]} */
function commentProse(/** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) {
  const words = text
    .slice(start, end)
    .replace(/^\/\*+|^\/\/+|^[ \t]*\*(?!\/)|\*+\/$/gm, blank)
    // examples and tags
    .replace(/```[\s\S]*?```/g, blank)
    .replace(/@\w+( \{[^\n]*\})?( [\w.[\]]+(?= -))?/g, blank)
  return /^\s*(oxlint|eslint|@ts|#)/.test(words) ? [] : paragraphs(withoutCode(words), start, 'comment')
}

/**
 * Paragraphs, headings, entries of lists and cells of tables of a page in Markdown; blocks of code and comments are
 * none.
 *
 * @returns {Piece[]}
 */
export function pageProse(/** @type {string} */ text) {
  const words = withoutCode(
    text
      .replace(/^ *```[\s\S]*?^ *```$/gm, blank)
      .replace(/<!--[\s\S]*?-->/g, blank)
      .replace(/!\[[^\]]*\]\([^)]*\)/g, blank),
  )
    .replace(/\]\([^)]*\)/g, blank)
    .replace(/^\|[-| :]+\|$/gm, blank)
    .replace(/[[*_]/g, ' ')
    // a cell is a paragraph: a form feed is a blank that no pattern for words crosses
    .replace(/^\|.*$/gm, (row) => row.replaceAll('|', '\f'))
  return paragraphs(words, 0, 'page')
}

/** @param {string} text @param {number} start @param {Piece['kind']} kind @returns {Piece[]} */
function paragraphs(text, start, kind) {
  const parts = text.matchAll(/(?:[^\n\f]|\n(?![ \t]*(?:\n|[-*] |\d+\. |#|\f|$)))+/g)
  return [...parts].flatMap((part) => {
    const lead = /^\s*(?:#+ |[-*] |\d+\. )?\s*/.exec(part[0])?.[0].length ?? 0
    const words = part[0].slice(lead).trimEnd()
    return words === '' ? [] : [{ kind, start: start + part.index + lead, text: words }]
  })
}

export function wordCount(/** @type {readonly Piece[]} */ pieces) {
  return pieces.reduce((sum, { text }) => sum + (text.match(/\b[A-Za-z][a-z]*(?:['’][a-z]+)?\b/g)?.length ?? 0), 0)
}

/** @param {string} text @param {number} offset */
export const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

/** "what is left", "what lies there": a noun made of a question. A sentence that ends in a question mark asks one. */
export const whatAsNoun = /\bwhat\s+(?:is|was|are|were|lies|lay|stands|stood)\b(?![^.;!?]*\?)/gi

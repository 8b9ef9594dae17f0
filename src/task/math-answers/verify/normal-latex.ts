/**
 * LaTeX of an answer made plain before it is read: boxes, units, accents of style, shorthand (latex2sympy2_extended
 * 1.11, `normalize_latex`).
 */
import { stripText } from '#core'
import { isSpace } from '#platform/python'
import { pythonInteger } from '../python-integer.ts'

/** `last`: only boxes that belong to the last one; `all`: every one. */
export function normalLatex(latex: string, boxes: 'all' | 'last'): string {
  let text = withoutStyle(fromBoxes(latex, boxes))
  text = withoutUnits(text)
  if (text.startsWith('.')) text = `0${text}`
  if (text === '0.5') text = '\\frac{1}{2}'
  return stripText(slashFraction(bracedFractions(bracedRoots(wellFormed(text)))))
}

const leftBracket =
  /\\m?left(\\\{|\{|\\\||\||\[|\(|\\rbracl|\\lgroup|\\lbrace|\\lbrack|\\vert|\\lvert|\\lceil|\\lfloor|\\langle|\\llcorner|\\ulcorner)/g
const rightBracket =
  /\\m?right(\\\}|\}|\\\||\||\]|\)|\\rbrack|\\rgroup|\\rbrace|\\vert|\\rvert|\\rceil|\\rfloor|\\rangle|\\lrcorner|\\urcorner)/g
const permutation = /\(([a-zA-Z0-9+\-*/\\ ]+?)\)_\{([a-zA-Z0-9+\-*/\\ ]+?)\}/g
const removed = /\\mathrm\{th\}|\\!\s*|\\text\s*\{\s*\}|\\\$|\$|(?<!\\)["']|\\displaystyle/g

/** At one place the first that fits; what it leaves is not looked at again. */
const replacements: readonly (readonly [string, string])[] = [
  ['\\\\math(?:rm|it|bf)', '\\text'],
  ['\\\\text(?:normal|bf|it|rm)', '\\text'],
  ['\\\\(?:d|t|c)frac', '\\frac'],
  ['\\s\\.', ' 0.'],
  ['\\{\\.', '{0.'],
  ['~=', '\\approx'],
  ['\\s*\\{\\s*,\\s*\\}', ','],
  ['(?<![a-zA-Z]),?\\s*(?:and|or)(?![a-zA-Z])', ','],
  [',?\\s*\\\\text\\{\\s*(?:and|or)\\s*\\}', ','],
  ['(?<!\\\\)\\\\\\s', ' '],
  ['infinity', '\\infty'],
  [',?\\\\ldots', ' '],
  ['\\s*\\bpercentage\\b', '\\%'],
  ['\\\\text\\{percentage\\}', '%'],
  ['\\s*\\bpercent\\b', '\\%'],
  ['\\\\text\\{percent\\}', '%'],
  ['\\s*\\bpct\\b', '\\%'],
  ['\\\\text\\{pct\\}', '%'],
  ['(?<!\\\\)inf(?!inity)', '\\infty'],
  [' sqrt', '\\sqrt'],
]
const replaced = new RegExp(replacements.map(([pattern]) => `(${pattern})`).join('|'), 'g')

function withoutStyle(latex: string): string {
  let text = latex.replaceAll('\\mathrm{T}', 'T').replaceAll('\\mathrm{d}', 'd').replaceAll('{\\rm d}', 'd')
  text = text
    .replaceAll('\\left[\\begin{matrix}', '\\begin{bmatrix}')
    .replaceAll('\\end{matrix}\\right]', '\\end{bmatrix}')
  text = text
    .replace(leftBracket, '$1')
    .replace(rightBracket, '$1')
    .replace(permutation, '\\frac{($1)!}{(($1)-($2))!}')
    .replace(removed, '')
  text = text.replace(
    replaced,
    (_, ...groups: unknown[]) =>
      replacements[groups.findIndex((group, i) => i < replacements.length && group !== undefined)]?.[1] ?? '',
  )
  text = text.replaceAll('\n', ' ').replaceAll('\t', ' ')
  return text.includes('matrix') ? text : text.replace(/\\\\(?=[a-zA-Z])/g, '\\')
}

/** As they stand there, the first two without a comma between them. */
const units =
  'integerpoint|feet|sue|digit|pound|meal|edge|student|children ticket|multiple|east|degree|mph|kmph|ft|m square| m east|sq m|deg|mile|q .|monkey|prime|ratio|profit of rs|rd|o|gm|p . m|lb|tile|per|dm|lt|gain|ab|way|west|a .|b .|c .|d .|e .|f .|g .|h .|t|h|no change|men|soldier|pie|bc|excess|st|inches|noon|cent|by|gal|kmh|c|acre|rise|a . m|th|π r 2|sq|mark|l|toy|coin|sq . m|gallon|° f|profit|minw|yr|women|am|pm|hr|cu cm|square|v â € ™|are|rupee|rounds|cubic|cc|mtr|s|ohm|number|kmph|day|hour|minute|min|second|man|woman|sec|cube|mt|sq inch|mp|∏ cm ³|hectare|more|sec|unit|cu . m|cm 2|rs .|rs|kg|g|month|km|m|cm|mm|apple|liter|loss|yard|pure|year|increase|decrease|d|less|Surface|litre|pi sq m|s .|metre|meter|inch'
const unitAtEnd = new RegExp(`([\\p{Nd}}\\s])\\s*(?:(?:${units})(?:s|es)?)\\s*$`, 'u')

const textAtEnd = /\\(?:text|mbox)\{[^\n]*?\}(?:\^\d|\{\^\d\})?\n?$/

function withoutUnits(latex: string): string {
  const kept = (shorter: string, text: string): string => (shorter === '' ? text : shorter)
  let text = kept(stripText(latex.replace(textAtEnd, '')), latex)
  for (let i = 0; i < 2; i++) text = kept(text.replace(unitAtEnd, '$1'), text)
  return text
}

function wellFormed(latex: string): string {
  return latex
    .replace(/\^\s?\(([^\n]*?)\)/g, '^{$1}')
    .replace(/sqrt\s?\(([^\n]*?)\)/g, '\\sqrt{$1}')
    .replace(/\\frac\s?(\d)\s?(\d+)/g, '\\frac{$1}{$2}')
    .replace(/\\log_\s?(\d)\s?(\d+)/g, '\\log_{$1}{$2}')
    .replace(/\\frac\s?\{([^\n]*?)\}\s?(\d)/g, '\\frac{$1}{$2}')
    .replace(/\\frac\s?(\d)\s?\{([^\n]*?)\}/g, '\\frac{$1}{$2}')
    .replace(/\\sqrt\s?(\d)/g, '\\sqrt{$1}')
    .replaceAll(' sqrt', '\\sqrt')
}

function bracedRoots(text: string): string {
  const [first = '', ...rest] = text.split('\\sqrt')
  return (
    first +
    rest
      .map((piece) => {
        const own = piece.trimStart()
        const [letter = ''] = own
        return `\\sqrt${own === '' || letter === '{' || letter === '[' ? own : `{${letter}}${own.slice(letter.length)}`}`
      })
      .join('')
  )
}

function bracedFractions(text: string): string {
  const [first = '', ...rest] = text.split('\\frac')
  let out = first
  for (const piece of rest) {
    const own = piece.trimStart()
    const [a = '', b, ...after] = Array.from(own)
    if (a === '{') out += `\\frac${own}`
    else if (b === undefined) return text
    else out += `\\frac{${a}}${b === '{' ? b : `{${b}}`}${after.join('')}`
  }
  return out
}

function slashFraction(text: string): string {
  const [a, b, more] = text.split('/')
  if (b === undefined || more !== undefined) return text
  const [top, bottom] = [pythonInteger(a ?? ''), pythonInteger(b)]
  return top !== undefined && bottom !== undefined && text === `${top}/${bottom}` ? `\\frac{${top}}{${bottom}}` : text
}

/** Contents of the boxes, from the last backwards, joined by commas; the text itself where there is none. */
function fromBoxes(text: string, mode: 'all' | 'last'): string {
  const found: string[] = []
  let end = text.length
  let nextBox: number | undefined
  for (let from = text.length; ;) {
    const [boxed, fbox] = [lastBefore(text, '\\boxed', from), lastBefore(text, '\\fbox', from)]
    const start = Math.max(boxed, fbox)
    if (start < 0) break
    let open = start + (boxed > fbox ? 6 : 5)
    while (open < end && isSpace(text[open] ?? '')) open++
    if (open >= end) break
    const close = text[open] === '{' ? closing(text, open, end) : undefined
    if (close === undefined) {
      // not closed: the last box is all that follows
      if (found.length === 0) found.push(text.slice(open))
      break
    }
    const content = stripText(text.slice(open + 1, close))
    if (
      mode === 'last' &&
      nextBox !== undefined &&
      !together(text.slice(close + 1, nextBox), content, found.at(-1) ?? '')
    )
      break
    if (found.at(-1) !== content) found.push(content)
    nextBox = start
    end = start
    from = start
  }
  return found.length === 0 ? text : found.toReversed().join(',')
}

/** `str.rfind` within the first letters: all of it before them. */
const lastBefore = (text: string, command: string, end: number): number => text.slice(0, end).lastIndexOf(command)

function closing(text: string, open: number, end: number): number | undefined {
  let depth = 1
  for (let at = open + 1; at < end; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return undefined
}

/** Whether the text between two boxes makes them one answer. */
function together(between: string, content: string, next: string): boolean {
  const length = Array.from(between).length
  return length < 10 || (next !== content && length < 70 && /\b(?:and|or)\b|,|;/.test(between))
}

/**
 * Answers compared as texts, their LaTeX brought to one spelling: Hendrycks et al. (2021), as lm-evaluation-harness
 * 0.4.13 has it.
 */
import { pythonInteger } from './python-integer.ts'

interface Spelling {
  /** Sides of a slash need not be integers. */
  readonly anySlash: boolean
  /** What becomes of the first text at last. */
  readonly settled: (text: string) => string
}

/** Texts that the spelling stops at are compared as they stand. */
export function sameSpelling(
  one: string,
  other: string,
  spelling: Spelling = { anySlash: false, settled: (text) => text },
): boolean {
  const [a, b] = [spelled(one, spelling), spelled(other, spelling)]
  return a === undefined || b === undefined ? one === other : spelling.settled(a) === b
}

/** Undefined where the original raises. */
function spelled(answer: string, { anySlash }: Spelling): string | undefined {
  let text = answer
    .replaceAll('\n', '')
    .replaceAll('\\!', '')
    .replaceAll('\\\\', '\\')
    .replaceAll('tfrac', 'frac')
    .replaceAll('dfrac', 'frac')
  for (const gone of ['\\left', '\\right', '^{\\circ}', '^\\circ', '\\$']) text = text.replaceAll(gone, '')
  const units = text.split('\\text{ ')
  if (units.length > 2) return undefined
  text = (units[0] ?? '').replaceAll('\\%', '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.')
  if (text === '') return text
  if (text.startsWith('.')) text = `0${text}`
  const sides = text.split('=')
  if (sides.length === 2 && Array.from(sides[0] ?? '').length <= 2) text = sides[1] ?? ''
  const rooted = bracedRoots(text)
  const fractions = rooted === undefined ? undefined : bracedFractions(rooted.replaceAll(' ', ''))
  if (fractions === undefined) return undefined
  const plain = fractions === '0.5' ? '\\frac{1}{2}' : fractions
  return slashFraction(plain) ?? (anySlash ? plain : undefined)
}

/** `\sqrt3` as `\sqrt{3}`; undefined for a root of nothing. */
function bracedRoots(text: string): string | undefined {
  const [first = '', ...rest] = text.split('\\sqrt')
  if (rest.includes('')) return undefined
  return first + rest.map((piece) => `\\sqrt${piece.startsWith('{') ? piece : braced(piece)}`).join('')
}

/** `\frac12` as `\frac{1}{2}`; a fraction of one letter only leaves the text as it was, one of none is undefined. */
function bracedFractions(text: string): string | undefined {
  const [first = '', ...rest] = text.split('\\frac')
  let out = first
  for (const piece of rest) {
    if (piece === '') return undefined
    if (piece.startsWith('{')) {
      out += `\\frac${piece}`
      continue
    }
    const [a = '', b, ...after] = Array.from(piece)
    if (b === undefined) return text
    out += `\\frac{${a}}${b === '{' ? b : `{${b}}`}${after.join('')}`
  }
  return out
}

function braced(text: string): string {
  const [first = ''] = text
  return `{${first}}${text.slice(first.length)}`
}

/** `a/b` of integers in their plainest spelling as a fraction; undefined where a side is no integer at all. */
function slashFraction(text: string): string | undefined {
  const sides = text.split('/')
  if (sides.length !== 2) return text
  const [a, b] = sides.map(pythonInteger)
  if (a === undefined || b === undefined) return undefined
  return text === `${a}/${b}` ? `\\frac{${a}}{${b}}` : text
}

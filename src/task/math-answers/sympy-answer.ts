/**
 * Answers as SymPy's `parse_latex` reads them, and whether their difference is nothing: the `is_equiv` of Minerva's
 * tasks.
 */
import type { Expression } from './expression.ts'
import { rulesOf } from './latex-grammar.ts'
import { look, readingOf, sees } from './reading.ts'
import { sameValue } from './same-value.ts'

/**
 * The longest expression that the text begins with; undefined where there is none, and for relations, which cannot be
 * subtracted.
 */
export function sympyExpression(text: string): Expression | undefined {
  const reading = readingOf(text.trim(), 'sympy', false)
  const read = rulesOf(reading).expression()
  const next = look(reading)
  const relates =
    next.text.includes('=') ||
    sees(reading, '<', '>', '\\neq', '\\leq', '\\le', '\\leqq', '\\leqslant', '\\geq', '\\ge', '\\geqq', '\\geqslant')
  return reading.broken || relates ? undefined : read
}

/**
 * Whether two LaTeX answers have the same value: both are read as SymPy's `parse_latex` reads them, and their
 * difference is zero. False for what cannot be read, and for relations.
 *
 * @example
 * ```ts
 * import { equivalent } from 'strata-lm/harness'
 *
 * console.log(equivalent(String.raw`\frac{1}{2}`, '0.5'), equivalent('x + x', '2x'), equivalent('3', '4'))
 * // → true true false
 * ```
 */
export function equivalent(one: string, other: string): boolean {
  const [a, b] = [sympyExpression(one), sympyExpression(other)]
  return a !== undefined && b !== undefined && sameValue(a, b)
}

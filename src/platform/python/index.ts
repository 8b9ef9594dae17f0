/**
 * python: text as Python reads it – literals, regular expressions, methods of its strings.
 *
 * In: texts. Out: plain values.
 * Never: running code, a file.
 */
export { boundedRegex, makeTimer, type RegexBudget } from './bounded-regex.ts'
export { type Literal, literalEval, PythonLiteralError, unescaped } from './literal.ts'
export { formatText } from './format-text.ts'
export { type PythonRegex, pythonRegex, PythonRegexError, type RegexFlags } from './regex.ts'
export { roundHalfEven } from './rounding.ts'
export { capitalize, codePoints, isSpace, punctuation, splitSpaces, splitWords } from './words.ts'

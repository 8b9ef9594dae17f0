/**
 * math-answers: whether two answers to a mathematical question are equal – LaTeX and plain text read, values compared.
 *
 * In: two texts. Out: yes or no, or the value of a text.
 * Never: a task, a prompt, running code.
 */
export { boxedIn, closedBox } from './boxed.ts'
export { invalidAnswer, normalAnswer, statedAnswer } from './final-answer.ts'
export { asciiDigits } from './python-integer.ts'
export { sameSpelling } from './strip-answer.ts'
export { equivalent } from './sympy-answer.ts'
export { statedIn } from './verify/parse-answers.ts'
export { isVerified } from './verify/same-answer.ts'

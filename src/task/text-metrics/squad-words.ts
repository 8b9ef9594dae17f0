/**
 * Answers as SQuAD's script compares them (Rajpurkar et al. 2016; transformers' squad_metrics): lower case, without
 * punctuation and articles.
 */
import { pythonRegex, punctuation, splitWords } from '#platform/python'
import { countsOf } from './corpus-metric.ts'

const articles = pythonRegex('\\b(a|an|the)\\b')

function normalWords(text: string): string[] {
  const plain = Array.from(text.toLowerCase())
    .filter((letter) => !punctuation.includes(letter))
    .join('')
  return splitWords(articles.sub(' ', plain))
}

/**
 * 1 where two answers say the same words, otherwise 0: case, punctuation and articles do not count, as in SQuAD.
 *
 * @example
 * ```ts
 * import { sameWords } from 'strata-lm/harness'
 *
 * console.log(sameWords('The Eiffel Tower', 'eiffel tower!')) // → 1
 * ```
 */
export function sameWords(gold: string, prediction: string): number {
  return Number(normalWords(gold).join(' ') === normalWords(prediction).join(' '))
}

/**
 * F1 of the words of two answers, in 0 … 1, as in SQuAD; two answers without any words agree.
 *
 * @example
 * ```ts
 * import { wordF1 } from 'strata-lm/harness'
 *
 * console.log(wordF1('in the city of Paris', 'Paris').toFixed(3)) // → 0.400
 * ```
 */
export function wordF1(gold: string, prediction: string): number {
  const [wanted, own] = [normalWords(gold), normalWords(prediction)]
  if (wanted.length === 0 || own.length === 0) return Number(wanted.length === own.length)
  const left = countsOf(own)
  let both = 0
  for (const [word, count] of countsOf(wanted)) both += Math.min(count, left.get(word) ?? 0)
  if (both === 0) return 0
  const [precision, recall] = [both / own.length, both / wanted.length]
  return (2 * precision * recall) / (precision + recall)
}

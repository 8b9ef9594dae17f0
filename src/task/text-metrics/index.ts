/**
 * text-metrics: scores of generated texts – BLEU, chrF, TER, ROUGE, exact match, F1 of words.
 *
 * In: predictions and references. Out: statistics per document, scores from their sums.
 * Never: a task, a model, a draw.
 */
export { bleu } from './bleu.ts'
export { chrf } from './chrf.ts'
export { type CorpusMetric, scoreAt } from './corpus-metric.ts'
export { exactMatch } from './exact-match.ts'
export { rougeOf } from './rouge.ts'
export { sameWords, wordF1 } from './squad-words.ts'
export { ter } from './ter.ts'

/** DROP (Dua et al. 2019): spans, numbers and dates; F1 of bags of words, spans aligned to spans. */
import { stripText } from '#core'
import { pythonText } from '#platform/jinja'
import { pythonRegex, punctuation, splitWords } from '#platform/python'
import { type Doc, docText, type DocValue } from '../doc.ts'
import { textOf } from './answers.ts'
import { listIn, rowIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'

export const dropDocs: Port = {
  kind: 'docs',
  run: (docs) => docs.map((doc): Doc => ({ ...doc, id: doc['query_id'] ?? null, answers: answersOf(doc) })),
}

/** Each distinct answer as a list of spans. */
function answersOf(doc: Doc): string[][] {
  const more = rowIn(doc, 'validated_answers')
  const [dates, spans] = [listIn(more, 'date'), listIn(more, 'spans')]
  const others = listIn(more, 'number').map((number, i): Doc => ({
    number,
    date: dates[i] ?? null,
    spans: spans[i] ?? [],
  }))
  const answers = [rowIn(doc, 'answer'), ...others].map(spansOf)
  return [...new Map(answers.map((own) => [JSON.stringify(own), own])).values()]
}

function spansOf(answer: Doc): string[] {
  const number = answer['number']
  if (number !== '') return [number === null || number === undefined ? 'None' : pythonText(number)]
  const spans = textsIn(answer, 'spans')
  if (spans.length > 0) return spans
  const date = rowIn(answer, 'date')
  return [stripText(['day', 'month', 'year'].map((part) => docText(date[part])).join(' '))]
}

export const dropResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const own = bagsOf(answers.map(textOf))
    let [em, f1] = [0, 0]
    for (const answer of listIn(doc, 'answers')) {
      const spans = (answer as readonly DocValue[]).map(docText)
      if (stripText(spans[0] ?? '') === '') continue
      const gold = bagsOf(spans)
      em = Math.max(em, Number(gold.spans.length === own.spans.length && sameSet(gold.spans, own.spans)))
      f1 = Math.max(f1, alignedF1(gold.bags, own.bags))
    }
    return { em, f1 }
  },
}

interface Bags {
  readonly spans: readonly string[]
  readonly bags: readonly ReadonlySet<string>[]
}

function bagsOf(spans: readonly string[]): Bags {
  const normal = spans.map(normalized)
  return { spans: normal, bags: normal.map((span) => new Set(splitWords(span))) }
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.every((one) => b.includes(one)) && b.every((one) => a.includes(one))
}

const articles = pythonRegex('\\b(a|an|the)\\b')

function normalized(answer: string): string {
  const words = answer.split(/ |-/).map((word) => {
    const plain = withoutPunctuation(word.toLowerCase())
    const number = numberOf(plain)
    return splitWords(
      articles.sub(' ', number === undefined ? plain : pythonText({ kind: 'float', value: number })),
    ).join(' ')
  })
  return words.filter((word) => stripText(word) !== '').join(' ')
}

function withoutPunctuation(word: string): string {
  if (numberOf(word) !== undefined) return word
  return Array.from(word)
    .filter((letter) => !punctuation.includes(letter))
    .join('')
}

/**
 * What Python's `float` takes: digits with single underscores between them, signs, exponents, and names of infinity and
 * of no number.
 */
function numberOf(word: string): number | undefined {
  const text = stripText(word)
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^[+-]?nan$/i.test(text)) return NaN
  if (!/^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i.test(text)) return undefined
  return Number(text.replaceAll('_', ''))
}

/**
 * Mean over the longer of both lists, of the alignment one to one that has the greatest sum; rounded to two digits as
 * NumPy rounds.
 */
function alignedF1(gold: readonly ReadonlySet<string>[], own: readonly ReadonlySet<string>[]): number {
  const scores = gold.map((wanted) => own.map((bag) => (numbersAgree(wanted, bag) ? bagF1(wanted, bag) : 0)))
  return roundHalfEven((100 * bestSum(scores)) / Math.max(gold.length, own.length)) / 100
}

function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  if (value - below !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}

function bagF1(gold: ReadonlySet<string>, own: ReadonlySet<string>): number {
  const both = [...gold].filter((word) => own.has(word)).length
  const precision = own.size === 0 ? 1 : both / own.size
  const recall = gold.size === 0 ? 1 : both / gold.size
  return precision === 0 && recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

/** A gold with numbers shares one of them. */
function numbersAgree(gold: ReadonlySet<string>, own: ReadonlySet<string>): boolean {
  const numbers = [...gold].filter((word) => numberOf(word) !== undefined)
  return numbers.length === 0 || numbers.some((word) => own.has(word))
}

/** The greatest sum of an alignment: a model writes one answer, so that one side is short; subsets of it are tried. */
function bestSum(scores: readonly (readonly number[])[]): number {
  const columns = Math.max(0, ...scores.map((row) => row.length))
  const rows =
    scores.length > columns ? Array.from({ length: columns }, (_, j) => scores.map((row) => row[j] ?? 0)) : scores
  // best sum by the set of columns that are taken
  let best = new Map<string, number>([['', 0]])
  for (const row of rows) {
    const next = new Map(best)
    for (const [taken, sum] of best) {
      const used = new Set(taken.split(',').filter((place) => place !== ''))
      row.forEach((score, j) => {
        if (score === 0 || used.has(String(j))) return
        const key = [...used, String(j)].sort((a, b) => Number(a) - Number(b)).join(',')
        next.set(key, Math.max(next.get(key) ?? 0, sum + score))
      })
    }
    best = next
  }
  return Math.max(...best.values())
}

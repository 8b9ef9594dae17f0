/** ReCoRD (Zhang et al. 2018): a passage with highlights, and the entity that fills a gap. */
import { compareCodePoints, stripText } from '#core'
import type { Doc } from '../doc.ts'
import { logLikelihoodOf } from './answers.ts'
import { textIn, textsIn } from './columns.ts'
import type { Port } from './port.ts'
import { sameWords, wordF1 } from '#task/text-metrics'

export const recordDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const distinct = (column: string): string[] => [...new Set(textsIn(doc, column))].sort(compareCodePoints)
      return { ...doc, entities: distinct('entities'), answers: distinct('answers') }
    }),
}

export const recordText: Port = {
  kind: 'field',
  run: (doc) => {
    const [article = '', ...highlights] = stripText(textIn(doc, 'passage')).split('\n@highlight\n')
    return `${article}\n\n${highlights.map((highlight) => `  - ${highlight}.\n`).join('')}`
  },
}

const filled = (doc: Doc, entity: string): string =>
  `  - ${textIn(doc, 'query')}`.replaceAll('@placeholder', () => entity)

/** With the first of the right entities. */
export const recordTarget: Port = { kind: 'field', run: (doc) => filled(doc, textsIn(doc, 'answers')[0] ?? '') }

export const recordChoices: Port = {
  kind: 'field',
  run: (doc) => textsIn(doc, 'entities').map((entity) => filled(doc, entity)),
}

export const recordResults: Port = {
  kind: 'results',
  run: (doc, answers) => {
    const scores = answers.map(logLikelihoodOf)
    const entity = textsIn(doc, 'entities')[scores.indexOf(Math.max(...scores))] ?? ''
    const best = (measure: (gold: string, prediction: string) => number): number =>
      Math.max(...textsIn(doc, 'answers').map((gold) => measure(gold, entity)))
    return { f1: best(wordF1), em: best(sameWords) }
  },
}

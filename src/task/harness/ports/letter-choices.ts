/**
 * Choices that stand in columns of their own, with the right one by its letter: TMMLU+, TMLU, MMLU-SR, ARC in Okapi's
 * translations.
 */
import { stripText } from '#core'
import { type Doc, docText } from '../doc.ts'
import { placeIn, textIn } from './columns.ts'
import type { Port } from './port.ts'
import { titleless } from './titleless.ts'

const letters = ['A', 'B', 'C', 'D', 'E', 'F'] as const

/**
 * TMMLU+ (Tam et al. 2024), TMLU (Chen et al. 2024): `questions`, `choices`, `goal`; later letters only where their
 * column holds something.
 */
export function letterDocs(more: readonly string[]): Port {
  return {
    kind: 'docs',
    run: (docs) =>
      docs.map((doc): Doc => {
        const own = [...letters.slice(0, 4), ...more.filter((letter) => docText(doc[letter]) !== '')]
        return {
          ...doc,
          questions: doc['question'] ?? null,
          choices: own.map((letter) => doc[letter] ?? null),
          goal: placeIn(own, textIn(doc, 'answer'), 'answer'),
        }
      }),
  }
}

/** MMLU-SR (Wang et al. 2024): empty cells of its CSV come as nothing. */
export const mmluSrDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => ({
      ...doc,
      choices: [1, 2, 3, 4].map((i) => docText(doc[`choice${i}`])),
      answer: stripText(docText(doc['answer'])),
    })),
}

/** ARC in Okapi's translations (Lai et al. 2023). */
export const okapiArcDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const options = ['a', 'b', 'c', 'd', 'e']
        .map((letter) => docText(doc[`option_${letter}`]))
        .filter((text) => text !== '')
      return {
        ...doc,
        query: `Question: ${titleless(textIn(doc, 'instruction'))}\nAnswer:`,
        choices: options.map(titleless),
        gold: placeIn(letters.slice(0, 5), textIn(doc, 'answer'), 'answer'),
      }
    }),
}

/**
 * GPQA (Rein et al. 2023): one right and three wrong answers in an order that is drawn. The reference draws from
 * Python's global generator, whose state depends on all that ran before, and keeps what it drew in a cache: its order
 * cannot be had again. Here it is `random.Random(42)`, from the first row of a split on, as its few-shot variant has
 * it.
 */
import { stripText } from '#core'
import { pythonRandom } from '#platform/random'
import { type Doc, docText, type DocValue } from '../doc.ts'
import type { Port } from './port.ts'
import { titleless } from './titleless.ts'

const seed = 42

/** `brackets`: whether text in brackets is removed; `list`: the choices as a column of their own as well. */
export function gpqaDocs({ brackets, list }: { brackets: boolean; list: boolean }): Port {
  const clean = (value: DocValue | undefined): string => {
    if (value === null || value === undefined) return ' '
    const text = docText(value)
    return brackets ? titleless(text) : stripText(text).replaceAll(' [title]', '. ').replaceAll('  ', ' ')
  }
  return {
    kind: 'docs',
    run: (docs) => {
      const random = pythonRandom(seed)
      return docs.map((doc): Doc => {
        const right = clean(doc['Correct Answer'])
        const choices = random.shuffle([...[1, 2, 3].map((i) => clean(doc[`Incorrect Answer ${i}`])), right])
        const named = Object.fromEntries(choices.map((choice, i) => [`choice${i + 1}`, choice]))
        return {
          ...doc,
          ...named,
          ...(list && { choices }),
          answer: `(${String.fromCharCode(65 + choices.indexOf(right))})`,
        }
      })
    },
  }
}

/** HellaSwag (Zellers et al. 2019): contexts and endings out of WikiHow's markup. */
import { type Doc, docText } from '../doc.ts'
import type { Port } from './port.ts'
import { capitalize } from '#platform/python'
import { stripText } from '#core'

export const hellaswagDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const context = `${docText(doc['ctx_a'])} ${capitalize(docText(doc['ctx_b']))}`
      const endings = Array.isArray(doc['endings']) ? doc['endings'] : []
      return {
        ...doc,
        query: cleaned(`${docText(doc['activity_label'])}: ${context}`),
        choices: endings.map((ending) => cleaned(docText(ending))),
        gold: Number.parseInt(docText(doc['label']), 10),
      }
    }),
}

/** Titles in brackets end a sentence, other brackets go; two spaces become one, once. */
function cleaned(text: string): string {
  return stripText(text)
    .replaceAll(' [title]', '. ')
    .replace(/\[[^\n]*?\]/g, '')
    .replaceAll('  ', ' ')
}

/** HellaSwag (Zellers et al. 2019): contexts and endings out of WikiHow's markup. */
import { type Doc, docText } from '../doc.ts'
import type { Port } from './port.ts'
import { capitalize } from '#platform/python'
import { titleless } from './titleless.ts'

export const hellaswagDocs: Port = {
  kind: 'docs',
  run: (docs) =>
    docs.map((doc): Doc => {
      const context = `${docText(doc['ctx_a'])} ${capitalize(docText(doc['ctx_b']))}`
      const endings = Array.isArray(doc['endings']) ? doc['endings'] : []
      return {
        ...doc,
        query: titleless(`${docText(doc['activity_label'])}: ${context}`),
        choices: endings.map((ending) => titleless(docText(ending))),
        gold: Number.parseInt(docText(doc['label']), 10),
      }
    }),
}

/** Texts with the label that a classifier's own head should name. Numbers are places in the task's list of labels. */
import { fault } from '#core'
import type { LabelledPart } from '../loaded-task.ts'
import { labels, texts } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const sequenceClassification: ProtocolReader<LabelledPart> = {
  columns: ({ input_column_name: text = 'text', label_column_name: label = 'label' }) => ({
    text: String(text),
    label: String(label),
  }),
  async read(scope) {
    const { text = '', label = '' } = scope.task.columns
    const rows = await readOwnRows(scope)
    const [own = []] = labels([rows], label)
    const names = scope.task.labels ?? [...new Set(own.map(String))].sort()
    const named = own.map((value, i) => {
      const name = typeof value === 'number' ? names[value] : value
      if (name !== undefined && names.includes(name)) return name
      throw fault('task.label', {
        place: `${rows.place} › row ${i + 1}`,
        what: 'a label that the task does not have',
        seen: value,
        wanted: names.slice(0, 10),
      })
    })
    return { ...scope.part, texts: texts(rows, text), labels: named, names }
  },
  asked: {
    count: (part) => part.texts.length,
    only: (part, rows) => ({ ...part, texts: at(part.texts, rows), labels: at(part.labels, rows) }),
  },
  counts: (part) => ({ texts: part.texts.length }),
  texts: (part) => [{ texts: part.texts }],
}

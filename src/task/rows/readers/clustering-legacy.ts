/**
 * Sets of texts, one per row, each clustered as a whole (mteb `AbsTaskClusteringLegacy`, in 1.x `AbsTaskClustering`).
 */
import { fault } from '#core'
import { type Rows, rowPlace } from '../dataset.ts'
import type { ClusterSetsPart, Labelled } from '../loaded-task.ts'
import { labelLists, values } from '../values.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const clusteringLegacy: ProtocolReader<ClusterSetsPart> = {
  columns: ({ input_column_name: text = 'sentences', label_column_name: label = 'labels' }) => ({
    text: String(text),
    label: String(label),
  }),
  async read(scope) {
    const { text = '', label = '' } = scope.task.columns
    const rows = await readOwnRows(scope)
    const labels = labelLists(rows, label, { lists: true })
    const sets = values(rows, text).map((value, i) => setOf(rows, i, value, labels[i] ?? []))
    return { ...scope.part, sets }
  },
  counts: ({ sets }) => ({ sets: sets.length, texts: sets.reduce((sum, { texts }) => sum + texts.length, 0) }),
  texts: ({ sets }) => sets.filter(isDivided).map(({ texts }) => ({ texts })),
}

/** Whether a set has anything to tell apart; others score 1 and are not encoded. */
export function isDivided({ labels }: Labelled): boolean {
  return labels.some((label) => label !== labels[0])
}

function setOf(rows: Rows, row: number, value: unknown, labels: Labelled['labels']): Labelled {
  const place = rowPlace(rows, row)
  if (!Array.isArray(value))
    throw fault('task.value', { place, what: 'a set of this protocol is a list of texts', seen: value })
  const texts = value.map((text: unknown) => {
    if (typeof text === 'string') return text
    throw fault('task.value', { place, what: 'an entry of the set is not a text', seen: text })
  })
  if (texts.length === 0) throw fault('task.empty', { place, what: 'the set has no texts' })
  if (texts.length !== labels.length)
    throw fault('task.label', {
      place,
      what: 'texts and labels of the set differ in number',
      seen: [texts.length, labels.length],
    })
  return { texts, labels }
}

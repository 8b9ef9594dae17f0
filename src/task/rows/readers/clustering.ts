/** Documents that are clustered in many small samples (mteb `AbsTaskClustering`, in 1.x `AbsTaskClusteringFast`). */
import { fault } from '#core'
import { type PythonRandom, pythonRandom } from '#platform/random'
import type { ClusteringPart } from '../loaded-task.ts'
import { pickRows } from '../steps/step.ts'
import type { TaskParams } from '../task.ts'
import { labelLists, texts } from '../values.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const clustering: ProtocolReader<ClusteringPart> = {
  columns: ({ input_column_name: text = 'sentences', label_column_name: label = 'labels' }) => ({
    text: String(text),
    label: String(label),
  }),
  // 2.x draws every part's documents and samples from one generator
  running: true,
  async read(scope) {
    const { text = '', label = '' } = scope.task.columns
    const rows = await readOwnRows(scope)
    const python = scope.profile === 'mteb-1' ? pythonRandom(42) : scope.draws.python
    const size = documents(rows.rows, scope.task.params, rows.place)
    const picked = size === undefined ? rows : pickRows(rows, python.sample(rows.rows, size))
    const labels = labelLists(picked, label)
    const levels = depth(labels, scope.task.params)
    if (levels === 0) throw fault('task.label', { place: rows.place, what: 'no document has a label' })
    const start = python.copy()
    const { n_clusters: fits, max_documents_per_cluster: sample } = scope.task.params
    pass(python, levels * fits * sample)
    return { ...scope.part, texts: texts(picked, text), labels, levels, generator: () => start.copy() }
  },
  counts: ({ texts: own }) => ({ documents: own.length }),
  texts: ({ texts: own }) => [{ texts: own }],
}

/** How many documents are drawn; undefined when all of them are used as they come. */
function documents(
  rows: number,
  { max_fraction_of_documents_to_embed: fraction, max_document_to_embed: limit }: TaskParams,
  place: string,
): number | undefined {
  if (fraction === null && limit === null) return undefined
  if (fraction !== null && limit !== null) {
    throw fault('task.value', {
      place,
      what: 'both max_document_to_embed and max_fraction_of_documents_to_embed are set',
      seen: { limit, fraction },
    })
  }
  const size = Math.min(rows, fraction === null ? (limit ?? rows) : Math.trunc(fraction * rows))
  if (size > 0) return size
  throw fault('task.empty', {
    place,
    what: 'the share of documents to cluster holds none',
    seen: { rows, fraction, limit },
  })
}

function depth(labels: readonly (readonly unknown[])[], { max_depth: limit }: TaskParams): number {
  const deepest = labels.reduce((most, own) => Math.max(most, own.length), 0)
  return limit === null ? deepest : Math.min(limit, deepest)
}

/** Skips N draws of `choices`, each of which takes two words. */
function pass(python: PythonRandom, draws: number): void {
  for (let i = 0; i < 2 * draws; i++) python.word()
}

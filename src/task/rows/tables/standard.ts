/**
 * Where mteb's own loader finds the tables of a retrieval task (retrieval_dataset_loaders.py): configs by their names.
 */
import type { DatasetLayout } from '../dataset-layout.ts'
import type { TaskInfo } from '../task.ts'
import type { RetrievalTables } from './tables.ts'

type Standard = RetrievalTables & Required<Pick<RetrievalTables, 'corpus' | 'queries' | 'qrels'>>

/**
 * What the registry says of the task's tables, and for the rest the loader's names. A task with all three tables of its
 * own has nothing from the loader.
 */
export function tablesOf({ tables: own, params }: TaskInfo, layout: DatasetLayout, subset: string): Standard {
  const { corpus, queries, qrels } = own ?? {}
  if (own !== undefined && corpus !== undefined && queries !== undefined && qrels !== undefined)
    return { ...own, corpus, queries, qrels }
  return { ...standardTables(layout, subset, params.specificScores === 'p_mrr'), ...own }
}

/** A table whose config lacks the split may have a single other one. */
function standardTables({ configs }: DatasetLayout, subset: string, changes: boolean): Standard {
  const named = (kind: string): string => (subset === 'default' ? kind : `${subset}-${kind}`)
  const anySplit = true
  const judged = subset === 'default' && configs.has('default') ? 'default' : named('qrels')
  return {
    corpus: { config: named('corpus'), anySplit, titleIfAny: 'title', keepRepeats: true },
    queries: {
      config: configs.has('query') ? 'query' : named('queries'),
      anySplit,
      instructionIfAny: 'instruction',
      keepRepeats: true,
    },
    qrels: { config: judged, anySplit },
    ...(configs.has(named('instruction')) ? { instructions: { config: named('instruction'), anySplit } } : {}),
    ...(configs.has(named('top_ranked')) ? { candidates: { config: named('top_ranked'), anySplit } } : {}),
    ...(changes ? { changed: { config: named('qrel_diff'), anySplit } } : {}),
  }
}

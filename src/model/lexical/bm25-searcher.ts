/** BM25 as a searcher: the corpus is taken in once per search. */
import { fault, type Searcher, type SearchedTexts } from '#core'
import { bm25Index, type Bm25Settings } from './bm25-index.ts'
import { wordRules } from './words.ts'

/** Documents read at a time. */
const blockDocuments = 2 ** 13

/** mteb's own: the library's defaults. */
export const bm25Defaults: Bm25Settings = { k1: 1.5, b: 0.75 }

/** What the arithmetic follows; raised with it, so that results of another one are not reused. */
export const bm25Version = 'bm25s 0.3.16, Snowball 3.1.0, words of mteb 2.26.24'

/**
 * Scores equal bm25s' in float32, with stop words and stems of the texts' language as mteb chooses them. Memory: about
 * 24 bytes per different word of a document.
 */
export function bm25Searcher(settings: Bm25Settings, place: string): Searcher {
  return {
    representation: 'default',
    cutsFirst: true,
    async search({ queries, documents, languages }, onScores, { signal, onProgress } = {}) {
      const rules = await wordRules(languages)
      const stage = 'index'
      const heard = (done: number): void => {
        if (signal?.aborted) throw fault('run.cancelled', { place, what: 'cancelled', cause: signal.reason })
        onProgress?.({ stage, done, total: documents.length, unit: 'documents' })
      }
      const index = bm25Index(blocks(documents, heard), rules, settings)
      const scores = new Float32Array(index.documents)
      queries.forEach((query, at) => {
        onScores(at, 0, index.score(query, scores))
        onProgress?.({ stage: 'search', done: at + 1, total: queries.length, unit: 'queries' })
      })
    },
  }
}

function* blocks(documents: SearchedTexts, heard: (done: number) => void): Generator<readonly string[]> {
  for (let start = 0; start < documents.length; start += blockDocuments) {
    heard(start)
    yield documents.at(
      Uint32Array.from({ length: Math.min(blockDocuments, documents.length - start) }, (_, i) => start + i),
    )
  }
}

import { expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { randomState } from '#platform/random'
import { evaluateTask } from '#task/protocols'
import type { RetrievalPart } from '#task/rows'
import { loaded, lookup, names, taskNamed } from './made-tasks.ts'

/** Halves, so that products are exact and ties abound. */
function drawn(rows: number, seed: number): Matrix {
  return matrix(
    rows,
    2,
    Float32Array.from(randomState(seed).randint(-3, 4, 2 * rows), (value) => value / 2),
  )
}

test('a corpus without some documents is searched as the list of the others is', async () => {
  const [documents, queries] = [200, 12]
  const ids = names('d', documents)
  const part: RetrievalPart = {
    split: 'test',
    subset: 'default',
    languages: [],
    corpus: { ids, texts: names('x', documents) },
    queries: { ids: names('q', queries), texts: names('y', queries) },
    qrels: new Map(
      names('q', queries).map((query, i) => [query, new Map(ids.slice(i, i + 9).map((id, j) => [id, j % 3]))]),
    ),
  }
  // a document that the corpus does not have may be left out, too; the last queries leave out none
  const excluded = new Map(
    names('q', 9).map((query, i) => [query, new Set([...ids.filter((_, d) => (d * 7 + i) % 4 === 0), 'elsewhere'])]),
  )
  const candidates = new Map(
    part.queries.ids.map((query) => [query, ids.filter((id) => !excluded.get(query)?.has(id))]),
  )
  const embedder = lookup({ x: drawn(documents, 1), y: drawn(queries, 2) })
  const task = await taskNamed('SciFact')
  const scores = async (more: Partial<RetrievalPart>) =>
    (
      await evaluateTask(loaded(task, { protocol: 'AbsTaskRetrieval', parts: [{ ...part, ...more }] }), embedder, {
        similarity: 'dot',
      })
    ).scores
  const listed = await scores({ candidates })
  expect(await scores({ candidates, excluded })).toEqual(listed)
  expect(await scores({})).not.toEqual(listed)
})

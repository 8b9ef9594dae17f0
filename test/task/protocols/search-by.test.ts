import { describe, expect, test } from 'vitest'
import type { Embedder, Reranker, Searcher } from '#core'
import { evaluateTask } from '#task/protocols'
import type { RetrievalPart } from '#task/rows'
import { loaded, taskNamed } from './made-tasks.ts'

const part: RetrievalPart = {
  languages: ['eng-Latn'],
  split: 'test',
  subset: 'default',
  queries: { ids: ['q0', 'q1'], texts: ['q0', 'q1'] },
  corpus: { ids: ['d0', 'd1', 'd2', 'd3'], texts: ['d0', 'd1', 'd2', 'd3'] },
  qrels: new Map([
    ['q0', new Map([['d1', 1]])],
    ['q1', new Map([['d3', 1]])],
  ]),
}
const candidates = new Map([
  ['q0', ['d1', 'd2']],
  ['q1', ['d3', 'd0']],
])

/** Documents in the order of their numbers. */
function byNumber(own: Partial<Searcher> = {}): Searcher {
  return {
    representation: 'default',
    ...own,
    search({ queries, documents }, onScores) {
      queries.forEach((_, query) =>
        onScores(
          query,
          0,
          Float32Array.from({ length: documents.length }, (_, i) => -i),
        ),
      )
      return Promise.resolve()
    },
  }
}

/** The last document first. */
const reranker: Reranker = {
  name: 'backwards',
  score: (pairs) => Promise.resolve(Float32Array.from(pairs, ([, document]) => Number(document.slice(1)))),
}

/** The same order by a search of its own, which says what it was asked. */
function backwards(asked: unknown[]): Searcher {
  return {
    representation: 'h1-maxsim',
    search({ queries, documents, askers = new Map<number, number[]>() }, onScores) {
      asked.push([...askers].map(([document, own]) => [document, own.map((query) => queries[query])]))
      for (const [document, own] of askers)
        for (const query of own)
          onScores(query, document, Float32Array.of(Number(documents.at([document])[0]?.slice(1))))
      return Promise.resolve()
    },
  }
}

/** The same by vectors, which cosines would not tell apart. */
const lengths: Embedder = {
  representation: 'length',
  width: 1,
  embed: (texts) =>
    Promise.resolve({
      rows: texts.length,
      width: 1,
      data: Float32Array.from(texts, (text) => (text.startsWith('q') ? 1 : 1 + Number(text.slice(1)))),
    }),
}

async function mapAt(given: RetrievalPart, model: Searcher | Reranker | Embedder, options = {}, cutoffs = [1, 10]) {
  const task = loaded(await taskNamed('SciFact', { k_values: cutoffs }), {
    protocol: 'AbsTaskRetrieval',
    parts: [given],
  })
  const { scores } = await evaluateTask(task, model, options)
  return scores['test']?.[0]?.['map_at_10']
}

describe('search by a searcher', () => {
  test('ranks the corpus, or the candidates', async () => {
    expect(await mapAt(part, byNumber())).toBe((1 / 2 + 1 / 4) / 2)
    expect(await mapAt({ ...part, candidates }, byNumber())).toBe((1 + 1 / 2) / 2)
  })

  test('one that cuts first leaves candidates out that it did not find', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `d${i}`)
    const larger = { ...part, corpus: { ids, texts: ids }, candidates: new Map([...candidates, ['q1', ['d3', 'd11']]]) }
    const qrels = new Map([...part.qrels, ['q1', new Map([['d11', 1]])]])
    expect(await mapAt({ ...larger, qrels }, byNumber())).toBe((1 + 1 / 2) / 2)
    expect(await mapAt({ ...larger, qrels }, byNumber({ cutsFirst: true }))).toBe(1 / 2)
  })
})

describe('a reranker', () => {
  test("puts a task's candidates in order", async () => {
    expect(await mapAt({ ...part, candidates }, reranker)).toBe((1 / 2 + 1) / 2)
  })

  test('puts the first documents of a search in order, and the others are left out', async () => {
    expect(await mapAt(part, byNumber(), { reranking: { reranker, top: 2 } })).toBe((1 + 0) / 2)
    expect(await mapAt(part, byNumber(), { reranking: { reranker, top: 4 } })).toBeCloseTo((1 / 3 + 1) / 2, 4)
  })

  test('is refused where there is nothing to put in order', async () => {
    await expect(mapAt(part, reranker)).rejects.toThrow(/no candidates/)
  })
})

describe('a second search', () => {
  test('has only the first documents of the first one, and the others are left out', async () => {
    const asked: unknown[] = []
    const model = backwards(asked)
    expect(await mapAt(part, byNumber(), { second: { model, similarity: 'dot', top: 2 } })).toBe((1 + 0) / 2)
    const both = ['q0', 'q1']
    expect(asked).toEqual([
      [
        [0, both],
        [1, both],
      ],
    ])
    expect(await mapAt(part, byNumber(), { second: { model, similarity: 'dot', top: 4 } })).toBeCloseTo(
      (1 / 3 + 1) / 2,
      4,
    )
  })

  test('ranks the documents of the first stage, although its own searches stop early', async () => {
    // the first search finds d3 and d2, this one by itself d0 and d1
    const second = { model: byNumber({ cutsFirst: true }), similarity: 'dot', top: 2 } as const
    expect(await mapAt(part, lengths, { similarity: 'dot', second })).toBe((0 + 1 / 2) / 2)
  })

  test('has the last word after a reranker', async () => {
    const qrels = new Map([...part.qrels, ['q1', new Map([['d0', 1]])]])
    const given = { ...part, candidates, qrels }
    expect(await mapAt(given, reranker)).toBe(1 / 2)
    expect(await mapAt(given, reranker, { second: { model: byNumber(), similarity: 'dot', top: 2 } })).toBe(1)
  })

  test('is by vectors as its own model compares them', async () => {
    const second = { model: lengths, similarity: 'dot', top: 4 }
    expect(await mapAt(part, byNumber(), { second })).toBeCloseTo((1 / 3 + 1) / 2, 4)
  })

  test("stays within a task's candidates, and out of what a query leaves out", async () => {
    const second = { model: backwards([]), similarity: 'dot', top: 4 }
    expect(await mapAt({ ...part, candidates }, byNumber(), { second })).toBe((1 / 2 + 1) / 2)
    const excluded = new Map([['q0', new Set(['d3', 'd2'])]])
    expect(await mapAt({ ...part, excluded }, byNumber(), { second })).toBe(1)
  })
})

import { describe, expect, test } from 'vitest'
import { evaluateTask } from '#task/protocols'
import type { LoadedParts, RetrievalPart } from '#task/rows'
import { loaded, taskNamed } from './made-tasks.ts'
import { differences, goldenCases, recorded, type GoldenCase } from './recorded-vectors.ts'

interface Sample {
  query: string | string[]
  positive: string[]
  negative: string[]
}
interface Case extends GoldenCase {
  protocol: 'AbsTaskPairClassification' | 'AbsTaskRetrieval' | 'AbsTaskSummarization' | 'AbsTaskBitextMining'
  labels?: number[]
  samples?: Sample[]
  human?: string[][]
  machine?: string[][]
  relevance?: number[][]
  queryIds?: string[]
  docIds?: string[]
  qrels?: Record<string, Record<string, number>>
  candidates?: Record<string, string[]>
  changed?: Record<string, string[]>
  scores: Record<string, unknown>
}

const own = { languages: ['eng-Latn'], split: 'test', subset: 'default' }

/** The samples of 1.39.7 in the layout of 2.x. */
function reranking(samples: readonly Sample[]): RetrievalPart {
  const ids: string[] = []
  const texts: string[] = []
  const qrels = new Map<string, ReadonlyMap<string, number>>()
  const candidates = new Map<string, readonly string[]>()
  const documents = samples.flatMap(({ positive, negative }) => [...positive, ...negative])
  samples.forEach(({ query, positive, negative }, i) => {
    for (const [k, text] of [query].flat().entries()) {
      const id = Array.isArray(query) ? `query_${i}_${k}` : `query_${i}`
      ids.push(id)
      texts.push(text)
      qrels.set(
        id,
        new Map([
          ...positive.map((document) => [document, 1] as const),
          ...negative.map((document) => [document, 0] as const),
        ]),
      )
      candidates.set(id, [...positive, ...negative])
    }
  })
  return { ...own, queries: { ids, texts }, corpus: { ids: documents, texts: documents }, qrels, candidates }
}

function instructions({ queryIds = [], docIds = [], qrels = {}, candidates = {}, changed = {} }: Case): RetrievalPart {
  return {
    ...own,
    queries: { ids: queryIds, texts: queryIds.map((_, i) => `q${i}`) },
    corpus: { ids: docIds, texts: docIds.map((_, i) => `d${i}`) },
    qrels: new Map(Object.entries(qrels).map(([query, grades]) => [query, new Map(Object.entries(grades))])),
    candidates: new Map(Object.entries(candidates)),
    changed: new Map(Object.entries(changed)),
  }
}

function partsOf(given: Case): LoadedParts {
  const { labels = [], human = [], machine = [], relevance = [], vectors } = given
  const rows = (prefix: string): string[] => Object.keys(vectors).filter((name) => name.startsWith(prefix))
  switch (given.protocol) {
    case 'AbsTaskPairClassification':
      return { protocol: given.protocol, parts: [{ ...own, sentence1: rows('a'), sentence2: rows('b'), labels }] }
    case 'AbsTaskRetrieval':
      return { protocol: given.protocol, parts: [given.samples ? reranking(given.samples) : instructions(given)] }
    case 'AbsTaskSummarization':
      return {
        protocol: given.protocol,
        parts: [{ ...own, texts: human.map((_, i) => `t${i}`), human, machine, relevance }],
      }
    case 'AbsTaskBitextMining':
      return {
        protocol: given.protocol,
        parts: [{ ...own, sentence1: rows('a'), sentence2: rows('b'), gold: rows('a').map((_, i) => i) }],
      }
    default:
      return given.protocol satisfies never
  }
}

describe('the profile mteb-1 as mteb 1.39.7 scores', () => {
  test.each(goldenCases<Case>('mteb-1'))('$task: $what', async (given) => {
    const { scores } = await evaluateTask(
      loaded(await taskNamed(given.task), partsOf(given), { profile: 'mteb-1' }),
      recorded(given.vectors),
    )
    // float32 similarities, thresholds and abstention areas: sums in another order move their last place
    expect(differences(scores['test']?.[0], given.scores, 1e-6)).toEqual([])
  })

  test('the main score of reranking stands under its names in both versions', async () => {
    const [given] = goldenCases<Case>('mteb-1').filter(({ samples }) => samples)
    if (given === undefined) throw new Error('no case')
    const { scores } = await evaluateTask(
      loaded(await taskNamed(given.task), partsOf(given), { profile: 'mteb-1' }),
      recorded(given.vectors),
    )
    const [entry] = scores['test'] ?? []
    expect(entry?.main_score).toBe(entry?.['map'])
    expect(entry?.['map_at_1000']).toBe(entry?.['map'])
  })
})

import { describe, expect, test } from 'vitest'
import { bm25Defaults, bm25Searcher, type Bm25Settings } from '#model/lexical'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  language: string
  settings: Partial<Bm25Settings>
  documents: string[]
  queries: string[]
  scores: number[][]
}

async function scoresOf({ language, settings, documents, queries }: Omit<Case, 'scores'>): Promise<number[][]> {
  const rows: number[][] = []
  await bm25Searcher({ ...bm25Defaults, ...settings }, 'bm25').search(
    {
      queries,
      documents: { length: documents.length, at: (indexes) => Array.from(indexes, (i) => documents[i] ?? '') },
      languages: [language],
    },
    (query, start, scores) => {
      expect(start).toBe(0)
      rows[query] = [...scores]
    },
  )
  return rows
}

describe('scores of bm25s', () => {
  test.each(goldenOf<{ cases: Case[] }>('model/lexical', 'bm25').cases)(
    '$language with $settings, to the bit',
    async (given) => {
      expect(await scoresOf(given)).toEqual(given.scores)
    },
  )
})

test('a corpus without a single word scores 0 everywhere', async () => {
  const asked = { language: 'eng-Latn', settings: {}, documents: ['', 'the of'], queries: ['word', ''] }
  expect(await scoresOf(asked)).toEqual([
    [0, 0],
    [0, 0],
  ])
})

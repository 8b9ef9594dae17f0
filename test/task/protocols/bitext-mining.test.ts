import { describe, expect, test } from 'vitest'
import { evaluateTask } from '#task/protocols'
import type { BitextPart } from '#task/rows'
import { loaded, taskNamed } from './made-tasks.ts'
import { differences, goldenCases, recorded, type GoldenCase } from './recorded-vectors.ts'

interface Case extends GoldenCase {
  gold?: number[]
  rows?: [number, number]
  columns?: Record<string, string[]>
  scores: Record<string, Record<string, number>>
}

function partsOf({ gold = [], rows = [0, 0], columns, scores }: Case): BitextPart[] {
  return Object.keys(scores).map((subset) => {
    const own = { languages: ['eng-Latn'], split: 'test', subset }
    if (columns === undefined) {
      const [first, second] = [...rows].map((count, side) =>
        Array.from({ length: count }, (_, i) => `${'ab'[side]}${i}`),
      )
      return { ...own, sentence1: first ?? [], sentence2: second ?? [], gold }
    }
    const [first = '', second = ''] = subset.split('-')
    const [sentence1, sentence2] = [columns[first] ?? [], columns[second] ?? []]
    return { ...own, sentence1, sentence2, gold: sentence1.map((_, i) => i) }
  })
}

describe('bitext as mteb 2.26.24 scores it', () => {
  test.each(goldenCases<Case>('bitext-mining'))('$what', async (given) => {
    const embedder = recorded(given.vectors)
    const task = loaded(await taskNamed(given.task), { protocol: 'AbsTaskBitextMining', parts: partsOf(given) })
    const { scores } = await evaluateTask(task, embedder, { similarity: given.similarity })
    const bySubset = Object.fromEntries((scores['test'] ?? []).map((entry) => [entry.hf_subset, entry]))
    expect(differences(bySubset, given.scores, 1e-12)).toEqual([])
    // a language of parallel data is encoded once
    expect(embedder.asked.length).toBe(given.columns ? Object.keys(given.columns).length : 2)
  })
})

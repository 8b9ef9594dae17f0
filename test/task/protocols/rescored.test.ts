import { expect, test } from 'vitest'
import { compareCodePoints, matrix, type Matrix } from '#core'
import { randomState } from '#platform/random'
import type { RetrievalPart } from '#task/rows'
import type { Context } from '../../../src/task/protocols/part-scores.ts'
import { searchRescored } from '../../../src/task/protocols/rescored.ts'
import { taskNamed } from './made-tasks.ts'

const width = 9
const random = randomState(7)
const numbers = (count: number): string[] =>
  Array.from({ length: count }, () => Array.from({ length: width }, () => random.word() / 2 ** 31 - 1).join())
const [documents, queries] = [numbers(60), numbers(5)]

function floats(texts: readonly string[]): Matrix {
  return matrix(texts.length, width, Float32Array.from(texts.flatMap((text) => text.split(',').map(Number))))
}

function bits(texts: readonly string[]): Matrix {
  const { data, ...size } = floats(texts)
  return { ...size, data: data.map((value) => Number(value > 0)) }
}

const part: RetrievalPart = {
  split: 'test',
  subset: 'default',
  languages: [],
  corpus: { ids: documents.map((_, i) => `d${i}`), texts: documents },
  queries: { ids: queries.map((_, i) => `q${i}`), texts: queries },
  qrels: new Map(),
}

/** Hamming distance over bits, ties by the larger id; the first ones by query · bits. */
function byHand(query: number, depth: number, candidates: number): string[] {
  const at = (own: Matrix, row: number): Float32Array => own.data.subarray(row * width, (row + 1) * width)
  const [asked, coded, codes] = [at(floats(queries), query), at(bits(queries), query), bits(documents)]
  const near = part.corpus.ids
    .map((id, i) => {
      const code = at(codes, i)
      const distance = code.reduce((sum, bit, k) => sum + Math.abs(bit - (coded[k] ?? 0)), 0)
      return { id, distance, score: code.reduce((sum, bit, k) => sum + bit * (asked[k] ?? 0), 0) }
    })
    .sort((a, b) => a.distance - b.distance || compareCodePoints(b.id, a.id))
    .slice(0, depth)
  const first = near.slice(0, candidates).sort((a, b) => b.score - a.score)
  return [...first, ...near.slice(candidates)].map(({ id }) => id)
}

test.each([1, 7, 20, 100])(
  'the %i nearest by Hamming distance are put in order by the float query',
  async (candidates) => {
    const context = {
      similarity: 'cosine',
      task: await taskNamed('SciFact'),
      embed: async (texts: readonly string[]) => bits(texts),
    }
    const found = await searchRescored(part, 20, context as Context, {
      candidates,
      embed: async (texts) => floats(texts),
    })
    for (const query of queries.keys()) {
      const { documents: list, scores } = found.ranking(query)
      expect(Array.from(list, (document) => part.corpus.ids[document])).toEqual(byHand(query, 20, candidates))
      expect([...scores]).toEqual([...scores].sort((a, b) => b - a))
    }
  },
)

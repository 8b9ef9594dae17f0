import { describe, expect, test } from 'vitest'
import { matrix, type PromptType } from '#core'
import { maxSim, maxSimSearcher, type TokenEncoder, type TokenVectors } from '#model/late-interaction'
import { rowsOf, scoresOf } from '../checkpoint/golden-late-interaction.ts'

type Row = { readonly ids: Int32Array }

/** A letter is a token, and its vector whole numbers of its code. */
function letters(calls: string[] = []): TokenEncoder<Row> {
  return {
    width: 3,
    read(texts, side: PromptType) {
      calls.push(`${side} ${texts.length}`)
      return Promise.resolve(texts.map((text) => ({ ids: Int32Array.from(text, (c) => c.charCodeAt(0)) })))
    },
    encode: (rows) => Promise.resolve(vectorsOf(rows)),
  }
}

function vectorsOf(rows: readonly Row[]): TokenVectors {
  const starts = Int32Array.of(0, ...rows.map((_, i) => rows.slice(0, i + 1).reduce((n, { ids }) => n + ids.length, 0)))
  const data = rows.flatMap(({ ids }) => Array.from(ids).flatMap((id) => [(id % 7) - 3, (id % 5) - 2, (id % 3) - 1]))
  return { vectors: matrix(starts.at(-1) ?? 0, 3, Float32Array.from(data)), starts }
}

const queries = ['abc', '', 'zebra', 'q']
const documents = ['a', 'the zebra', '', 'bca', 'x'.repeat(40), 'quick', 'brown fox', 'jumps']

async function whole(): Promise<number[][]> {
  const of = (texts: readonly string[]): TokenVectors =>
    vectorsOf(texts.map((text) => ({ ids: Int32Array.from(text, (c) => c.charCodeAt(0)) })))
  return rowsOf(await maxSim(of(queries), of(documents)))
}

describe('scores do not depend on blocks', () => {
  // 3 numbers per token: blocks of 1, 7 and all tokens; the longest document is longer than the first two
  test.each([3, 21, 3000])('%i numbers', async (blockNumbers) => {
    const searcher = maxSimSearcher(letters(), { representation: 'h1-maxsim', blockNumbers })
    expect(await scoresOf(searcher, queries, documents)).toEqual(await whole())
  })
})

test('a page that ends inside the corpus goes on where it ended', async () => {
  const many = Array.from({ length: 4099 }, (_, i) => `text ${i}`)
  const calls: string[] = []
  const found = await scoresOf(maxSimSearcher(letters(calls), { representation: 'x' }), ['4097'], many)
  expect(calls).toEqual(['query 1', 'document 4096', 'document 3'])
  const last = await scoresOf(maxSimSearcher(letters(), { representation: 'x' }), ['4097'], many.slice(4095))
  expect(found[0]?.slice(4095)).toEqual(last[0])
})

test('documents are scored for the queries that ask for them, and no others are read', async () => {
  const calls: string[] = []
  const askers = new Map([
    [6, [3, 0]],
    [1, [2]],
  ])
  const found = await scoresOf(maxSimSearcher(letters(calls), { representation: 'x' }), queries, documents, askers)
  const all = await whole()
  const wanted = queries.map((_, q) => documents.map((__, d) => (askers.get(d)?.includes(q) ? all[q]![d]! : NaN)))
  expect(found).toEqual(wanted)
  expect(calls).toEqual(['query 4', 'document 2'])
})

test('a mean is divided by the tokens of the query, and one without any stays 0', async () => {
  const found = await scoresOf(maxSimSearcher(letters(), { representation: 'x', isMean: true }), queries, documents)
  const all = await whole()
  const wanted = all.map((row, q) => row.map((score) => Math.fround(score / Math.max(1, queries[q]!.length))))
  expect(found).toEqual(wanted)
})

test('a cancelled search stops', async () => {
  const searcher = maxSimSearcher(letters(), { representation: 'x' })
  const request = {
    queries,
    documents: { length: documents.length, at: () => documents },
    languages: [],
  }
  await expect(searcher.search(request, () => undefined, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
})

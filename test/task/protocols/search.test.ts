/** Searches of several blocks: the same lists as by looking at every pair, whole or taken up after a stop. */
import fc from 'fast-check'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compareCodePoints, matrix, type Matrix } from '#core'
import type { Context } from '../../../src/task/protocols/part-scores.ts'
import { searchCorpus } from '../../../src/task/protocols/search.ts'
import type { TopDocuments } from '../../../src/task/protocols/top-documents.ts'
import { openCheckpoints } from '../../../src/experiment/sweep/checkpoints.ts'
import { timesTransposed, unitRows } from '#platform/linalg'
import { randomState } from '#platform/random'
import type { RetrievalPart } from '#task/rows'
import { taskNamed } from './made-tasks.ts'

const folder = mkdtempSync(join(tmpdir(), 'strata-search-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const place = { root: folder, model: 'a/b', revision: 'r', representation: 'default' }

/**
 * Texts are numbers, `7,1`; their vectors those numbers: small whole numbers, so that products are exact and ties
 * abound.
 */
function embed(texts: readonly string[]): Matrix {
  const rows = texts.map((text) => text.split(',').map(Number))
  return matrix(texts.length, rows[0]?.length ?? 0, Float32Array.from(rows.flat()))
}

function partOf(documents: readonly string[], queries: readonly string[]): RetrievalPart {
  const passages = (prefix: string, texts: readonly string[]) => ({ ids: texts.map((_, i) => `${prefix}${i}`), texts })
  return {
    split: 'test',
    subset: 'default',
    languages: [],
    corpus: passages('d', documents),
    queries: passages('q', queries),
    qrels: new Map(),
  }
}

/** Every pair, sorted as the rule says: score, then the larger id. */
function byHand({ corpus, queries, excluded }: RetrievalPart, depth: number): string[][] {
  const [documents, asked] = [embed([...(corpus.texts as readonly string[])]), embed(queries.texts)]
  const dot = (q: number, d: number): number => {
    let sum = 0
    for (let k = 0; k < asked.width; k++)
      sum += (asked.data[q * asked.width + k] ?? 0) * (documents.data[d * asked.width + k] ?? 0)
    return sum
  }
  return queries.ids.map((query, q) =>
    corpus.ids
      .map((id, d) => ({ id, score: dot(q, d) }))
      .filter(({ id }) => excluded?.get(query)?.has(id) !== true)
      .sort((a, b) => b.score - a.score || compareCodePoints(b.id, a.id))
      .slice(0, depth)
      .map(({ id }) => id),
  )
}

const lists = (top: TopDocuments, { corpus, queries }: RetrievalPart): string[][] =>
  queries.ids.map((_, q) => Array.from(top.ranking(q).documents, (document) => corpus.ids[document] ?? ''))

async function context(more: Partial<Context> = {}): Promise<Context> {
  return {
    profile: 'mteb-2',
    similarity: 'dot',
    kmeans: 'A',
    task: await taskNamed('SciFact'),
    signal: undefined,
    embed: (texts) => Promise.resolve(embed(texts)),
    ...more,
  }
}

const vector = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })).map(String)

describe('a search in blocks', () => {
  test('finds what looking at every pair finds', async () => {
    const plain = await context()
    await fc.assert(
      fc.asyncProperty(
        fc.array(vector, { minLength: 1, maxLength: 40 }),
        fc.array(vector, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 12 }),
        async (documents, queries, block, depth) => {
          const part = partOf(documents, queries)
          expect(lists(await searchCorpus(part, depth, plain, { documents: block }), part)).toEqual(byHand(part, depth))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('finds it too where most scores are close together and documents are left out', async () => {
    const plain = await context()
    // the far number puts the others into one bin of its histogram
    const spread = fc.oneof(vector, fc.constant('-100000,-100000'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(spread, fc.boolean()), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        async (drawn, depth) => {
          const left = new Set(drawn.flatMap(([, isLeft], i) => (isLeft ? [`d${i}`] : [])))
          const part = {
            ...partOf(
              drawn.map(([text]) => text),
              ['1,2', '3,1'],
            ),
            excluded: new Map([['q0', left]]),
          }
          expect(lists(await searchCorpus(part, depth, plain), part)).toEqual(byHand(part, depth))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('in parts has the scores of one product', async () => {
    const [rows, width, asked, depth] = [5000, 600, 20, 300]
    const drawn = (count: number, seed: number): Matrix =>
      matrix(
        count,
        width,
        Float32Array.from(randomState(seed).randomSample(count * width), (value) => value - 0.5),
      )
    const [documents, queries] = [drawn(rows, 1), drawn(asked, 2)]
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))
    const part = partOf(numbers(rows), numbers(asked))
    const top = await searchCorpus(
      part,
      depth,
      await context({
        similarity: 'cosine',
        embed: (_, side) => Promise.resolve(side === 'document' ? documents : queries),
      }),
    )
    const scores = await timesTransposed(unitRows(queries), unitRows(documents))
    for (let query = 0; query < asked; query++) {
      const own = scores.subarray(query * rows, (query + 1) * rows)
      const best = [...own.keys()].sort(
        (a, b) =>
          (own[b] ?? NaN) - (own[a] ?? NaN) || compareCodePoints(part.corpus.ids[b] ?? '', part.corpus.ids[a] ?? ''),
      )
      expect(top.ranking(query)).toEqual({
        documents: Int32Array.from(best.slice(0, depth)),
        scores: Float32Array.from(best.slice(0, depth), (place) => own[place] ?? NaN),
      })
    }
  })

  test('of documents that are all alike takes those of the largest ids', async () => {
    const part = partOf(
      Array.from({ length: 6000 }, () => '1,1'),
      Array.from({ length: 20 }, () => '1,0'),
    )
    expect(lists(await searchCorpus(part, 50, await context(), { documents: 700 }), part)).toEqual(byHand(part, 50))
  })

  test.each(['cosine', 'dot', 'euclidean', 'manhattan'] as const)(
    'by %s names the document whose vector is not finite',
    async (similarity) => {
      for (const number of ['NaN', 'Infinity', '-Infinity']) {
        const part = partOf(['1,2', `${number},1`, '0,0'], ['0,1', '1,0'])
        await expect(searchCorpus(part, 2, await context({ similarity }))).rejects.toThrow(`${number},1`)
      }
    },
  )

  const documents = Array.from({ length: 95 }, (_, i) => `${(i * 37) % 11},${(i * 53) % 7}`)
  const part = partOf(documents, ['1,2', '-1,3'])

  test('that was stopped goes on after its last finished block', async () => {
    const seen: string[][] = []
    const checkpoints = openCheckpoints(place, 'SciFact', 'ab'.repeat(32))
    const stopAfter = (blocks: number): Context['embed'] => {
      let asked = 0
      return (texts, side) => {
        if (side === 'document' && asked++ === blocks) return Promise.reject(new Error('stopped'))
        if (side === 'document') seen.push([...texts])
        return Promise.resolve(embed(texts))
      }
    }
    const run = async (blocks: number) =>
      searchCorpus(part, 20, await context({ checkpoints, embed: stopAfter(blocks) }), { documents: 10 })
    await expect(run(4)).rejects.toThrow('stopped')
    await expect(run(3)).rejects.toThrow('stopped')
    expect(lists(await run(100), part)).toEqual(byHand(part, 20))
    expect(seen.flat()).toEqual(documents)
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.search'))).toEqual([])
  })

  test.each<
    [
      string,
      (checkpoints: ReturnType<typeof openCheckpoints>) => {
        checkpoints: ReturnType<typeof openCheckpoints>
        part: RetrievalPart
        depth: number
      },
    ]
  >([
    ['another result', () => ({ checkpoints: openCheckpoints(place, 'SciFact', 'ef'.repeat(32)), part, depth: 20 })],
    ['another depth', (checkpoints) => ({ checkpoints, part, depth: 19 })],
    [
      'other documents',
      (checkpoints) => ({ checkpoints, part: partOf([...documents, '9,9'], part.queries.texts), depth: 20 }),
    ],
    ['other queries', (checkpoints) => ({ checkpoints, part: partOf(documents, ['2,1', '-1,3']), depth: 20 })],
    [
      'a search that leaves out other documents',
      (checkpoints) => ({
        checkpoints,
        part: { ...part, excluded: new Map([['q0', new Set(['d0', 'd1'])]]) },
        depth: 20,
      }),
    ],
  ])('takes up nothing of %s', async (_, changed) => {
    const first = openCheckpoints(place, 'SciFact', 'cd'.repeat(32))
    let asked = 0
    const stopped = searchCorpus(
      part,
      20,
      await context({
        checkpoints: first,
        embed: (texts, side) =>
          side === 'document' && asked++ === 3 ? Promise.reject(new Error('stopped')) : Promise.resolve(embed(texts)),
      }),
      { documents: 10 },
    )
    await expect(stopped).rejects.toThrow('stopped')
    const { checkpoints, part: other, depth } = changed(first)
    let documentsAsked = 0
    const top = await searchCorpus(
      other,
      depth,
      await context({
        checkpoints,
        embed: (texts, side) => {
          if (side === 'document') documentsAsked += texts.length
          return Promise.resolve(embed(texts))
        },
      }),
      { documents: 10 },
    )
    expect(lists(top, other)).toEqual(byHand(other, depth))
    expect(documentsAsked).toBe(other.corpus.ids.length)
    await first.remove('default.test.search')
  })

  test('takes up nothing of a file that was damaged', async () => {
    const checkpoints = openCheckpoints(place, 'SciFact', '12'.repeat(32))
    const stopped = (after: number): Context['embed'] => {
      let asked = 0
      return (texts, side) =>
        side === 'document' && asked++ === after ? Promise.reject(new Error('stopped')) : Promise.resolve(embed(texts))
    }
    await expect(
      searchCorpus(part, 20, await context({ checkpoints, embed: stopped(3) }), { documents: 10 }),
    ).rejects.toThrow('stopped')
    // the last number says how long the last query's list is
    const bytes = (await checkpoints.load('default.test.search')) ?? new Uint8Array()
    await checkpoints.save('default.test.search', bytes.fill(99, bytes.length - 4))
    expect(lists(await searchCorpus(part, 20, await context({ checkpoints }), { documents: 10 }), part)).toEqual(
      byHand(part, 20),
    )
  })

  test('tells how far it is in documents', async () => {
    const told: string[] = []
    await searchCorpus(
      part,
      5,
      await context({ onProgress: ({ stage, done, total, unit }) => told.push(`${stage} ${done}/${total} ${unit}`) }),
      {
        documents: 50,
      },
    )
    expect(told).toEqual(['search 50/95 documents', 'search 95/95 documents'])
  })
})

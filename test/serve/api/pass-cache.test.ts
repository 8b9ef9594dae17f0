/** A server with a cache: the same numbers, fewer passes, and the keys of an evaluation. */
import { describe, expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import type { Keep } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { planServer } from '#serve/api'
import { scratchFolder } from '../../scratch.ts'
import { writeMixed } from '../../model/checkpoint/mixed-layers.ts'
import { served, type ServedAddress } from './served-address.ts'

const stories = 'assets/models/stories260K'
const texts = ['Once upon a time, there was a dog.', 'The end.', 'The end.', 'A dog and a cat went home.']
const distinct = new Set(texts).size
const { path } = scratchFolder()

async function vectors(server: ServedAddress, name: string, more: object = {}): Promise<number[][]> {
  const { status, text, json } = await server.post('/v1/embeddings', {
    model: `stories260K${name}`,
    input: texts,
    ...more,
  })
  if (status !== 200) throw new Error(text)
  return (json.data as { embedding: number[] }[]).map(({ embedding }) => embedding)
}

async function counted(server: ServedAddress): Promise<{ rows: number; hits: number; misses: number }> {
  const { text } = await server.get('/metrics')
  const count = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return {
    rows: count('strata_texts_total'),
    hits: count('strata_cache_hits_total'),
    misses: count('strata_cache_misses_total'),
  }
}

test('a plan names the representations whose vectors the cache does not have', async () => {
  await writeMixed(path('planned'))
  const models = await Promise.all([stories, path('planned'), 'bm25'].map((name) => openModel(name)))
  const [one, mixed, words] = models
  if (one === undefined || mixed === undefined || words === undefined) throw new Error('no models')
  const planned = async (asked: typeof models, isKept = true): Promise<unknown[]> => {
    const representations = asked === models ? [] : ['h1', 'default']
    const { signal } = new AbortController()
    const plan = await planServer(asked, { isKept, representations, signal })
    return [plan.isKept, plan.models.map(({ kept }) => kept), plan.lines[2]]
  }
  const kept = 'vectors of texts asked before come from the cache'
  expect(await planned([one])).toEqual([true, [['h1', 'default']], kept])
  expect(await planned([one], false)).toEqual([false, [[]], expect.stringMatching(/^stories260K: /)])
  expect(await planned(models)).toEqual([
    true,
    [['default'], [], []],
    `${kept}, but none of planned#default, bm25#default`,
  ])
  expect(await planned([mixed])).toEqual([
    false,
    [[]],
    'the cache has no vectors of planned#h1, planned#default: every text passes the model',
  ])
  await Promise.all(models.map((model) => model.close()))
})

describe('vectors that were asked before', () => {
  test('are not those of a mix of layers: its texts pass the model each time', async () => {
    const plain = await served([await writeMixed(path('mixed'))])
    const server = await served([path('mixed')], { isKept: true }, { store: openStore(path('of-mixed')) })
    const ask = async (one: ServedAddress, name: string): Promise<unknown> => {
      const { status, json } = await one.post('/v1/embeddings', { model: `mixed${name}`, input: ['a b', 'b b a'] })
      return [status, json.data?.map(({ embedding }: { embedding: number[] }) => embedding)]
    }
    for (const name of ['', '#h1', '', '#h1'])
      expect([name, await ask(server, name)]).toEqual([name, await ask(plain, name)])
    expect(await counted(server)).toMatchObject({ hits: 0, misses: 0 })
  })

  test('come from the cache, two representations of one model among them, with the numbers of a pass', async () => {
    const plain = await served([stories])
    const options = { isKept: true, representations: ['default', 'h2'] }
    const store = openStore(path('both'))
    const first = await served([stories], options, { store })
    const names = ['', '#h2', '#h4', '#mean:1-2', '#h3-cls', '#h2:8']
    const wanted = new Map<string, number[][]>()
    for (const name of names) wanted.set(name, await vectors(plain, name))
    expect(new Set([...wanted.values()].map((one) => JSON.stringify(one[0]))).size).toBe(names.length)
    for (const name of names) expect([name, await vectors(first, name)]).toEqual([name, wanted.get(name)])
    const { rows, misses } = await counted(first)
    expect(misses).toBeGreaterThanOrEqual(distinct)
    for (const name of names) expect([name, await vectors(first, name)]).toEqual([name, wanted.get(name)])
    const again = await counted(first)
    expect([again.rows, again.misses]).toEqual([rows, misses])
    expect(again.hits).toBeGreaterThanOrEqual(names.length * distinct)
    await first.stop()
    // another process, which has passed nothing itself
    const later = await served([stories], options, { store: openStore(path('both')) })
    for (const name of names) expect([name, await vectors(later, name)]).toEqual([name, wanted.get(name)])
    expect(await counted(later)).toEqual({ rows: 0, hits: names.length * distinct, misses: 0 })
  })

  test('are those of strata evaluate, both ways', async () => {
    const store = openStore(path('shared'))
    const model = await openModel(stories, { store })
    const kept = await model.states?.vectors()
    const missing = async (keep: Keep, prompt: string | null = null): Promise<number | undefined> =>
      kept?.missing({ texts, prompt }, keep)
    const server = await served([stories], { isKept: true, representations: ['h2'] }, { store })
    await vectors(server, '#h2')
    expect([await missing(2), await missing('last'), await missing(2, 'query: ')]).toEqual([0, distinct, distinct])
    await (await model.embedder({ keep: 'last' })).embed(['Tom had a ball.'])
    const before = await counted(server)
    await server.post('/v1/embeddings', { model: 'stories260K#default', input: 'Tom had a ball.' })
    expect(await counted(server)).toEqual({ ...before, hits: before.hits + 1 })
    await model.close()
  })

  test.each([
    ['read to another length', { maxLength: 3 }],
    ['under a prompt', { prompt: 'Once ' }],
    ['pooled otherwise', { pooling: 'max' }],
  ] as const)('are never those of a model %s', async (name, reading) => {
    const store = openStore(path(name))
    const one = await served([stories], { isKept: true }, { store })
    const own = await vectors(one, '')
    const other = await served([stories], { isKept: true }, { store, ...reading })
    const plain = await served([stories], {}, reading)
    expect(await vectors(other, '')).toEqual(await vectors(plain, ''))
    expect(await vectors(other, '')).not.toEqual(own)
    expect((await counted(other)).misses).toBe(distinct)
  })
})

test('token ids pass the model, long texts are refused, and nothing is kept without being asked', async () => {
  const store = openStore(path('few'))
  const server = await served([stories], { isKept: true }, { store, maxLength: 4 })
  const { status } = await server.post('/v1/embeddings', { input: [[1, 5, 7]] })
  expect([status, await counted(server)]).toEqual([200, { rows: 1, hits: 0, misses: 0 }])
  await vectors(server, '')
  const long = await server.post('/v1/embeddings', { input: texts, truncate: false })
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('more tokens than the model reads')])
  const silent = openStore(path('silent'))
  await vectors(await served([stories], {}, { store: silent }), '')
  expect((await silent.usage()).spaces).toEqual([])
})

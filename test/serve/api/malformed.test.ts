/** A short run of `bench/serve-fuzz.ts`, which sends a hundred thousand. */
import { expect, test } from 'vitest'
import { fuzz } from '../../../bench/lib/fuzz.ts'
import { mulberry } from '../../../bench/lib/random.ts'
import { goldenRerankers, writeReranker } from '../../model/checkpoint/golden-rerankers.ts'
import { scratchFolder } from '../../scratch.ts'
import { served } from './served-address.ts'

const folder = scratchFolder()

test('two thousand malformed requests are refused, each with 4xx, and the server is as it was', async () => {
  const [reranker] = goldenRerankers.cases
  if (reranker === undefined) throw new Error('no golden reranker')
  const head = folder.path('head')
  await writeReranker(head, reranker)
  const failures: string[] = []
  const server = await served(['assets/models/stories260K', head], {
    onFailure: ({ message }) => failures.push(message),
  })
  const probe = async (): Promise<string> => (await server.post('/v1/embeddings', { input: 'A dog.' })).text
  const before = await probe()
  const found = await fuzz({
    address: server.address,
    names: { model: 'stories260K', head: 'head' },
    count: 2000,
    draw: mulberry(7),
  })
  expect(found.complaints).toEqual([])
  expect(failures).toEqual([])
  expect(found.malformed).toBeGreaterThanOrEqual(2000)
  // every kind of request was among them
  expect(Object.keys(found.byKind)).toEqual(['framing', 'garbage', 'head', 'pipelined', 'text', 'type', 'value'])
  expect(await probe()).toBe(before)
  // that which asks is one
  expect((await server.get('/metrics')).text).toContain('\nstrata_queue_requests 1\n')
})

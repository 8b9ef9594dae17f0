/** A short run of `bench/serve-soak.ts`, which lasts ten minutes. */
import { encode } from 'strata-lm/layers'
import { expect, test } from 'vitest'
import { row } from '#core'
import { mulberry } from '../../../bench/lib/random.ts'
import { soak } from '../../../bench/lib/soak.ts'
import { served } from './served-address.ts'

test('sixteen clients, some of whom hang up or send nonsense, get the right vectors, and each is answered', async () => {
  const failures: string[] = []
  const maxBody = 2 ** 16
  const server = await served(['assets/models/stories260K'], {
    maxBody,
    onFailure: ({ message }) => failures.push(message),
  })
  const [model] = server.models
  if (model === undefined) throw new Error('no model')
  const texts = Array.from({ length: 40 }, (_, i) => 'A dog and a cat went home. '.repeat(1 + (i % 7)) + String(i))
  const wanted: Record<string, Float32Array[]> = {}
  for (const representation of ['default', 'h2', 'mean:1-3', 'h4:9']) {
    const encoded = await encode(model, texts, { representation })
    wanted[representation] = texts.map((_, i) => Float32Array.from(row(encoded, i)))
  }
  const found = await soak({
    address: server.address,
    names: { model: 'stories260K', head: 'stories260K' },
    texts,
    wanted,
    maxBody,
    gigantic: 64,
    clients: 16,
    draw: mulberry(11),
    isOver: (requests) => requests >= 400,
  })
  expect(found.complaints).toEqual([])
  expect(failures).toEqual([])
  expect(found.vectors).toBeGreaterThan(1000)
  expect(Object.keys(found.byKind)).toHaveLength(7)
  expect((await server.get('/metrics')).text).toContain('\nstrata_queue_requests 1\n')
})

/** Representations that are not made of the queue's passes: weights of words, and folders with two routes. */
import { expect, test } from 'vitest'
import { scratchFolder } from '../../scratch.ts'
import { goldenSparse, sparseCase, writeSparse } from '../../model/checkpoint/golden-sparse.ts'
import { served } from './served-address.ts'

const { path } = scratchFolder()
const { documents } = goldenSparse

test('a sparse model gives its weights of words, next to its states, and refuses what they cannot follow', async () => {
  const given = sparseCase('bert, max')
  const server = await served([await writeSparse(path('sparse'), given)])
  const ask = (body: object) => server.post('/v1/embeddings', { input: documents, ...body })
  const [own, state] = await Promise.all([ask({}), ask({ model: 'sparse#h1' })])
  const seen: number[][] = own.json.data.map(({ embedding }: { embedding: number[] }) => embedding)
  expect(seen.map(({ length }) => length)).toEqual(documents.map(() => given.width))
  given.plain.forEach(({ columns, weights }, text) =>
    // float32 in another order of summation
    columns.forEach((column, i) => expect(seen[text]?.[column]).toBeCloseTo(weights[i] ?? NaN, 4)),
  )
  expect(state.json.data[0].embedding).not.toHaveLength(given.width)
  for (const body of [{ input: [[2, 3, 4]] }, { truncate: false }]) {
    const { status, json } = await ask(body)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('of plain texts alone')])
  }
  expect((await ask({ model: 'sparse#h1', input: [[2, 3, 4]] })).status).toBe(200)
})

test('a folder with routes says that it reads texts of no side', async () => {
  const server = await served([await writeSparse(path('routed'), sparseCase('two models'))])
  const { status, json } = await server.post('/v1/embeddings', { input: documents, input_type: 'query' })
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('input_type')])
})

test('a layer of a folder with routes is of no side either', async () => {
  const server = await served([await writeSparse(path('sides'), sparseCase('two models'))])
  const ask = (body: object) => server.post('/v1/embeddings', { model: 'sides#h1', input: documents, ...body })
  expect((await ask({})).status).toBe(200)
  for (const side of ['query', 'document']) {
    const { status, json } = await ask({ input_type: side })
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('input_type')])
  }
})

import { combinationOf, encode, writeRepresentation } from 'strata-lm/layers'
import { beforeAll, describe, expect, test } from 'vitest'
import { row } from '#core'
import type { Model } from '#model/checkpoint'
import { scratchFolder } from '../../scratch.ts'
import { served, type ServedAddress } from './served-address.ts'

const stories = 'assets/models/stories260K'
const texts = ['Once upon a time, there was a dog.', 'The end.', '', 'A dog and a cat went home together. '.repeat(40)]
const folder = scratchFolder()

let server: ServedAddress
let model: Model
let mix: string

beforeAll(async () => {
  const { openModel } = await import('#experiment/open')
  model = await openModel(stories)
  const weights = Float64Array.of(0, 0.25, 0, 0.75, 0, 0)
  mix = await writeRepresentation(
    folder.path('mixes'),
    model,
    combinationOf('mine', { mix: { kind: 'sum', weights }, about: {} }),
  )
  server = await served([stories], { representations: ['default', mix] })
})

/** What `strata encode` gives. */
async function vectorsOf(representation: string): Promise<number[][]> {
  const encoded = await encode(model, texts, { representation })
  return texts.map((_, at) => [...row(encoded, at)])
}

const vectorsIn = (data: readonly { embedding: number[] }[]): number[][] => data.map(({ embedding }) => embedding)

describe('vectors of a server', () => {
  test.each(['default', 'h0', 'h3', 'h-1', 'h3-lasttoken', 'mean:2-4', 'h3:5', 'mean:2-4:7'])(
    '%s: those of encode, to the last bit',
    async (representation) => {
      const { status, json } = await server.post('/v1/embeddings', {
        model: `stories260K#${representation}`,
        input: texts,
      })
      expect(status).toBe(200)
      expect(vectorsIn(json.data)).toEqual(await vectorsOf(representation))
    },
  )

  test('a file that was named at the start, by its path and by the name of the mix', async () => {
    const wanted = await vectorsOf(mix)
    const named = /([^/]+)\.json$/.exec(mix)?.[1] ?? ''
    for (const name of [mix, named]) {
      const { json } = await server.post('/v1/embeddings', { model: `stories260K#${name}`, input: texts })
      expect(vectorsIn(json.data)).toEqual(wanted)
    }
  })

  test('everything at once: each gets its own, and passes are shared', async () => {
    const names = ['default', 'h1', 'h2', 'h3', 'h4', 'h5', 'mean:1-3', 'h2:3', 'h4-lasttoken']
    const before = await passed(server)
    const answers = await Promise.all(
      Array.from({ length: 27 }, (_, i) =>
        server.post('/v1/embeddings', { model: `stories260K#${names[i % names.length]}`, input: texts }),
      ),
    )
    const after = await passed(server)
    for (const [i, { json }] of answers.entries())
      expect(vectorsIn(json.data)).toEqual(await vectorsOf(names[i % names.length] ?? ''))
    expect(after.rows - before.rows).toBeLessThan(27 * texts.length)
  })

  test('several layers of a text come from one pass of it', async () => {
    const before = await passed(server)
    const { json } = await server.post('/v1/embeddings', { input: texts, layers: [3, -1, 0] })
    const after = await passed(server)
    expect(after.rows - before.rows).toBe(texts.length)
    expect(json.data.map(({ index, layer }: { index: number; layer: number }) => `${index} ${layer}`)).toEqual(
      texts.flatMap((_, at) => [0, 3, 5].map((h) => `${at} ${h}`)),
    )
    const third = json.data.filter(({ layer }: { layer: number }) => layer === 3)
    expect(vectorsIn(third)).toEqual(await vectorsOf('h3'))
    const all = await server.post('/v1/embeddings', { input: 'The end.', layers: 'all' })
    expect(all.json.data).toHaveLength(6)
  })

  test('base64 holds the same numbers; ids those of the text', async () => {
    const [text = ''] = texts
    const input = await server.post('/tokenize', { inputs: text })
    const ids = input.json[0].map(({ id }: { id: number }) => id)
    const { json } = await server.post('/v1/embeddings', { input: [ids], encoding_format: 'base64' })
    const bytes = Buffer.from(json.data[0].embedding, 'base64')
    const numbers = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i))
    expect(numbers).toEqual((await vectorsOf('default'))[0])
    expect(json.usage).toEqual({ prompt_tokens: ids.length, total_tokens: ids.length })
  })

  test('/embed: of length 1 unless normalize says no; /embed_all: a vector for each token', async () => {
    const [plain = []] = await vectorsOf('default')
    const unscaled = await server.post('/embed', { inputs: texts[0], normalize: false })
    expect(unscaled.json).toEqual([plain])
    const scaled = await server.post('/embed', { inputs: texts[0] })
    const length = Math.hypot(...plain)
    expect(scaled.json[0]).toEqual(plain.map((value) => Math.fround(value / length)))
    const tokens = await server.post('/tokenize', { inputs: texts[0] })
    const all = await server.post('/embed_all', { model: 'stories260K#h5', inputs: texts[0] })
    expect(all.json[0]).toHaveLength(tokens.json[0].length)
    const [last = []] = await vectorsOf('h5-lasttoken')
    const seen: number[] = all.json[0].at(-1)
    // token states are those of another graph: float32 sums in another order
    seen.forEach((value, k) => expect(value).toBeCloseTo(last[k] ?? NaN, 4))
  })
})

async function passed(from: ServedAddress): Promise<{ rows: number; passes: number }> {
  const { text } = await from.get('/metrics')
  const numberOf = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { rows: numberOf('strata_texts_total'), passes: numberOf('strata_batch_rows_count') }
}

describe('requests that a server refuses', () => {
  test.each([
    [404, { model: 'stories' }, 'did you mean stories260K'],
    [400, { inptu: 'x' }, 'did you mean input?'],
    [400, { model: 'stories260K#h9' }, 'layers: the model has no such hidden state – 9, wanted 0 … 5'],
    [400, { model: 'stories260K#../../x.json' }, 'named when the server starts'],
    [400, { model: 'stories260K#/etc/passwd' }, 'named when the server starts'],
    [400, { model: 'stories260K#default:int8' }, 'a server answers in float32'],
    [400, { model: 'stories260K#h2', layers: [1] }, 'cannot be combined'],
    [400, { dimensions: 65 }, 'the vector has fewer dimensions'],
    [400, { input: [] }, 'input'],
    [400, { input: [99_999] }, 'no embedding – 99999'],
    [400, { input: [[1, -1]] }, 'input'],
    [400, { input: 'dog '.repeat(600), truncate: false }, 'more tokens than the model reads'],
    [400, { input: Array.from({ length: 600 }, () => 5) }, 'not a number of tokens that the model reads'],
    [400, { prompt_name: 'query' }, 'prompt_name: the model has no prompt of this name'],
  ])('%i: %j', async (status, body, message) => {
    const answered = await server.post('/v1/embeddings', { input: 'x', ...body })
    expect(answered).toMatchObject({ status, json: { error: { type: 'invalid_request_error' } } })
    expect(answered.json.error.message).toContain(message)
  })

  test('no answer holds the path of a file', async () => {
    const { json } = await server.get('/v1/models')
    const name = /([^/]+)\.json$/.exec(mix)?.[1] ?? ''
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([
      'stories260K',
      'stories260K#default',
      `stories260K#${name}`,
    ])
    const refused = await server.post('/v1/embeddings', { model: 'stories260K#./other.json', input: 'x' })
    expect(refused.json.error.message).toContain(name)
    expect(refused.text).not.toContain(mix)
  })

  test('a representation where it has no effect, and texts that cannot be refused where they are cut', async () => {
    for (const [path, body, words] of [
      ['/tokenize', { model: 'stories260K#h2', inputs: 'x' }, 'has no effect'],
      ['/v1/completions', { model: 'stories260K#h2', prompt: 'x' }, 'has no effect'],
      ['/embed_all', { inputs: 'x', truncate: false }, 'long texts are cut'],
    ] as const) {
      const { status, text } = await server.post(path, body)
      expect([path, status, text]).toEqual([path, 400, expect.stringContaining(words)])
    }
  })

  test('a head that the model does not have', async () => {
    expect(await server.post('/predict', { inputs: 'x' })).toMatchObject({
      status: 400,
      json: { error_type: 'validation' },
    })
    expect((await server.post('/rerank', { query: 'x', texts: ['y'] })).json.error).toContain('does not score pairs')
  })
})

/** Vectors of servers: read in every form, and servers that lie, each refused by what they do. */
import { afterEach, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { type EmbeddingOptions, type EmbeddingServer, openEmbeddingServer } from '#model/server'
import { type Answering, answering, type Question, type Reply } from './answering.ts'

interface Entry {
  index?: number | undefined
  embedding: number[] | string
}
interface Answer {
  model?: string
  data: Entry[]
}

/** A vector that follows from the text alone: sums of its letters under four waves. */
function vectorOf(text: string, width = 4): number[] {
  return Array.from({ length: width }, (_, slot) =>
    Math.fround(
      Array.from(text).reduce((sum, letter, at) => sum + Math.sin((letter.codePointAt(0) ?? 0) * (slot + 1) + at), 1),
    ),
  )
}
const base64 = (values: readonly number[]): string => Buffer.from(Float32Array.from(values).buffer).toString('base64')
const textsIn = ({ body }: Question): string[] => [body['input'] ?? body['inputs']].flat() as string[]
const honest = (question: Question): Answer => ({
  model: String(question.body['model']),
  data: textsIn(question).map((text, index) => ({ index, embedding: vectorOf(text) })),
})
const changed =
  (change: (entry: Entry, at: number, question: Question) => void) =>
  (question: Question): Reply => {
    const content = honest(question)
    content.data.forEach((entry, at) => change(entry, at, question))
    return { content }
  }

let server: Answering | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function asking(
  answer: (question: Question) => Promise<Reply | undefined> | Reply | undefined,
  options: Partial<EmbeddingOptions> = {},
): Promise<EmbeddingServer> {
  server = await answering(answer)
  return openEmbeddingServer({
    kind: 'openai-embeddings',
    model: 'org/model',
    address: `${server.root}/embeddings`,
    key: () => 'a-secret-key',
    tries: 1,
    batchSize: 3,
    ...options,
  })
}

const texts = ['one', 'two words', 'three words here', 'four', 'five']

async function troubleOf(asked: EmbeddingServer): Promise<Fault> {
  try {
    await asked.probe()
    await asked.encode(texts)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('the server was believed')
}

describe('vectors of a server', () => {
  test.each([
    ['numbers', honest],
    [
      'base64',
      (question: Question) => ({
        data: honest(question).data.map(({ index, embedding }) => ({
          index,
          embedding: base64(embedding as number[]),
        })),
      }),
    ],
    ['indexes in any order', (question: Question) => ({ data: honest(question).data.toReversed() })],
    [
      'no index, and the order of the texts',
      (question: Question) => ({ data: honest(question).data.map(({ embedding }) => ({ embedding })) }),
    ],
  ])('come as %s', async (_, content) => {
    const asked = await asking((question) => ({ content: content(question) }))
    await asked.probe()
    const rows = await asked.encode(texts)
    expect(rows.map((row) => [...row])).toEqual(texts.map((text) => vectorOf(text)))
    expect(server?.questions.every(({ authorization }) => authorization === 'Bearer a-secret-key')).toBe(true)
  })

  test('come from text-embeddings-inference, and from a server under another name', async () => {
    const tei = await asking((question) => ({ content: textsIn(question).map((text) => vectorOf(text)) }), {
      kind: 'tei-embeddings',
      normalize: false,
    })
    expect([...((await tei.encode(['one']))[0] ?? [])]).toEqual(vectorOf('one'))
    expect(server?.questions[0]?.body).toEqual({ inputs: ['one'], truncate: true, normalize: false })
    await server?.close()
    const renamed = await asking((question) => ({ content: { ...honest(question), model: 'file.gguf' } }), {
      answerModel: 'file.gguf',
      dimensions: 4,
      fields: { input_type: 'passage' },
    })
    await renamed.probe()
    expect(server?.questions[0]?.body).toMatchObject({ dimensions: 4, input_type: 'passage', encoding_format: 'float' })
  })

  test('of a card, which differ a little with the batch, are believed', async () => {
    const noisy = changed((entry, at, question) => {
      entry.embedding = vectorOf(textsIn(question)[at] ?? '').map(
        (value, slot) => value * (1 + 0.004 * ((at + slot) % 3)),
      )
    })
    await expect((await asking(noisy)).probe()).resolves.toHaveLength(5)
  })

  test('are asked for again after 429, as the server says', async () => {
    let count = 0
    const asked = await asking(
      (question) =>
        count++ === 0 ? { status: 429, headers: { 'retry-after': '0' }, content: {} } : { content: honest(question) },
      { tries: 2 },
    )
    expect(await asked.encode(['one'])).toHaveLength(1)
    expect(count).toBe(2)
  })
})

describe('a server that cannot be believed is refused', () => {
  let calls = 0
  test.each<
    [string, (question: Question) => Promise<Reply | undefined> | Reply | undefined, string, Partial<EmbeddingOptions>?]
  >([
    [
      'too few vectors',
      (question) => ({ content: { data: honest(question).data.slice(1) } }),
      'one vector for each text',
    ],
    [
      'sorted by length, without index',
      (question) => ({
        content: {
          data: textsIn(question)
            .toSorted((a, b) => a.length - b.length)
            .map((text) => ({ embedding: vectorOf(text) })),
        },
      }),
      'in another order than its texts',
    ],
    [
      'every batch reversed, without index',
      (question) => ({
        content: {
          data: honest(question)
            .data.toReversed()
            .map(({ embedding }) => ({ embedding })),
        },
      }),
      'in another order than its texts',
      { batchSize: 5 },
    ],
    ['one index twice', changed((entry) => (entry.index = 0)), 'by its index'],
    [
      'NaN',
      (question) => ({ content: JSON.stringify(honest(question)).replace(/"embedding":\[[^,]+/, '"embedding":[NaN') }),
      'not a number',
    ],
    [
      'null',
      (question) => ({ content: JSON.stringify(honest(question)).replace(/"embedding":\[[^,]+/, '"embedding":[null') }),
      'not a number',
    ],
    ['infinity in base64', changed((entry) => (entry.embedding = base64([1, Infinity, 2, 3]))), 'not finite'],
    ['zeros', changed((entry) => (entry.embedding = [0, 0, 0, 0])), 'every number of the vector is 0'],
    ['other dimensions than asked', (question) => ({ content: honest(question) }), 'another width', { dimensions: 3 }],
    [
      'another width in the middle',
      changed((entry, at, question) => {
        const text = textsIn(question)[at] ?? ''
        if (text === 'four') entry.embedding = vectorOf(text, 5)
      }),
      'different widths',
    ],
    [
      'another model',
      (question) => ({ content: { ...honest(question), model: 'org/other' } }),
      'another model answered',
    ],
    ['one vector for all', changed((entry) => (entry.embedding = [1, 2, 3, 4])), 'different texts the same vector'],
    ['base64 cut short', changed((entry) => (entry.embedding = base64([1, 2, 3, 4]).slice(0, 18))), 'base64'],
    [
      'an error under 200',
      () => ({ content: { error: { message: 'model overloaded a-secret-key' } } }),
      'model overloaded …',
    ],
    ['a page', () => ({ content: '<html>a-secret-key</html>' }), 'not JSON'],
    [
      'another vector each time',
      changed((entry) => (entry.embedding = vectorOf(`text ${calls++}`))),
      'another vector when it is asked again',
    ],
    [
      '429 without end',
      () => ({ status: 429, headers: { 'retry-after': '0' }, content: { error: 'slow down' } }),
      '429 slow down',
      { tries: 3 },
    ],
    ['silence', () => undefined, 'no whole answer within 1 s', { seconds: 1 }],
    ['no such model', () => ({ status: 404, content: { error: { message: 'no such model' } } }), '404 no such model'],
  ])('%s', async (_, answer, words, options = {}) => {
    calls = 0
    const asked = await asking(answer, options)
    const { message, hint = '' } = await troubleOf(asked)
    expect(message).toContain(words)
    expect(`${message}${hint}`).not.toContain('a-secret-key')
  })

  test('a vector of another width than the kept ones', async () => {
    const asked = await asking((question) => ({ content: honest(question) }))
    await expect(asked.encode(['one'], { width: 5 })).rejects.toThrow('another width – 4, wanted 5')
  })
})

test('what a vector is kept under has everything that moves it, and no key', async () => {
  const asked = (options: Partial<EmbeddingOptions>): string => {
    const { description } = openEmbeddingServer({
      kind: 'openai-embeddings',
      model: 'm',
      address: 'http://localhost:9/v1/embeddings',
      key: () => 'a-secret-key',
      ...options,
    })
    return JSON.stringify(description)
  }
  const moving: readonly Partial<EmbeddingOptions>[] = [
    {},
    { kind: 'tei-embeddings' },
    { model: 'other' },
    { address: 'http://localhost:8/v1/embeddings' },
    { address: 'http://localhost:9/v2/embeddings' },
    { address: 'http://localhost:9/v1/embeddings?api-version=a-secret-key' },
    { dimensions: 3 },
    { normalize: false },
    { fields: { input_type: 'a-secret-key' } },
    { revision: 'two' },
  ]
  const descriptions = moving.map(asked)
  expect(new Set(descriptions).size).toBe(moving.length)
  expect(descriptions.join()).not.toContain('a-secret-key')
  const still: readonly Partial<EmbeddingOptions>[] = [
    { encoding: 'base64' },
    { batchSize: 1 },
    { concurrent: 4 },
    { tolerance: 0.1 },
  ]
  expect(new Set([...still.map(asked), descriptions[0]]).size).toBe(1)
})

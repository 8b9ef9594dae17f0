import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { LanguageModel } from '#core'
import { languageModelOf } from '#model/checkpoint'
import { scratchFolder } from '../../scratch.ts'
import { served, type ServedAddress } from './served-address.ts'

let server: ServedAddress
let model: LanguageModel
beforeAll(async () => {
  server = await served(['assets/models/stories260K'])
  const [own] = server.models
  if (own === undefined) throw new Error('no model')
  model = await languageModelOf(own, 'test')
})

const folder = scratchFolder()
const prompts = ['Once upon a time', 'The dog']
const ask = (body: object) => server.post('/v1/completions', { prompt: prompts[0], ...body })

async function events(body: object): Promise<unknown[]> {
  const { status, text } = await ask({ ...body, stream: true })
  expect(status).toBe(200)
  const lines = text.split('\n\n').filter((line) => line !== '')
  expect(lines.at(-1)).toBe('data: [DONE]')
  return lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown)
}

describe('completions of a server', () => {
  test('those of generate, prompt by prompt, with what they cost', async () => {
    const wanted = await model.generate(prompts, { maxTokens: 12, temperature: 0 })
    const { json } = await ask({ prompt: prompts, max_tokens: 12, temperature: 0 })
    expect(json.choices).toEqual(
      wanted.map(({ text }, index) => ({ text, index, logprobs: null, finish_reason: 'length' })),
    )
    const { completion_tokens, prompt_tokens, total_tokens } = json.usage
    expect([completion_tokens, total_tokens]).toEqual([24, prompt_tokens + 24])
  })

  test('a stop string ends a text and is not part of it', async () => {
    const [whole] = await model.generate([prompts[0] ?? ''], { maxTokens: 40, temperature: 0 })
    const stop = whole?.text.slice(8, 11) ?? ''
    const { json } = await ask({ max_tokens: 40, temperature: 0, stop })
    expect(json.choices[0]).toMatchObject({
      text: whole?.text.slice(0, whole.text.indexOf(stop)),
      finish_reason: 'stop',
    })
  })

  test('a seed draws the same text again, another one another', async () => {
    const drawn = async (seed: number): Promise<string> => (await ask({ max_tokens: 20, seed })).json.choices[0].text
    const [first, again, other] = [await drawn(1), await drawn(1), await drawn(2)]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  test('the pieces of a stream are the text, and the last says how it ended', async () => {
    const { json } = await ask({ max_tokens: 20, temperature: 0 })
    const pieces = (await events({ max_tokens: 20, temperature: 0 })) as {
      choices: [{ text: string; finish_reason: string | null }]
    }[]
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.map(({ choices: [{ text }] }) => text).join('')).toBe(json.choices[0].text)
    expect(pieces.map(({ choices: [{ finish_reason }] }) => finish_reason)).toEqual([
      ...pieces.slice(1).map(() => null),
      'length',
    ])
  })

  test.each([
    [{ logprobs: 1 }, 'a prompt that is given back'],
    [{ echo: true }, 'a prompt that is given back'],
    [{ echo: true, logprobs: 1, max_tokens: 2, temperature: 0 }, 'a prompt that is given back'],
    [{ echo: true, logprobs: 1, max_tokens: 1 }, 'a prompt that is given back'],
    [{ echo: true, logprobs: 1, max_tokens: 0, prompt: [99_999] }, 'no such token'],
    [{ max_tokens: 0 }, 'a prompt that is given back'],
    [{ prompt: [1, 2, 3] }, 'tokenized_requests=False'],
    [{ n: 2 }, 'n:'],
    [{ temperatur: 0 }, 'did you mean temperature?'],
  ])('%j is refused', async (body, words) => {
    const { status, json } = await ask(body)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(words)])
  })

  test('a prompt is given back with its log-probabilities, as text or as ids, and with what follows', async () => {
    const [text = ''] = prompts
    const body = { echo: true, logprobs: 1, max_tokens: 1, temperature: 0 }
    const { json } = await ask(body)
    const { token_logprobs, top_logprobs, tokens } = json.choices[0].logprobs
    const [score] = await model.logLikelihoods([{ context: '', continuation: text }])
    const sum = (token_logprobs.slice(1, -1) as number[]).reduce((a, b) => a + b, 0)
    // sums of float32 in another order
    expect(sum).toBeCloseTo(score?.logLikelihood ?? NaN, 4)
    expect([token_logprobs[0], top_logprobs[0]]).toEqual([null, null])
    const [written] = await model.generate([text], { maxTokens: 1, temperature: 0 })
    expect(tokens.at(-1)).toBe(written?.text)
    const best = (top_logprobs.slice(1) as Record<string, number>[]).map((one) => Math.max(...Object.values(one)))
    const below = best.filter((most, i) => most < token_logprobs[i + 1])
    expect([best.length, below]).toEqual([token_logprobs.length - 1, []])
    const input = await server.post('/tokenize', { inputs: text })
    const ids = input.json[0].map(({ id }: { id: number }) => id)
    const again = await ask({ ...body, prompt: [ids, ids.slice(0, 3)] })
    expect(again.json.choices[0].logprobs).toEqual(json.choices[0].logprobs)
    const [, shorter] = again.json.choices
    const ends = [1, 2].map((i) => expect.closeTo(token_logprobs[i], 5) as number)
    expect(shorter.logprobs.token_logprobs.slice(0, 3)).toEqual([null, ...ends])
  })

  test('a model without a chat template has no chats', async () => {
    const { status, json } = await server.post('/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] })
    expect([status, json.error.code]).toEqual([400, 'chat.template'])
  })

  test('a chat is the prompt of its template, and streams like any other', async () => {
    const speaker = folder.path('speaker')
    cpSync('assets/models/stories260K', speaker, { recursive: true })
    const config = join(speaker, 'tokenizer_config.json')
    const chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), chat_template }))
    const chats = await served([speaker])
    const [own] = chats.models
    if (own === undefined) throw new Error('no model')
    const writer = await languageModelOf(own, 'test')
    const [wanted] = await writer.generate(['user: Hi there\nassistant:'], {
      maxTokens: 9,
      temperature: 0,
      addSpecialTokens: false,
    })
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi ' },
          { type: 'text', text: 'there' },
        ],
      },
    ]
    const body = { messages, max_completion_tokens: 9, temperature: 0 }
    const { json } = await chats.post('/v1/chat/completions', body)
    expect(json.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: wanted?.text },
        logprobs: null,
        finish_reason: 'length',
      },
    ])
    const { text } = await chats.post('/v1/chat/completions', { ...body, stream: true })
    const pieces = [...text.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(
      ([, piece = '']) => JSON.parse(piece) as string,
    )
    expect(pieces.join('')).toBe(wanted?.text)
  })
})

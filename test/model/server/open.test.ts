/**
 * Requests to servers, against those of the real lm-evaluation-harness (oracles/harness_server.py), and servers
 * that lie, fail or are not there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Fault, LanguageModel } from '#core'
import { openServerModel } from '#experiment/open'
import { type ServerKind, serverKinds } from '#model/server'
import { serverArgs } from '../../../src/cli/commands/harness/server-args.ts'
import { openRepo, parseReference } from '#files/hub'
import { loadTokenizer } from '#model/tokenizer'
import { type Answering, answering, type Question, type Reply } from './answering.ts'

const carried = join(import.meta.dirname, '..', '..', '..', 'assets', 'models', 'stories260K')

interface Case {
  readonly kind: ServerKind
  readonly args: Readonly<Record<string, unknown>>
  readonly question: {
    readonly loglikelihood?: readonly (readonly [string, string])[]
    readonly rolling?: readonly string[]
    readonly generate?: readonly string[]
    readonly chat?: readonly (readonly { role: string; content: string }[])[]
    readonly prompts?: readonly string[]
    readonly kwargs?: Readonly<Record<string, unknown>>
  }
  readonly path: string
  readonly result: readonly unknown[]
  readonly exchanges: readonly (Question & { readonly answer: unknown })[]
}
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'harness-server.json'), 'utf8')) as {
  cases: readonly Case[]
}

beforeAll(() => {
  vi.stubEnv('OPENAI_API_KEY', 'not-a-key')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const keyOf = (body: unknown): string =>
  JSON.stringify(body, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

async function modelAt(
  kind: ServerKind,
  address: string,
  args: Readonly<Record<string, unknown>>,
): Promise<LanguageModel> {
  const settings = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value === 'TOKENIZER' ? carried : value]),
  )
  return openServerModel(serverArgs(kind, { base_url: address, ...settings }, { batch: undefined }))
}

async function ask(
  model: LanguageModel,
  { loglikelihood, rolling, generate, chat, kwargs }: Case['question'],
): Promise<unknown[]> {
  if (loglikelihood !== undefined) {
    const scores = await model.logLikelihoods(
      loglikelihood.map(([context, continuation]) => ({ context, continuation })),
    )
    return scores.map(({ logLikelihood, isGreedy }) => [logLikelihood, isGreedy])
  }
  if (rolling !== undefined) return model.rollingLogLikelihoods(rolling)
  const prompts = generate ?? chat?.map((turns) => model.chatPrompt?.(turns) ?? '') ?? []
  const texts = await model.generate(prompts, { kwargs, addSpecialTokens: chat === undefined ? undefined : false })
  return texts.map(({ text }) => text)
}

/**
 * Log-probabilities of a prompt that the recorded run did not ask: what is sent first, to find out servers that lie.
 */
async function madeUp({ body }: Question): Promise<unknown> {
  const tokenizer = await loadTokenizer(await openRepo(parseReference(carried)))
  const { prompt } = body
  const prompts = typeof prompt === 'string' ? [prompt] : (prompt as readonly (string | readonly number[])[])
  const read = await tokenizer.encodeBatch(
    prompts.map((one) => (typeof one === 'string' ? one : '')),
    { addSpecialTokens: false },
  )
  const choices = prompts.map((one, index) => {
    const ids = typeof one === 'string' ? (read[index]?.ids ?? []) : one
    const own = [null, ...Array.from({ length: ids.length }, (_, i) => -1 - i / 8 - (ids[1] ?? 7) / 64)]
    return {
      index,
      logprobs: { token_logprobs: own, top_logprobs: own.map((value) => (value === null ? null : { t: value })) },
    }
  })
  return { choices }
}

describe('every request of the reference is sent, and its answers are read as it reads them', () => {
  test.each(recorded.cases.map((one, i) => [i, one] as const))(
    'case %i',
    async (_, { kind, args, question, path, result, exchanges }) => {
      const answers = new Map(exchanges.map(({ body, answer }) => [keyOf(body), answer]))
      const others: Question[] = []
      const server = await answering(async (asked) => {
        const content = answers.get(keyOf(asked.body))
        if (content === undefined) others.push(asked)
        return { content: content ?? (await madeUp(asked)) }
      })
      try {
        const model = await modelAt(kind, server.root + path, args)
        expect(await ask(model, question)).toEqual(result)
        expect(question.chat?.map((turns) => model.chatPrompt?.(turns))).toEqual(question.prompts)
        const sent = server.questions.filter((one) => !others.includes(one))
        expect(sent.map(({ body }) => keyOf(body)).sort((a, b) => (a < b ? -1 : 1))).toEqual(
          exchanges.map(({ body }) => keyOf(body)).sort((a, b) => (a < b ? -1 : 1)),
        )
        expect(new Set(sent.map((one) => `${one.path} ${one.authorization}`))).toEqual(
          new Set(exchanges.map((one) => `${one.path} ${one.authorization}`)),
        )
        // nothing else is asked but whether the server scores at all
        expect(others.every(({ body }) => body['echo'] === true)).toBe(true)
        expect(others.length).toBeLessThanOrEqual(2)
      } finally {
        await server.close()
      }
    },
  )
})

describe('a server that cannot be believed', () => {
  let server: Answering
  afterEach(async () => server.close())

  interface Choice {
    index: number
    logprobs: { token_logprobs: (number | null)[]; top_logprobs: (Record<string, number> | null)[] } | null
  }
  const honest = async (question: Question): Promise<{ choices: Choice[] }> =>
    (await madeUp(question)) as { choices: Choice[] }
  const changed =
    (change: (logprobs: NonNullable<Choice['logprobs']>, choice: Choice) => void) =>
    async (question: Question): Promise<Reply> => {
      const content = await honest(question)
      for (const choice of content.choices) if (choice.logprobs !== null) change(choice.logprobs, choice)
      return { content }
    }
  type Answer = (question: Question) => Promise<Reply> | Reply | undefined
  const scores = async (answer: Answer, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    server = await answering(answer)
    const model = await modelAt('local-completions', `${server.root}/completions`, {
      model: 'tiny',
      tokenizer: 'TOKENIZER',
      ...args,
    })
    return ask(model, { loglikelihood: [['Once upon a time', ' there was']] }).catch((error: unknown) => error)
  }

  test('an honest one is believed', async () => {
    expect(await scores(async (question) => ({ content: await honest(question) }))).toEqual([
      [expect.any(Number), true],
    ])
  })

  test.each<[string, Answer, string, RegExp]>([
    ['no log-probabilities', changed((_, choice) => (choice.logprobs = null)), 'server.answer', /no log-probabilities/],
    [
      'those of what it wrote alone',
      changed((own) => {
        own.token_logprobs.splice(0, Infinity, -1)
        own.top_logprobs.splice(0, Infinity, { t: -1 })
      }),
      'server.answer',
      /echo/,
    ],
    [
      'fewer tokens',
      changed((own) => {
        own.token_logprobs.pop()
        own.top_logprobs.pop()
      }),
      'server.answer',
      /other tokens/,
    ],
    [
      'one token more',
      changed((own) => {
        own.token_logprobs.push(-1)
        own.top_logprobs.push({ t: -1 })
      }),
      'server.answer',
      /other tokens/,
    ],
    ['fewer lists of the most probable', changed((own) => own.top_logprobs.pop()), 'server.answer', /other tokens/],
    ['a gap', changed((own) => (own.token_logprobs[2] = null)), 'server.answer', /no log-probability of token 3/],
    ['a log-probability above 0', changed((own) => (own.token_logprobs[2] = 0.5)), 'server.answer', /above 0/],
    [
      'a most probable token that is not',
      changed((own) => (own.top_logprobs[2] = { t: -30 })),
      'server.answer',
      /less probable/,
    ],
    [
      'NaN',
      async (question) => ({ content: JSON.stringify(await honest(question)).replace(/-\d+\.\d+/, 'NaN') }),
      'server.answer',
      /not a number/,
    ],
    [
      'the same whatever it is asked',
      changed((own) =>
        own.token_logprobs.forEach((value, i) => {
          if (value !== null) {
            own.token_logprobs[i] = -2
            own.top_logprobs[i] = { t: -2 }
          }
        }),
      ),
      'server.answer',
      /the same log-probabilities/,
    ],
    ['no choices', () => ({ content: { error: 'nothing' } }), 'server.answer', /one choice per prompt/],
    [
      'one place twice',
      async (question) => ({
        content: { choices: [...(await honest(question)).choices, ...(await honest(question)).choices] },
      }),
      'server.answer',
      /one choice per prompt/,
    ],
    ['a page', () => ({ content: '<html>hello</html>' }), 'server.answer', /not JSON/],
    [
      'a refusal that repeats the key',
      ({ authorization }) => ({ status: 401, content: { error: { message: `bad key ${authorization}` } } }),
      'server.refused',
      /401 bad key Bearer …/,
    ],
    ['no such address', () => ({ status: 404, content: '' }), 'server.refused', /404/],
  ])('%s: refused before anything is scored', async (_, answer, code, words) => {
    const error = (await scores(answer)) as Fault
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)])
    expect(JSON.stringify([error.message, error.parts])).not.toContain('not-a-key')
  })

  test('one that is busy is asked again, as often as max_retries says', async () => {
    let tries = 0
    const busy =
      (until: number) =>
      async (question: Question): Promise<Reply> =>
        ++tries <= until
          ? { status: 429, headers: { 'retry-after': '0' }, content: { error: 'busy' } }
          : { content: await honest(question) }
    expect(await scores(busy(2))).toEqual([[expect.any(Number), true]])
    await server.close()
    tries = 0
    const error = (await scores(busy(100), { max_retries: 2, batch_size: 2 })) as Fault
    expect([error.code, tries]).toEqual(['server.refused', 2])
  })

  test('one that is silent, or not there, is said so', async () => {
    const silent = (await scores(() => undefined, { timeout: 1, max_retries: 1 })) as Fault
    expect(silent.code).toBe('server.network')
    const model = await modelAt('local-completions', 'http://127.0.0.1:9/v1/completions', {
      model: 'tiny',
      tokenizer: 'TOKENIZER',
      max_retries: 1,
    })
    expect(await ask(model, { loglikelihood: [['a', ' b']] }).catch((error: unknown) => (error as Fault).code)).toBe(
      'server.network',
    )
  })
})

describe('what a server cannot give', () => {
  test.each(Object.keys(serverKinds) as ServerKind[])(
    '%s: without an address, a model or a key it is not asked',
    async (kind) => {
      expect(() => serverArgs(kind, {}, { batch: undefined })).toThrow(/the name of the model/)
      expect(() => serverArgs(kind, { model: 'x', base_url: 'localhost:80' }, { batch: undefined })).toThrow(/address/)
      expect(() =>
        serverArgs(
          kind,
          { model: 'x', base_url: 'http://x/', tokenizer_backend: 'None', modle: 'y' },
          { batch: undefined },
        ),
      ).toThrow(/modle/)
    },
  )

  test('a chat gives no scores, and takes only chats; without a tokenizer there are none either', async () => {
    const chat = await modelAt('local-chat-completions', 'http://127.0.0.1:9/v1/chat/completions', { model: 'x' })
    await expect(chat.logLikelihoods([{ context: 'a', continuation: ' b' }])).rejects.toThrow(/no log-probabilities/)
    await expect(chat.generate(['a'])).rejects.toThrow(/takes only chats/)
    const texts = await modelAt('local-completions', 'http://127.0.0.1:9/v1/completions', {
      model: 'x',
      tokenizer_backend: 'None',
    })
    await expect(texts.rollingLogLikelihoods(['a'])).rejects.toThrow(/scores need a tokenizer/)
  })

  test('OpenAI without a key is refused', async () => {
    vi.stubEnv('OPENAI_API_KEY', undefined)
    await expect(
      modelAt('openai-chat-completions', 'https://api.openai.com/v1/chat/completions', { model: 'x' }),
    ).rejects.toThrow(/needs an API key/)
    vi.stubEnv('OPENAI_API_KEY', 'not-a-key')
  })
})

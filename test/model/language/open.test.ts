/**
 * The language model of the repository's own checkpoint: scores, windows, generation; against recorded numbers of
 * lm-evaluation-harness where the shared folder is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Continuation, LanguageModel } from '#core'
import { openModel } from '#experiment/open'
import type { LanguageModelOptions } from '#model/language'
import type { Model } from '#model/checkpoint'
import { shared, sharedPath } from '../../shared.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'assets', 'models', 'stories260K')
let model: Model
let language: LanguageModel
const open = async (options?: LanguageModelOptions): Promise<LanguageModel> => {
  const opened = await model.languageModel?.(options)
  if (opened === undefined) throw new Error('no language model')
  return opened
}

beforeAll(async () => {
  model = await openModel(folder)
  language = await open()
})
afterAll(async () => model.close())

const story = 'Once upon a time, there was a little girl named Lily. She loved to play outside in the park.'
const scoresOf = async (requests: readonly Continuation[], by = language) =>
  (await by.logLikelihoods(requests)).map(({ logLikelihood }) => logLikelihood)

test('a text that its makers scored in float64', async () => {
  // models/stories260K, SOURCE.md; float32 over 31 tokens
  const [score] = await scoresOf([{ context: '', continuation: story }])
  expect(score).toBeCloseTo(-5.591020526, 4)
})

test('a score does not depend on what else is asked', async () => {
  const requests = ['park', 'house', 'garden with a tree', 'p'].flatMap((end) => [
    { context: story, continuation: ` In the ${end}` },
    { context: `${story} It was`, continuation: ` ${end}` },
    { context: '', continuation: end },
  ])
  const together = await scoresOf(requests)
  const alone: number[] = []
  for (const request of requests) alone.push(...(await scoresOf([request])))
  // float32 in other orders, over up to ten tokens; measured: 2.0e-5
  expect(Math.max(...together.map((score, i) => Math.abs(score - (alone[i] ?? NaN))))).toBeLessThan(3e-5)
})

test('white space at the end of a context belongs to the continuation', async () => {
  const [moved, plain] = await scoresOf([
    { context: 'Once upon a ', continuation: 'time' },
    { context: 'Once upon a', continuation: ' time' },
  ])
  expect(moved).toBe(plain)
})

test('a continuation that is no token of its own is refused before any work, by its number', async () => {
  const refused = language.logLikelihoods([
    { context: 'Once', continuation: ' upon' },
    { context: 'Once', continuation: '' },
  ])
  await expect(refused).rejects.toMatchObject({
    code: 'tokenizer.invalid',
    message: expect.stringContaining('request 2'),
  })
})

test('a context that is too long loses its beginning, and says so', async () => {
  const short = await open({ maxLength: 8 })
  const [long] = await short.logLikelihoods([{ context: story, continuation: ' time' }])
  const ids = (await model.tokens?.tokenizer())?.encodeBatch([story])
  const tokens = (await ids)?.[0]?.ids.length ?? 0
  expect(long?.droppedTokens).toBe(tokens + 1 - 9)
  expect(language.facts.identity).not.toBe(short.facts.identity)
})

test('what greedy decoding writes is what its scores call greedy', async () => {
  const prompts = ['Once upon a time, there was', 'Lily and Tom were']
  const written = await language.generate(prompts, { maxTokens: 12 })
  const scores = await language.logLikelihoods(
    prompts.map((context, i) => ({ context, continuation: ` ${written[i]?.text.trimStart() ?? ''}` })),
  )
  expect(written.map(({ end }) => end)).toEqual(['length', 'length'])
  expect(scores.map(({ isGreedy }) => isGreedy)).toEqual([true, true])
})

test('the known continuation of its first words', async () => {
  const [text] = await language.generate(['Once upon a time'], { maxTokens: 60, until: ['\n'] })
  // models/stories260K, SOURCE.md
  expect(text).toMatchObject({
    end: 'stop',
    text: ', there was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red ball. She wanted to play with it, but it was too high.',
  })
})

test('drawn texts are of their seed alone, whatever stands beside them', async () => {
  const drawn = async (prompts: readonly string[], seed: number) =>
    language.generate(prompts, { maxTokens: 20, temperature: 1, topP: 0.9, seed })
  const [together] = await drawn(['Once upon a time', 'A much longer prompt that stands beside it in its batch'], 3)
  const [alone] = await drawn(['Once upon a time'], 3)
  const [other] = await drawn(['Once upon a time'], 4)
  expect(alone?.text).toBe(together?.text)
  expect(other?.text).not.toBe(alone?.text)
})

describe.skipIf(shared === undefined)('recorded by lm-evaluation-harness 0.4.13', () => {
  interface Recorded {
    readonly context: string
    readonly continuations?: readonly string[]
    readonly loglikelihoods?: readonly number[]
    readonly is_greedy?: readonly boolean[]
    readonly generated?: string
    readonly filter?: string
  }
  const documents = (): Record<string, readonly Recorded[]> =>
    (
      JSON.parse(readFileSync(sharedPath('specs', 'stories260K_harness.json'), 'utf8')) as {
        documents: Record<string, readonly Recorded[]>
      }
    ).documents

  test('log-likelihoods and greedy flags of choices', async () => {
    const rows = Object.values(documents()).flatMap((own) =>
      own.filter(({ continuations }) => continuations !== undefined),
    )
    const answers = await language.logLikelihoods(
      rows.flatMap(({ context, continuations = [] }) =>
        continuations.map((continuation) => ({ context, continuation })),
      ),
    )
    const wanted = rows.flatMap(({ loglikelihoods = [] }) => loglikelihoods)
    expect(wanted.length).toBe(360)
    // the bound of the issue; measured: 5.2e-5
    expect(
      Math.max(...answers.map(({ logLikelihood }, i) => Math.abs(logLikelihood - (wanted[i] ?? NaN)))),
    ).toBeLessThan(1e-4)
    expect(answers.map(({ isGreedy }) => isGreedy)).toEqual(rows.flatMap(({ is_greedy: greedy = [] }) => greedy))
  })

  test('texts, with prompts that are cut to the window', async () => {
    const rows = (documents()['gsm8k'] ?? []).filter(({ filter }) => filter === 'strict-match')
    const written = await language.generate(
      rows.map(({ context }) => context),
      { until: ['Question:', '</s>', '<|im_end|>'], maxTokens: 256 },
    )
    expect(rows.length).toBe(20)
    expect(written.map(({ text }) => text)).toEqual(rows.map(({ generated }) => generated))
  })
})

/**
 * Encoder-decoders as language models: the repository's own random checkpoints against transformers and
 * lm-evaluation-harness (oracles/t5.py).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { LanguageModel } from '#core'
import { openModel } from '#experiment/open'
import { decoderOf, specOf } from '#model/architectures'
import type { LanguageModelOptions } from '#model/language'
import { openGraphs } from '../../../src/model/passes/graphs.ts'
import { graphFeeds, noPast, packedRows, type PastStates } from '../../../src/model/language/pack-feeds.ts'
import { pickSources, readSources } from '../../../src/model/language/source-rows.ts'
import { goldenOf } from '../../golden-of.ts'
import { fileSource } from '../graph/safetensors-source.ts'

interface Recorded {
  readonly logits: readonly {
    readonly context: readonly number[]
    readonly decoder: readonly number[]
    readonly logits: readonly (readonly number[])[]
  }[]
  readonly harness: readonly {
    readonly model_args: { readonly max_length?: number; readonly prefix_token_id?: number }
    readonly max_length: number
    readonly loglikelihood: readonly {
      readonly context: string
      readonly continuation: string
      readonly score: number
      readonly is_greedy: boolean
    }[]
    readonly rolling: readonly { readonly text: string; readonly score: number }[]
    readonly generate: readonly {
      readonly max_gen_toks: number
      readonly until: readonly string[]
      readonly prompts: readonly string[]
      readonly texts: readonly string[]
    }[]
  }[]
}

const { models } = goldenOf<{ models: Readonly<Record<string, Recorded>> }>('model/language', 't5')
const folderOf = (name: string) => join(import.meta.dirname, '..', '..', '..', 'assets', 'models', name)
const largest = (values: readonly number[]): number => values.reduce((most, value) => (value <= most ? most : value), 0)
const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a.length === b.length ? largest(Array.from(a, (value, i) => Math.abs(value - (b[i] ?? NaN)))) : NaN

describe.each(Object.entries(models))('%s', (name, { logits, harness }) => {
  const config: unknown = JSON.parse(readFileSync(join(folderOf(name), 'config.json'), 'utf8'))
  const tensors = fileSource(join(folderOf(name), 'model.safetensors'))
  const decoder = decoderOf(config)
  if (decoder === undefined) throw new Error('no decoder')
  const spec = specOf(config)
  const how = { engine: 'onnxruntime', device: 'cpu', type: 'float32', integerWeights: undefined } as const
  const graphs = { encoder: openGraphs(spec, tensors, how), decoder: openGraphs(decoder.spec, tensors, how) }
  const model = openModel(folderOf(name))
  const open = async (options?: LanguageModelOptions): Promise<LanguageModel> => {
    const opened = await (await model).languageModel?.(options)
    if (opened === undefined) throw new Error('no language model')
    return opened
  }
  afterAll(async () => {
    await Promise.all([graphs.encoder.close(), graphs.decoder.close(), (await model).close()])
  })

  const source = { encoder: graphs.encoder, padId: 0, startId: decoder.startId }
  const linesOf = (rows: readonly (readonly number[])[], from = 0) =>
    rows.map((ids) => ({
      ids: Int32Array.from(ids),
      parents: Int32Array.from(ids, (_, i) => i - 1),
      places: Int32Array.from(ids, (_, i) => from + i),
    }))
  /** Logits of every token of the rows, and what is kept. */
  const pass = async (
    rows: ReturnType<typeof linesOf>,
    read: Awaited<ReturnType<typeof readSources>>,
    past: PastStates,
  ) => {
    const { graph, session } = await graphs.decoder.open({ picked: 'logits', past: 'extend' })
    const fed = packedRows(rows, past, 0)
    const count = rows.length * fed.cols
    const feeds = graphFeeds(graph, { ...fed, source: pickSources(read, Array.from(rows.keys())) })
    const outputs = await session.run({
      ...feeds,
      picked: { dtype: 'int32', dims: [count], data: Int32Array.from({ length: count }, (_, i) => i) },
    })
    const kept = graph.outputs
      .filter(({ kind }) => kind === 'present')
      .map(({ name: output }) => [output.replace('present', 'past'), outputs[output]] as const)
    const states = new Map(
      kept.map(([key, value]) => [key, { dims: value?.dims ?? [], data: value?.data as Float32Array }]),
    )
    return {
      cols: fed.cols,
      logits: outputs['picked_logits']?.data as Float32Array,
      past: { length: past.length + fed.cols, states },
    }
  }

  test('logits of a padded batch', async () => {
    const read = await readSources(
      logits.map(({ context }) => Int32Array.from(context)),
      source,
      graphs.decoder,
    )
    const passed = await pass(linesOf(logits.map(({ decoder: ids }) => ids)), read, noPast)
    const width = decoder.spec.vocabulary
    const differences = logits.map(({ logits: wanted }, row) =>
      distance(
        passed.logits.subarray(row * passed.cols * width, (row * passed.cols + wanted.length) * width),
        wanted.flat(),
      ),
    )
    // recorded to five digits; float32 over at most three blocks; measured: 8.1e-6
    expect(largest(differences)).toBeLessThan(3e-5)
  })

  test('token by token with what is kept, and two ends of one beginning in a row', async () => {
    const ids = logits[0]?.decoder ?? []
    const read = await readSources([Int32Array.from(logits[0]?.context ?? [])], source, graphs.decoder)
    const whole = await pass(linesOf([ids]), read, noPast)
    let past = noPast
    const pieces: number[] = []
    for (const [place, id] of ids.entries()) {
      const piece = await pass(linesOf([[id]], place), read, past)
      past = piece.past
      pieces.push(...piece.logits)
    }
    // one sum in float32 two ways
    expect(distance(pieces, whole.logits)).toBeLessThan(1e-5)
    // 0 … 4, then what follows, and beside it the same once more
    const tree = {
      ids: Int32Array.from([...ids, ...ids.slice(5)]),
      parents: Int32Array.from(
        [...ids.keys(), ...ids.slice(5).map((_, i) => (i === 0 ? 5 : ids.length + i))],
        (at) => at - 1,
      ),
      places: Int32Array.from([...ids.keys(), ...ids.slice(5).map((_, i) => i + 5)]),
    }
    const beside = await pass([tree], read, noPast)
    const { vocabulary } = decoder.spec
    expect(
      distance(beside.logits.subarray(ids.length * vocabulary), whole.logits.subarray(5 * vocabulary)),
    ).toBeLessThan(1e-5)
  })

  describe.each(harness)('as lm-evaluation-harness asks it, max_length $max_length', (recorded) => {
    const { max_length: maxLength, prefix_token_id: prefixTokenId } = recorded.model_args
    const language = open({ maxLength, prefixTokenId, backend: 'seq2seq' })

    test('its window', async () => {
      expect((await language).facts.window).toBe(recorded.max_length)
    })

    test('log-likelihoods and greedy flags', async () => {
      const answers = await (await language).logLikelihoods(recorded.loglikelihood)
      // sums of float32 over at most 31 tokens; measured: 1.0e-5
      expect(
        distance(
          answers.map(({ logLikelihood }) => logLikelihood),
          recorded.loglikelihood.map(({ score }) => score),
        ),
      ).toBeLessThan(5e-5)
      expect(answers.map(({ isGreedy }) => isGreedy)).toEqual(
        recorded.loglikelihood.map(({ is_greedy: greedy }) => greedy),
      )
      expect(recorded.loglikelihood.some(({ is_greedy: greedy }) => greedy)).toBe(true)
    })

    test('rolling log-likelihoods', async () => {
      const answers = await (await language).rollingLogLikelihoods(recorded.rolling.map(({ text }) => text))
      // float32 over up to 250 tokens; measured: 6.2e-5
      expect(
        distance(
          answers,
          recorded.rolling.map(({ score }) => score),
        ),
      ).toBeLessThan(2e-4)
    })

    test.each(recorded.generate)(
      'greedy texts, $max_gen_toks tokens until $until',
      async ({ max_gen_toks: maxTokens, until, prompts, texts }) => {
        const written = await (await language).generate(prompts, { maxTokens, until })
        expect(written.map(({ text }) => text)).toEqual(texts)
      },
    )
  })

  test('a score is of its request alone, to float32, and to the last bit where others are known', async () => {
    const language = await open()
    const requests = harness[0]?.loglikelihood ?? []
    const together = (await language.logLikelihoods(requests)).map(({ logLikelihood }) => logLikelihood)
    const alone: number[] = []
    for (const request of requests)
      alone.push(...(await language.logLikelihoods([request])).map(({ logLikelihood }) => logLikelihood))
    // measured: 2.5e-7 of up to 88
    expect(
      largest(together.map((score, i) => Math.abs(score - (alone[i] ?? NaN)) / Math.max(1, Math.abs(score)))),
    ).toBeLessThan(1e-6)
    const some = await language.logLikelihoods(requests, { isKnown: (index) => index % 3 !== 0 })
    expect(requests.flatMap((_, i) => (i % 3 === 0 ? [some[i]?.logLikelihood] : []))).toEqual(
      together.filter((_, i) => i % 3 === 0),
    )
  })

  test('a context that is too long loses its beginning, a continuation that is too long is refused', async () => {
    const language = await open({ maxLength: 9 })
    const tokenizer = await (await model).tokens?.tokenizer()
    const [context, continuation] = ['Who wrote the letter? Nobody knew', ' yes']
    const [own] = (await tokenizer?.encodeBatch([context])) ?? []
    const [scored] = await language.logLikelihoods([{ context, continuation }])
    expect(scored?.droppedTokens).toBe((own?.ids.length ?? 0) - 9)
    const [written] = await language.generate([context], { maxTokens: 1 })
    expect(written).toMatchObject({ droppedTokens: scored?.droppedTokens, tokens: { prompt: 9 } })
    await expect(language.logLikelihoods([{ context: 'yes', continuation: context.repeat(3) }])).rejects.toMatchObject({
      code: 'usage.value',
    })
    await expect(language.logLikelihoods([{ context: 'yes', continuation: '' }])).rejects.toMatchObject({
      code: 'tokenizer.invalid',
    })
  })

  test('drawn texts are of their seed alone, whatever stands beside them', async () => {
    const language = await open()
    const drawn = async (prompts: readonly string[], seed: number) =>
      language.generate(prompts, { maxTokens: 12, temperature: 1, topK: 40, topP: 0.95, seed })
    const [together] = await drawn(
      ['The quick brown fox', 'Who wrote the letter? Nobody knew, but everyone had an answer', ''],
      3,
    )
    const [alone] = await drawn(['The quick brown fox'], 3)
    const [other] = await drawn(['The quick brown fox'], 4)
    expect(alone).toEqual(together)
    expect(other?.text).not.toBe(alone?.text)
  })

  test('a prompt that may not be cut takes no room from the answer', async () => {
    const language = await open({ maxLength: 12 })
    const [answer] = await language.generate(['Numbers: 0 1'], { maxTokens: 3, longPrompts: 'refuse' })
    expect(answer?.tokens?.written).toBeLessThanOrEqual(3)
    await expect(
      language.generate(['Who wrote the letter? Nobody knew'], { longPrompts: 'refuse' }),
    ).rejects.toMatchObject({ code: 'usage.value' })
  })

  test('it is no decoder alone', async () => {
    await expect(open({ backend: 'causal' })).rejects.toMatchObject({ code: 'usage.value' })
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { strata } from '../../cli/program.ts'
import { pairsTask } from '../../cli/pairs-task.ts'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'
import { rerankerSign } from '../../../src/model/checkpoint/reranker.ts'
import { writeRepo } from './made-repo.ts'

const { path, file } = scratchFolder()
const task = pairsTask(file, 'pairs')
const texts = file('texts.txt', 'a b\nb\n')
beforeAll(async () => {
  await writeSmallModel(path('reranker'), { 'config.json': { architectures: ['BertForSequenceClassification'] } })
  await writeSmallModel(path('plain'))
})

const asked = (command: string, model: string, ...flags: readonly string[]) =>
  strata([command, path(model), ...flags, '--cache-dir', path('cache')])
const scored = (command: string, model: string, results: string, ...flags: readonly string[]) =>
  asked(command, model, '--task-file', task, '--results', path(results), ...flags)
const metaIn = (results: string): Record<string, unknown> => {
  const found = readdirSync(path(results), { recursive: true, encoding: 'utf8' })
  const meta = found.find((name) => name.endsWith('model_meta.json')) ?? ''
  return JSON.parse(readFileSync(join(path(results), meta), 'utf8')) as Record<string, unknown>
}

describe('a reranker', () => {
  test.each<[string | undefined, string, Record<string, unknown>, Record<string, unknown>?]>([
    ['BertForSequenceClassification', 'm', { architectures: ['BertForSequenceClassification'] }],
    ['model_type CrossEncoder', 'm', { architectures: ['BertModel'] }, { model_type: 'CrossEncoder' }],
    [undefined, 'm', { architectures: ['BertForSequenceClassification'] }, { model_type: 'SentenceTransformer' }],
    ['Qwen3ForCausalLM by the name of a reranker', 'Qwen/Qwen3-Reranker-0.6B', { architectures: ['Qwen3ForCausalLM'] }],
    ['GemmaForCausalLM with num_labels', 'm', { architectures: ['GemmaForCausalLM'], num_labels: 1 }],
    [undefined, 'm', { architectures: ['Qwen3ForCausalLM'] }],
    [undefined, 'reranker', { architectures: ['BertModel'] }],
    [undefined, 'm', {}],
  ])('is known as mteb knows it: %s', async (sign, name, config, asking) => {
    const files = await writeRepo(path(`sign-${JSON.stringify([name, config, asking]).length}`), {
      'README.md': '',
      ...(asking === undefined ? {} : { 'config_sentence_transformers.json': asking }),
    })
    expect(await rerankerSign(files, config, name)).toBe(sign)
  })

  test('has no embedding to score, encode or export, and the hint says what it has', async () => {
    const evaluated = await scored('evaluate', 'reranker', 'refused')
    expect(evaluated.code).toBe(1)
    expect(`${evaluated.stdout}${evaluated.stderr}`).toMatch(
      /is a reranker or a classifier: it has no vector of a text/,
    )
    const encoded = await asked('encode', 'reranker', texts, '--out', path('refused.npy'))
    expect([encoded.code, encoded.stderr]).toEqual([1, expect.stringMatching(/--pooling mean reads it as an encoder/)])
    const exported = await strata(['export', path('reranker'), '--out', path('refused')])
    expect([exported.code, exported.stderr]).toEqual([1, expect.stringMatching(/it has no vector of a text/)])
  })

  test('has hidden states, which layers scores without default', async () => {
    const { code, stdout } = await scored('layers', 'reranker', 'states')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^h0 /m)])
    expect(stdout).not.toMatch(/^default/m)
    expect(metaIn('states')).toMatchObject({ is_cross_encoder: true, model_type: ['cross-encoder'] })
  })

  test('is an encoder where a pooling is named', async () => {
    const { code, stderr } = await asked('encode', 'reranker', texts, '--out', path('named.npy'), '--pooling', 'mean')
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/pooling/)])
  })
})

describe('a checkpoint whose files name no pooling', () => {
  test('is read with the mean, which one notice says', async () => {
    const { code, stderr } = await scored('layers', 'plain', 'plain')
    expect([code, stderr.match(/no file names a pooling: the mean of the tokens is taken/g)]).toEqual([
      0,
      [expect.any(String)],
    ])
    expect(metaIn('plain')).toMatchObject({ is_cross_encoder: false, model_type: ['dense'] })
  })

  test('and without a notice where the user names it', async () => {
    const { code, stderr } = await scored('layers', 'plain', 'named', '--pooling', 'mean')
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/names a pooling/)])
  })
})

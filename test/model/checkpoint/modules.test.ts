import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault, matrix } from '#core'
import { laterWidth, mixStates, readModules, type ModulesSpec } from '../../../src/model/checkpoint/modules.ts'
import { folderFiles } from '../../files/formats/folder-files.ts'
import { shared, sharedPath } from '../../shared.ts'
import { counting, writeRepo } from './made-repo.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'strata-modules-'))))
afterEach(async () => rm(folder, { recursive: true, force: true }))

const old = (name: string): string => `sentence_transformers.models.${name}`
const listed = (...modules: (readonly [string, string])[]): unknown =>
  modules.map(([type, path], idx) => ({ idx, name: String(idx), path, type: old(type) }))
const plain = { '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true } }
const transformer = listed(['Transformer', ''], ['Pooling', '1_Pooling'])

/** The spec of a repository with these files; `codeOf` the code of the fault instead. */
const specOf = async (contents: Record<string, unknown>): Promise<ModulesSpec | undefined> =>
  readModules(await writeRepo(folder, contents))
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : error),
  )

describe('the modules of a repository', () => {
  test('are undefined without a modules.json', async () => {
    expect(await specOf({ 'config.json': {} })).toBeUndefined()
  })

  test('come with the defaults of the library where the folder is silent', async () => {
    expect(await specOf({ 'modules.json': transformer, ...plain })).toEqual({
      kind: 'transformer',
      names: ['Transformer', 'Pooling'],
      folder: '',
      pooling: ['mean'],
      includePrompt: true,
      maxLength: undefined,
      lowerCase: false,
      prompts: {},
      defaultPromptName: undefined,
      similarity: undefined,
      layerMix: undefined,
      later: [],
    })
  })

  test('are known under the names of every release', async () => {
    const types = [
      'sentence_transformers.base.modules.transformer.Transformer',
      'sentence_transformers.sentence_transformer.modules.pooling.Pooling',
      'sentence_transformers.base.modules.normalize.Normalize',
    ]
    const spec = await specOf({
      'modules.json': types.map((type, idx) => ({
        idx,
        name: String(idx),
        path: ['', '1_Pooling', '2_Normalize'][idx],
        type,
      })),
      ...plain,
    })
    expect(spec).toMatchObject({ names: ['Transformer', 'Pooling', 'Normalize'], later: [{ kind: 'normalize' }] })
  })

  test('may keep the transformer in a folder of its own, whose settings count', async () => {
    const spec = await specOf({
      'modules.json': listed(['Transformer', './0_Transformer/'], ['Pooling', '1_Pooling']),
      ...plain,
      'sentence_bert_config.json': { max_seq_length: 7 },
      '0_Transformer/sentence_roberta_config.json': { max_seq_length: 99, do_lower_case: true },
    })
    expect(spec).toMatchObject({ folder: '0_Transformer', maxLength: 99, lowerCase: true })
  })

  test('take the longest input from the tokenizer’s arguments before max_seq_length', async () => {
    const settings = {
      max_seq_length: 512,
      tokenizer_args: { model_max_length: 128, padding_side: 'left' },
      model_args: { trust_remote_code: true },
    }
    expect(
      await specOf({ 'modules.json': transformer, ...plain, 'sentence_bert_config.json': settings }),
    ).toMatchObject({ maxLength: 128 })
  })

  test('give prompts by name, null being an empty one', async () => {
    const spec = await specOf({
      'modules.json': transformer,
      ...plain,
      'config_sentence_transformers.json': {
        prompts: { query: 'query: ', document: null, __proto__: 'x' },
        default_prompt_name: 'query',
        similarity_fn_name: 'dot',
        __version__: { pytorch: '2' },
      },
    })
    expect(spec).toMatchObject({
      prompts: { query: 'query: ', document: '' },
      defaultPromptName: 'query',
      similarity: 'dot',
    })
  })
})

describe('pooling', () => {
  const poolingOf = async (config: Record<string, unknown>): Promise<unknown> => {
    const spec = await specOf({ 'modules.json': transformer, '1_Pooling/config.json': config })
    return [spec?.pooling.join(' '), spec?.includePrompt]
  }

  test('by flags is concatenated in the order of the library, whatever the order of the keys', async () => {
    const flags = {
      pooling_mode_lasttoken: true,
      pooling_mode_weightedmean_tokens: true,
      pooling_mode_mean_sqrt_len_tokens: true,
      pooling_mode_mean_tokens: true,
      pooling_mode_max_tokens: true,
      pooling_mode_cls_token: true,
    }
    expect(await poolingOf({ word_embedding_dimension: 4, ...flags, include_prompt: false })).toEqual([
      'cls max mean mean_sqrt_len_tokens weightedmean lasttoken',
      false,
    ])
  })

  test('by name is concatenated in the order given, and beats the flags', async () => {
    expect(
      await poolingOf({ embedding_dimension: 4, pooling_mode: 'lasttoken', pooling_mode_cls_token: true }),
    ).toEqual(['lasttoken', true])
    expect(await poolingOf({ embedding_dimension: 4, pooling_mode: ['max', 'cls'] })).toEqual(['max cls', true])
  })

  test('is mean when nothing is chosen', async () => {
    expect(
      await poolingOf({ word_embedding_dimension: 4, pooling_mode_cls_token: false, pooling_mode_mean_tokens: false }),
    ).toEqual(['mean', true])
    expect(await poolingOf({ embedding_dimension: 4 })).toEqual(['mean', true])
  })

  test('that is not known is refused', async () => {
    const code = (config: Record<string, unknown>): Promise<unknown> => codeOf(poolingOf(config))
    expect(await code({ pooling_mode: 'attention' })).toBe('config.unsupported')
    expect(await code({ pooling_mode: 'pooler' })).toBe('config.unsupported')
    expect(await code({ pooling_mode_latent_attention: true })).toBe('config.unsupported')
    expect(await code({ pooling_mode: [] })).toBe('config.value')
    expect(await code({ pooling_mode_cls_token: 'yes' })).toBe('config.value')
  })
})

describe('what is refused', () => {
  const cases: readonly (readonly [what: string, code: string, contents: Record<string, unknown>])[] = [
    ['a module that is not known', 'config.unsupported', { 'modules.json': listed(['CLIPModel', '']) }],
    ['a router without its routes', 'config.missing', { 'modules.json': listed(['Router', '']) }],
    [
      'code of the repository',
      'config.unsupported',
      {
        'modules.json': [
          { type: 'modeling_x.Transformer', path: '' },
          { type: old('Pooling'), path: '1_Pooling' },
        ],
        ...plain,
      },
    ],
    ['a transformer without pooling', 'config.unsupported', { 'modules.json': listed(['Transformer', '']) }],
    [
      'two poolings',
      'config.unsupported',
      { 'modules.json': listed(['Transformer', ''], ['Pooling', '1_Pooling'], ['Pooling', '1_Pooling']), ...plain },
    ],
    ['a module that cannot come first', 'config.value', { 'modules.json': listed(['Pooling', '1_Pooling']), ...plain }],
    ['no modules', 'config.value', { 'modules.json': [] }],
    ['an object of modules', 'config.value', { 'modules.json': {} }],
    ['modules that are no objects', 'config.value', { 'modules.json': [1] }],
    ['a module without a type', 'config.value', { 'modules.json': [{ path: '' }] }],
    [
      'more modules than any model has',
      'format.limit',
      { 'modules.json': Array.from({ length: 1000 }, () => ({ type: old('Normalize') })) },
    ],
    ['a modules.json that is not JSON', 'format.json', { 'modules.json': '[' }],
    [
      'a folder above the repository',
      'file.outside',
      { 'modules.json': listed(['Transformer', ''], ['Pooling', '../1_Pooling']), ...plain },
    ],
    [
      'an absolute folder',
      'file.outside',
      { 'modules.json': listed(['Transformer', '/etc'], ['Pooling', '1_Pooling']), ...plain },
    ],
    [
      'a folder of another drive',
      'file.outside',
      { 'modules.json': listed(['Transformer', 'c:\\x'], ['Pooling', '1_Pooling']), ...plain },
    ],
    ['a pooling without a folder', 'config.missing', { 'modules.json': transformer }],
    [
      'a Dense without a folder',
      'config.missing',
      { 'modules.json': listed(['Transformer', ''], ['Pooling', '1_Pooling'], ['Dense', '2_Dense']), ...plain },
    ],
    [
      'a length of 0',
      'config.value',
      { 'modules.json': transformer, ...plain, 'sentence_bert_config.json': { max_seq_length: 0 } },
    ],
    [
      'a length that is a string',
      'config.value',
      { 'modules.json': transformer, ...plain, 'sentence_bert_config.json': { max_seq_length: '512' } },
    ],
    [
      'another task of the transformer',
      'config.unsupported',
      { 'modules.json': transformer, ...plain, 'sentence_bert_config.json': { transformer_task: 'fill-mask' } },
    ],
    [
      'chat messages',
      'config.unsupported',
      {
        'modules.json': transformer,
        ...plain,
        'sentence_bert_config.json': {
          modality_config: { message: { method: 'forward', method_output_name: 'last_hidden_state' } },
        },
      },
    ],
    [
      'another output of the transformer',
      'config.unsupported',
      {
        'modules.json': transformer,
        ...plain,
        'sentence_bert_config.json': {
          modality_config: { text: { method: 'forward', method_output_name: ['hidden_states', -2] } },
        },
      },
    ],
    [
      'a changed config.json',
      'config.unsupported',
      { 'modules.json': transformer, ...plain, 'sentence_bert_config.json': { config_args: { num_hidden_layers: 2 } } },
    ],
    [
      'a multi-vector encoder',
      'config.unsupported',
      {
        'modules.json': transformer,
        ...plain,
        'config_sentence_transformers.json': { model_type: 'MultiVectorEncoder' },
      },
    ],
    [
      'a default prompt that is not there',
      'config.value',
      {
        'modules.json': transformer,
        ...plain,
        'config_sentence_transformers.json': { prompts: { a: '' }, default_prompt_name: 'b' },
      },
    ],
    [
      'a prompt that is no text',
      'config.value',
      { 'modules.json': transformer, ...plain, 'config_sentence_transformers.json': { prompts: { a: 1 } } },
    ],
  ]
  test.each(cases)('%s is %s', async (_what, code, contents) => {
    expect(await codeOf(specOf(contents))).toBe(code)
  })

  test('any JSON in place of any file gives a spec or a fault', async () => {
    const files = [
      'modules.json',
      'sentence_bert_config.json',
      'config_sentence_transformers.json',
      '1_Pooling/config.json',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.record({
              type: fc.constantFrom(old('Transformer'), old('Pooling'), old('Dense'), 'x'),
              path: fc.string(),
            }),
          ),
        ),
        async (path, value) => {
          const result = await specOf({
            'modules.json': transformer,
            ...plain,
            'sentence_bert_config.json': {},
            'config_sentence_transformers.json': {},
            [path]: JSON.stringify(value),
          }).catch((error: unknown) => error)
          expect(result instanceof Fault ? result.code : (result as ModulesSpec).kind).toMatch(
            /^(transformer|static|config\.|format\.|file\.outside)/,
          )
        },
      ),
      { seed: 6, numRuns: 200 },
    )
  })
})

describe('WeightedLayerPooling', () => {
  const repo = (start: number, pooling: string, hidden = true): Record<string, unknown> => ({
    'modules.json': listed(['Transformer', ''], ['WeightedLayerPooling', '1_WLP'], ['Pooling', '2_Pooling']),
    'config.json': { output_hidden_states: hidden },
    '1_WLP/config.json': { word_embedding_dimension: 4, layer_start: start, num_hidden_layers: 3 },
    '1_WLP/model.safetensors': {
      layer_weights: { shape: [Math.max(1, 4 - start)], values: [1, 2, 5, 8].slice(0, Math.max(1, 4 - start)) },
    },
    '2_Pooling/config.json': { embedding_dimension: 4, pooling_mode: pooling },
  })

  test('is a mix of states whose weights are divided by their sum', async () => {
    expect(await specOf(repo(1, 'weightedmean'))).toMatchObject({
      layerMix: { start: 1, weights: new Float64Array([1 / 8, 2 / 8, 5 / 8]) },
      pooling: ['weightedmean'],
    })
  })

  test('mixes pooled states, and needs as many as it has weights', () => {
    const mix = { start: 2, weights: new Float64Array([0.25, 0.75]) }
    const states = [matrix(1, 2, new Float32Array([4, 8])), matrix(1, 2, new Float32Array([-4, 0]))]
    expect([...mixStates(mix, states).data]).toEqual([-2, 2])
    expect(() => mixStates(mix, states.slice(1))).toThrow(Fault)
  })

  test('does nothing when config.json does not ask for hidden states, as in the library', async () => {
    expect(await specOf(repo(1, 'mean', false))).toMatchObject({ layerMix: undefined })
  })

  test('is refused with max pooling, which is not linear, and with weights that do not fit', async () => {
    expect(await codeOf(specOf(repo(1, 'max')))).toBe('config.unsupported')
    expect(await codeOf(specOf(repo(9, 'mean')))).toBe('config.value')
    expect(
      await codeOf(specOf({ ...repo(1, 'mean'), '1_WLP/model.safetensors': { layer_weights: counting(5) } })),
    ).toBe('tensor.shape')
    expect(
      await codeOf(
        specOf({ ...repo(2, 'mean'), '1_WLP/model.safetensors': { layer_weights: { shape: [2], values: [1, -1] } } }),
      ),
    ).toBe('tensor.value')
  })
})

test('a static table is the first module, with its folder', async () => {
  expect(
    await specOf({ 'modules.json': listed(['StaticEmbedding', '0_StaticEmbedding'], ['Normalize', '1_Normalize']) }),
  ).toMatchObject({
    kind: 'static',
    folder: '0_StaticEmbedding',
    names: ['StaticEmbedding', 'Normalize'],
    pooling: [],
    later: [{ kind: 'normalize' }],
  })
})

describe.skipIf(!shared)('the shared folders', () => {
  const read = (name: string): Promise<ModulesSpec | undefined> =>
    readModules(folderFiles(sharedPath('models', ...name.split('/'))))
  const kinds = (spec: ModulesSpec | undefined): unknown => spec?.later.map(({ kind }) => kind)

  test('say what their SOURCE.md says', async () => {
    const st = (name: string): Promise<ModulesSpec | undefined> => read(`pico/sentence-transformers/${name}`)
    const [mean, cls, last, weighted, many, saved, none] = await Promise.all(
      [
        'mean-normalize',
        'cls-dense',
        'lasttoken-qwen2',
        'weightedmean-neox',
        'mean-max-dense-bin',
        'saved-by-5.7',
        'no-modules',
      ].map(st),
    )
    expect(mean).toMatchObject({
      pooling: ['mean'],
      maxLength: 24,
      prompts: { query: 'query: ', passage: 'passage: ' },
      defaultPromptName: undefined,
      similarity: 'cosine',
    })
    expect([kinds(mean), kinds(cls), kinds(last), kinds(weighted), kinds(many), kinds(saved)]).toEqual([
      ['normalize'],
      ['dense'],
      ['normalize'],
      [],
      ['dense', 'normalize'],
      ['normalize'],
    ])
    expect(cls).toMatchObject({
      pooling: ['cls'],
      maxLength: 32,
      later: [{ inputs: 32, outputs: 20, activation: 'Tanh' }],
    })
    expect(last).toMatchObject({ pooling: ['lasttoken'], maxLength: 40, prompts: { document: '' } })
    expect(weighted).toMatchObject({ pooling: ['weightedmean'], includePrompt: false, defaultPromptName: 'query' })
    expect(many).toMatchObject({
      pooling: ['cls', 'max', 'mean', 'mean_sqrt_len_tokens'],
      lowerCase: true,
      maxLength: undefined,
      later: [{ inputs: 96, outputs: 18, bias: undefined, activation: 'Identity' }, {}],
    })
    expect(saved).toMatchObject({
      pooling: ['mean'],
      maxLength: undefined,
      prompts: { query: 'query: ', document: '' },
    })
    expect(none).toBeUndefined()
    expect(laterWidth(many?.later ?? [], 96)).toBe(18)
  })

  test('all-MiniLM-L6-v2 is mean pooling of 256 tokens, normalised', async () => {
    expect(await read('all-MiniLM-L6-v2')).toMatchObject({
      names: ['Transformer', 'Pooling', 'Normalize'],
      pooling: ['mean'],
      maxLength: 256,
      lowerCase: false,
      later: [{ kind: 'normalize' }],
    })
  })
})

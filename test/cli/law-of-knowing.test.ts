/**
 * The law of knowing: every key of every file that is read is read, known to change nothing, or reported – once, with
 * the key that may have been meant. Files that are Strata's own refuse such a key (law-of-names.test.ts).
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { openModel } from '#experiment/open'
import { languageModelOf } from '#model/checkpoint'
import { carriedModel, useCarriedHub } from '../carried.ts'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting, writeRepo } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'
import { shared, sharedPath } from '../shared.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const models = join(import.meta.dirname, '..', '..', 'assets', 'models')
const lora = 'base_model.model.encoder.layer.0.attention.self.value'

/** An encoder of sentence-transformers, an adapter over another one, a language model. */
beforeAll(async () => {
  const modules = ['Transformer', 'Pooling', 'Dense', 'Normalize', 'Dropout']
  await writeSmallModel(path('encoder'), {
    'modules.json': modules.map((name, idx) => ({
      idx,
      name: '',
      path: idx === 0 ? '' : `${idx}_${name}`,
      type: `sentence_transformers.models.${name}`,
    })),
    'special_tokens_map.json': { pad_token: '[PAD]', unk_token: '[UNK]' },
    'sentence_bert_config.json': { max_seq_length: 12, do_lower_case: false },
    'config_sentence_transformers.json': { prompts: {}, similarity_fn_name: 'cosine' },
    '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true, include_prompt: true },
    '2_Dense/config.json': {
      in_features: 4,
      out_features: 4,
      bias: false,
      activation_function: 'torch.nn.modules.linear.Identity',
    },
    '2_Dense/model.safetensors': { 'linear.weight': counting(4, 4) },
    '3_Normalize/config.json': { module_input_name: 'sentence_embedding' },
    '4_Dropout/config.json': { dropout: 0.1 },
    'tokenizer.json': {
      added_tokens: [
        {
          id: 10,
          content: '<x>',
          single_word: false,
          lstrip: false,
          rstrip: false,
          normalized: false,
          special: false,
        },
      ],
      post_processor: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    },
  })
  await writeSmallModel(path('base'))
  await writeRepo(path('lora'), {
    'adapter_config.json': {
      peft_type: 'LORA',
      r: 1,
      lora_alpha: 4,
      target_modules: ['value'],
      use_rslora: false,
      fan_in_fan_out: false,
      lora_dropout: 0.1,
      rank_pattern: {},
    },
    'adapter_model.safetensors': {
      [`${lora}.lora_A.weight`]: counting(1, 4),
      [`${lora}.lora_B.weight`]: counting(4, 1),
    },
  })
  cpSync(join(models, 'stories260K'), path('speaker'), { recursive: true })
  file('speaker/generation_config.json', JSON.stringify({ temperature: 0.7, eos_token_id: 2, max_new_tokens: 5 }))
  file('speaker/config.json', withRope(readFileSync(path('speaker/config.json'), 'utf8')))
})

function withRope(text: string): string {
  return JSON.stringify({ ...JSON.parse(text), rope_scaling: { rope_type: 'linear', factor: 1 } })
}

/** A file, and the object in it that gets another key. */
type Place = readonly [model: string, name: string, within: readonly (string | number)[]]

const places: readonly Place[] = [
  ['encoder', 'config.json', []],
  ['encoder', 'tokenizer.json', []],
  ['encoder', 'tokenizer.json', ['model']],
  ['encoder', 'tokenizer.json', ['pre_tokenizer']],
  ['encoder', 'tokenizer.json', ['post_processor']],
  ['encoder', 'tokenizer.json', ['added_tokens', 0]],
  ['encoder', 'tokenizer_config.json', []],
  ['encoder', 'special_tokens_map.json', []],
  ['encoder', 'modules.json', [1]],
  ['encoder', 'sentence_bert_config.json', []],
  ['encoder', 'config_sentence_transformers.json', []],
  ['encoder', '1_Pooling/config.json', []],
  ['encoder', '2_Dense/config.json', []],
  ['encoder', '3_Normalize/config.json', []],
  ['encoder', '4_Dropout/config.json', []],
  ['lora', 'adapter_config.json', []],
  ['speaker', 'config.json', []],
  ['speaker', 'config.json', ['rope_scaling']],
  ['speaker', 'tokenizer_config.json', []],
  ['speaker', 'generation_config.json', []],
]

type Json = Record<string | number, unknown>

const inside = (document: Json, within: readonly (string | number)[]): Json =>
  within.reduce<Json>((inner, key) => inner[key] as Json, document)

/** Keys of a place, those that one letter less makes another word of. */
function keysAt([model, name, within]: Place): string[] {
  return Object.entries(inside(JSON.parse(readFileSync(path(`${model}/${name}`), 'utf8')) as Json, within))
    .filter(([key, value]) => key.length > 6 && value !== null)
    .map(([key]) => key)
}

let copies = 0
/** A copy of the models in which a place has one more key. */
function withKey([model, name, within]: Place, key: string, like?: string): string {
  const folder = path(`copies/${String(copies++)}`)
  for (const one of ['encoder', 'base', 'lora', 'speaker'])
    if (one === model || (one === 'base' && model === 'lora')) cpSync(path(one), join(folder, one), { recursive: true })
  const at = join(folder, model, name)
  const document = JSON.parse(readFileSync(at, 'utf8')) as Json
  const place = inside(document, within)
  place[key] = like === undefined ? 7 : place[like]
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, JSON.stringify(document))
  return folder
}

const reference = (model: string, folder: string): string =>
  model === 'lora' ? `${join(folder, 'base')}+${join(folder, 'lora')}` : join(folder, model)

/** All that is reported of a model, or why it is refused. */
async function reported(model: string, folder: string): Promise<string[]> {
  const notices: string[] = []
  try {
    const opened = await openModel(reference(model, folder), { onNotice: (line) => notices.push(line) })
    try {
      if (model === 'speaker') notices.push(...((await languageModelOf(opened, 'speaker')).facts.unread ?? []))
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    notices.push(error.message)
  }
  return notices
}

const misspell = (key: string): string => `${key.slice(0, 3)}${key.slice(4)}`

describe.each(places)('%s %s %j', (...place) => {
  const [model, name] = place

  test('a key that nobody knows is reported, once, with its file', async () => {
    const lines = (await reported(model, withKey(place, 'quite_unheard_of'))).filter((line) =>
      line.includes('quite_unheard_of'),
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(name)
    expect(lines[0]).toContain('not followed')
  })

  test('a misspelt key is reported with the one that was meant', async () => {
    for (const key of keysAt(place)) {
      const lines = await reported(model, withKey(place, misspell(key), key))
      expect(lines.join('\n')).toContain(`${misspell(key)} (did you mean ${key}?)`)
    }
  })

  test('as it stands, nothing is reported', async () => {
    expect((await reported(model, path('.'))).filter((line) => line.includes('not followed'))).toEqual([])
  })
})

describe('the program', () => {
  const env = { STRATA_CACHE: path('cache'), STRATA_LM_EVAL: path('none') }
  const count = (text: string, word: string): number => text.split(word).length - 1

  test('reports a key once, whatever it opens', async () => {
    const folder = withKey(['encoder', 'config.json', []], 'quite_unheard_of')
    const texts = file('texts.txt', 'a b\nb a\n')
    for (const line of [
      ['encode', join(folder, 'encoder'), texts, '--out', '-'],
      ['metrics', join(folder, 'encoder'), '--texts', texts, '--metrics', 'effective_rank'],
    ]) {
      const { stderr, code } = await strata(line, { env })
      expect([code, count(stderr, 'quite_unheard_of')]).toEqual([0, 1])
    }
  })

  test('reports settings of generation where text is generated', async () => {
    const folder = withKey(['speaker', 'generation_config.json', []], 'repetition_penalty')
    const { stderr, code } = await strata(['generate', join(folder, 'speaker'), 'Once', '-n', '2'], { env })
    expect([code, count(stderr, 'repetition_penalty is not followed')]).toEqual([0, 1])
    writeFileSync(
      join(folder, 'task.yaml'),
      `task: toy\ndataset_path: ${folder}\ntest_split: test\ndoc_to_text: q\ndoc_to_target: a\ngeneration_kwargs: { until: ["."], max_gen_toks: 2 }\n`,
    )
    writeFileSync(join(folder, 'test.jsonl'), '{"q":"Once","a":"upon"}\n')
    const asked = await strata(['harness', join(folder, 'speaker'), '--tasks', join(folder, 'task.yaml')], { env })
    expect([asked.code, count(asked.stderr, 'repetition_penalty is not followed')]).toEqual([0, 1])
  })
})

describe('real models have no key that is reported', () => {
  const unfollowed = async (model: string): Promise<string[]> => {
    const lines: string[] = []
    const opened = await openModel(model, { onNotice: (line) => lines.push(line) })
    await opened.close()
    return lines.filter((line) => line.includes('not followed'))
  }

  test('those that the repository carries', async () => {
    const undo = useCarriedHub()
    const all = [carriedModel, ...readdirSync(models).map((name) => join(models, name))]
    for (const model of all) expect([model, await unfollowed(model)]).toEqual([model, []])
    undo()
  })

  test.skipIf(shared === undefined)('a checkpoint of every family', async () => {
    const pico = sharedPath('models/pico')
    const folders = readdirSync(pico).filter((name) => readdirSync(pico).includes(name) && hasConfig(join(pico, name)))
    for (const name of folders) expect([name, await unfollowed(join(pico, name))]).toEqual([name, []])
    expect(folders.length).toBeGreaterThan(40)
  })
})

function hasConfig(folder: string): boolean {
  try {
    return readdirSync(folder).includes('config.json') && readdirSync(folder).includes('model.safetensors')
  } catch {
    return false
  }
}

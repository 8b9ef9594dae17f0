import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { describe as describeReference, openModel } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { hostileFiles, hostileIndexes, type Refusal } from '../../files/formats/hostile-files.ts'
import { shared, sharedPath } from '../../shared.ts'

/** Rows of the folder's SOURCE.md: file, and what a correct reader does. */
const rows =
  shared === undefined
    ? []
    : readFileSync(sharedPath('models/pico/hostile/SOURCE.md'), 'utf8')
        .split('\n')
        .flatMap((line) => {
          const [, file, , wanted] = line.split('|').map((cell) => cell.trim())
          return file !== undefined &&
            wanted !== undefined &&
            /^(safetensors|pickle|zip|npy|config|index|tokenizer)\//.test(file) &&
            wanted !== '–'
            ? [{ file, wanted }]
            : []
        })

const hostile = (file: string): string => sharedPath('models/pico/hostile', file)

/** Why a file is refused: the code, and what the message says of place and reason. Files that are not here are read. */
const refusals: Readonly<Record<string, Refusal>> = {
  ...Object.fromEntries(
    Object.entries(hostileFiles).flatMap(([file, wanted]) => ('read' in wanted ? [] : [[file, wanted]])),
  ),
  ...hostileIndexes,
  'config/deep.json': ['format.limit', 'config.json:1:258: nested too deep – wanted at most 256 levels'],
  'config/fractional-heads.json': ['config.value', 'config.json › num_attention_heads: is not a whole number – 4.5'],
  'config/heads-0.json': ['config.value', 'config.json › num_attention_heads: is implausible – 0'],
  'config/heads-do-not-divide.json': [
    'config.value',
    'config.json › num_attention_heads: heads do not divide the width 48 – 5',
  ],
  'config/hidden-0.json': ['config.value', 'config.json › hidden_size: is implausible – 0'],
  'config/layers-1e9.json': ['config.value', 'config.json › num_hidden_layers: is implausible – 1000000000'],
  'config/nan-literal.json': ['config.value', 'config.json › num_hidden_layers: is missing'],
  'config/negative-layers.json': ['config.value', 'config.json › num_hidden_layers: is implausible – -3'],
  'config/not-json.json': ['format.json', 'config.json:1:24: an object key must be a string – end of text'],
  'config/string-number.json': ['config.value', 'config.json › hidden_size: is not a number – 48'],
  'config/unknown-act.json': [
    'config.value',
    'config.json › hidden_act: is not a known activation – gelu_evil, wanted gelu, ',
  ],
  'config/unknown-model.json': [
    'config.family',
    'config.json › model_type: no family of this name is known; the nearest is llama – constructor',
  ],
  'tokenizer/added-tokens-object.json': ['tokenizer.invalid', 'tokenizer.json › added_tokens: not a list – an object'],
  'tokenizer/bad-regex.json': ['tokenizer.invalid', 'tokenizer.json: Oniguruma error: premature end of char-class'],
  'tokenizer/chat-escape-python.json': [
    'chat.template',
    "chat template: access to attribute '__class__' of 'str' object is unsafe.",
  ],
  'tokenizer/chat-escape.json': ['chat.template', "chat template: 'list object' has no attribute 'constructor'"],
  'tokenizer/chat-loop.json': [
    'chat.template',
    'chat template: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).',
  ],
  'tokenizer/huge-id.json': [
    'tokenizer.invalid',
    'tokenizer.json › model.vocab › evil: not a token id – 9007199254740992',
  ],
  'tokenizer/missing-unk.json': [
    'tokenizer.invalid',
    'tokenizer.json › model.unk_token: the token for unknown words is not in the vocabulary – [NOPE]',
  ],
  'tokenizer/model-null.json': ['tokenizer.invalid', 'tokenizer.json › model: not a model – null'],
  'tokenizer/negative-id.json': ['tokenizer.invalid', 'tokenizer.json › model.vocab › evil: not a token id – -5'],
  'tokenizer/regex-backtracking.json': [
    'tokenizer.limit',
    'tokenizer.json: the native tokenizer gave up: Onig: Regex search error: retry-limit-in-match over',
  ],
  'tokenizer/unknown-model.json': ['tokenizer.invalid', 'tokenizer.json › model.type: unknown model type – Evil'],
  'tokenizer/vocab-array.json': [
    'tokenizer.invalid',
    'tokenizer.json › model.vocab: not a table of token ids – a list of 3',
  ],
  'tokenizer/vocab-strings.json': ['tokenizer.invalid', 'tokenizer.json › model.vocab › 0: not a token id – 10'],
}

/** `read`, or how it was refused. */
async function outcome(work: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work()
    return { code: 'read', message: '' }
  } catch (error) {
    return error instanceof Fault
      ? { code: error.code, message: error.message }
      : { code: 'no fault', message: String(error) }
  }
}

/**
 * What the third column allows. Only a plain "refuse" must refuse, only a plain "read" must read; the rest may do
 * either, but only with a fault.
 */
function allowed(wanted: string, seen: string): boolean {
  const code = /^[a-z]+\.[a-z]+$/.test(seen)
  if (/^refuse(?!( or|: or))/.test(wanted)) return code && seen !== 'internal'
  if (/^read$|^read\b(?!.*refuse)/.test(wanted)) return seen === 'read'
  return seen === 'read' || code
}

async function describing(work: string, file: string): Promise<unknown> {
  const kind = file.split('/')[0] ?? ''
  switch (kind) {
    case 'config': {
      const folder = join(work, basename(file, '.json'))
      await cp(sharedPath('models/pico/bert'), folder, { recursive: true })
      await rm(join(folder, 'config.json'), { force: true })
      await cp(hostile(file), join(folder, 'config.json'))
      return describeReference(folder)
    }
    case 'index':
      return describeReference(hostile(file).replace(/\/[^/]*$/, ''))
    case 'tokenizer': {
      const folder = join(work, basename(file, '.json'))
      const chat = basename(file).startsWith('chat-')
      await cp(sharedPath('models/pico/sentence-transformers/mean-normalize'), folder, { recursive: true })
      const target = join(folder, chat ? 'tokenizer_config.json' : 'tokenizer.json')
      const text = await readFile(hostile(file), 'utf8')
      const whole = chat
        ? JSON.stringify({ ...(JSON.parse(await readFile(target, 'utf8')) as object), ...(JSON.parse(text) as object) })
        : text
      await rm(target, { force: true })
      await writeFile(target, whole)
      const model = await openModel(folder, chat ? { chat: true } : {})
      try {
        return await encode(model, ['How do I locate my card?', `${'a'.repeat(40)}b`, 'zzqx ☃'])
      } finally {
        await model.close()
      }
    }
    default:
      return describeReference(hostile(file))
  }
}

describe.skipIf(shared === undefined)('hostile files', () => {
  let work: string
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'strata-hostile-'))
  })
  afterAll(() => rm(work, { recursive: true, force: true }))

  test('the list has not shrunk', () => {
    expect(rows.length).toBeGreaterThan(100)
  })

  test.each(rows)('$file: $wanted', async ({ file, wanted }) => {
    const { code, message } = await outcome(() => describing(work, file))
    expect({ code, allowed: allowed(wanted, code) }).toEqual({ code, allowed: true })
    const [because, reason] = refusals[file] ?? ['read', '']
    expect({ code, message }).toEqual({ code: because, message: expect.stringContaining(reason) as string })
  })

  test('nothing was executed', async () => {
    for (const folder of [process.cwd(), work, '/tmp', sharedPath('models/pico/hostile')]) {
      expect((await readdir(folder)).filter((name) => name.includes('PWNED'))).toEqual([])
    }
  })
})

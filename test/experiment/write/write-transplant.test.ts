import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { describeTransplant, writeTransplant } from '#experiment/write'
import { transplantLines } from '../../../src/cli/commands/transplant/transplant-lines.ts'
import { openTransplant } from '#experiment/open'
import { narrow, openTensors, widen, writeSafetensors } from '#files/formats'
import { transplantedSource, type TransplantOptions } from '#model/transplant'
import {
  byteKey,
  prefixKeys,
  type Script,
  scriptOf,
  tokenKey,
  tokenText,
} from '../../../src/model/transplant/token-keys.ts'
import { temporaryFolder } from '../../model/merge/models.ts'
import { goldenOf } from '../../golden-of.ts'

interface Packed {
  shape: number[]
  base64: string
}

interface Golden {
  models: Record<
    string,
    { config: Record<string, unknown>; tokenizer: unknown; settings: unknown; tensors: Record<string, Packed> }
  >
  cases: {
    model: string
    donor: string
    flags: string[]
    error?: string
    config?: Record<string, unknown>
    tensors?: Record<string, Packed>
  }[]
}

/** mergekit 0.1.4 on torch 2.15.0, transformers 4.57.6: oracles/tokensurgeon.py. */
const golden = goldenOf<Golden>('model/transplant', 'tokensurgeon')

const bytesOf = ({ base64 }: Packed): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  for (const name of Object.keys(golden.models)) await written(name, name)
  return () => root.remove()
})

const at = (...parts: string[]): string => join(root.path, ...parts)

/** A golden model on disk, possibly with changes. */
async function written(
  name: string,
  folder: string,
  {
    config = {},
    change,
    files = {},
  }: {
    config?: Record<string, unknown>
    change?: (name: string, values: Float32Array) => Float32Array | undefined
    files?: Record<string, string>
  } = {},
): Promise<string> {
  const { config: own, tokenizer, settings, tensors } = golden.models[name]!
  await mkdir(at(folder), { recursive: true })
  const kept = Object.entries(tensors).flatMap(([tensor, packed]) => {
    const values = widen(bytesOf(packed), 'F32')
    const changed = change === undefined ? values : change(tensor, values)
    return changed === undefined
      ? []
      : [{ name: tensor, dtype: 'F32' as const, shape: packed.shape, bytes: narrow(changed, 'F32') }]
  })
  const extra = {
    name: 'model.layers.0.input_layernorm.weight',
    dtype: 'F32' as const,
    shape: [2],
    bytes: narrow(Float32Array.of(1, 2), 'F32'),
  }
  await writeSafetensors(at(folder, 'model.safetensors'), [...kept, extra], { format: 'pt' })
  const texts = {
    'config.json': JSON.stringify({ ...own, ...config }),
    'tokenizer.json': JSON.stringify(tokenizer),
    'tokenizer_config.json': JSON.stringify(settings),
    ...files,
  }
  for (const [file, text] of Object.entries(texts)) await writeFile(at(folder, file), text)
  return at(folder)
}

/** The tables of a change of tokenizer, without writing them. */
async function tables(
  model: string,
  donor: string,
  options: Partial<TransplantOptions> = {},
): Promise<Map<string, { shape: readonly number[]; values: Float32Array }>> {
  const opened = await openTransplant(at(model), at(donor), options)
  const source = transplantedSource(opened.plan, {
    ...opened,
    cut: async (texts) =>
      (await opened.model.tokenizer.encodeBatch(texts, { addSpecialTokens: false })).map(({ ids }) => ids),
  })
  const found = new Map<string, { shape: readonly number[]; values: Float32Array }>()
  try {
    for (const { name, shape } of opened.plan.tensors)
      found.set(name, { shape, values: widen(await source.read(name), 'F32') })
    return found
  } finally {
    await source.close()
    await opened.close()
  }
}

/** mergekit's flags as ours; its middle words of matching mean each other. */
function optionsOf(flags: readonly string[]): Partial<TransplantOptions> {
  const after = (name: string): string | undefined =>
    flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined
  const match = (name: string): string =>
    ({ embed: 'lm_head', lm_head: 'embed' })[after(name) ?? ''] ?? after(name) ?? 'no'
  return {
    method: after('-a') ?? 'omp',
    k: Number(after('-k') ?? 64),
    subwordMethod: after('-s') ?? 'mean',
    cosineSimilarity: flags.includes('-c'),
    newVocabScale: Number(after('--new-vocab-scale') ?? 1),
    prefixMatch: match('--prefix-match'),
    byteMatch: match('--byte-match'),
  } as TransplantOptions
}

/** Ids of tokens that begin a word. */
function wordsOf(name: string): number[] {
  const { vocab } = (golden.models[name]!.tokenizer as { model: { vocab: Record<string, number> } }).model
  return Object.entries(vocab).flatMap(([token, id]) => (/^Ġ./.test(token) ? [id] : []))
}

describe('mergekit-tokensurgeon’s tables', () => {
  test.each(golden.cases.filter(({ error }) => error === undefined))(
    '$model ← $donor $flags',
    async ({ model, donor, flags, tensors = {} }) => {
      const own = await tables(model, donor, optionsOf(flags))
      expect([...own.keys()].sort()).toEqual(Object.keys(tensors).sort())
      for (const [name, packed] of Object.entries(tensors)) {
        expect(own.get(name)?.shape).toEqual(packed.shape)
        const theirs = widen(bytesOf(packed), 'F32')
        // for a special token that only the donor has mergekit cuts the name of its role instead of the token
        if (flags.includes('subword') && donor === 'pieces')
          theirs.set(own.get(name)!.values.subarray(0, packed.shape[1]))
        // transformers 4 begins a word twice where the tokenizer puts a space before every text; 5 does not, and so it
        // is here
        const words = flags.includes('subword') && model === 'pieces' ? wordsOf(donor) : []
        for (const id of words) theirs.set(own.get(name)!.values.subarray(id * 8, id * 8 + 8), id * 8)
        // rows of float32 sums of at most four others of size one; weights of nearly parallel neighbours multiply the
        // rounding
        const far = own.get(name)!.values.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i]!)), 0)
        expect(far).toBeLessThan(1e-4)
      }
    },
  )

  test('where it refuses, the points there are have to do', async () => {
    const refused = golden.cases.filter(({ error }) => error !== undefined)
    expect(refused.map(({ flags, error }) => [flags.length, error?.split(':')[0]])).toEqual(
      refused.map(() => [0, 'ValueError']),
    )
    for (const { model, donor } of refused) {
      const all = [...(await tables(model, donor)).values()]
      expect(all.every(({ values }) => values.every(Number.isFinite))).toBe(true)
    }
  })
})

describe('tokens that mean the same', () => {
  const gpt: Script = scriptOf({
    tokens: ['Ġthe', 'Ġa', '<|end|>'],
    special: { bos_token: '<|end|>', eos_token: '<|end|>' },
  })
  const pieces: Script = scriptOf({
    tokens: ['▁the', '▁a', '</s>', '<s>', 'Ġ'],
    special: { bos_token: '<s>', eos_token: '</s>' },
  })
  const every = Array.from({ length: 256 }, (_, i) => i)
  const alphabet = every.map((byte) =>
    (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad) ? byte : undefined,
  )
  const bytes: Script = scriptOf({ tokens: ['Ġ', 'Ċ', 'Ġé', ...alphabetOf(alphabet)], special: {} })

  test('have one key, whatever marks the beginning of a word', () => {
    expect(tokenKey('Ġthe', gpt)).toBe(tokenKey('▁the', pieces))
    expect(tokenKey('the', gpt)).toBe(tokenKey('the', pieces))
    expect(tokenKey('the', gpt)).not.toBe(tokenKey('Ġthe', gpt))
    expect(tokenKey('<|end|>', gpt)).toBe(tokenKey('<s>', pieces))
    expect(tokenKey('</s>', pieces)).not.toBe(tokenKey('<s>', pieces))
  })

  test('begin with what they begin with', () => {
    expect(prefixKeys(tokenKey('Ġcats', gpt))).toEqual(['wcat', 'wca', 'wc'])
    expect(prefixKeys(tokenKey('<|end|>', gpt))).toEqual([])
    expect(prefixKeys('t😀b')).toEqual(['t😀'])
  })

  test('are found by their byte', () => {
    expect(byteKey('A', gpt, pieces)).toBe('t<0x41>')
    expect(byteKey('<0x41>', pieces, gpt)).toBe('tA')
    expect(byteKey('<0x0A>', pieces, bytes)).toBe('tĊ')
    expect(byteKey('Ċ', bytes, pieces)).toBe('t<0x0A>')
    expect(byteKey('<0x20>', pieces, bytes)).toBe('w')
    // a character of two bytes is none of them
    expect(byteKey('é', pieces, pieces)).toBeUndefined()
    expect(byteKey('the', gpt, pieces)).toBeUndefined()
  })

  test('say what they say', () => {
    expect(bytes.byteLevel).toBe(true)
    expect(tokenText('Ġthe', bytes)).toBe(' the')
    expect(tokenText('Ċ', bytes)).toBe('\n')
    expect(tokenText('Ã©', bytes)).toBe('é')
    // half a character is no text
    expect(tokenText('Ã', bytes)).toBe('Ã')
    expect(tokenText('▁é', pieces)).toBe(' é')
    expect(tokenText('</s>', pieces)).toBe('</s>')
  })

  function alphabetOf(known: readonly (number | undefined)[]): string[] {
    let next = 256
    return known.map((byte) => String.fromCharCode(byte ?? next++))
  }
})

test('a word is cut as its tokenizer cuts it, not begun twice', async () => {
  const own = await tables('pieces', 'bytes', { method: 'subword', subwordMethod: 'sum' })
  const ids = (name: string): Record<string, number> =>
    (golden.models[name]!.tokenizer as { model: { vocab: Record<string, number> } }).model.vocab
  const model = widen(bytesOf(golden.models['pieces']!.tensors['model.embed_tokens.weight']!), 'F32')
  // Ġabc is ▁ab and c
  const expected = Array.from({ length: 8 }, (_, d) =>
    Math.fround(model[ids('pieces')['▁ab']! * 8 + d]! + model[ids('pieces')['c']! * 8 + d]!),
  )
  expect([
    ...own
      .get('model.embed_tokens.weight')!
      .values.subarray(ids('bytes')['Ġabc']! * 8)
      .subarray(0, 8),
  ]).toEqual(expected)
})

describe('the folder', () => {
  test('holds the donor’s tokenizer, a config that fits and everything else as it was', async () => {
    const chat = {
      'chat_template.jinja': '{{ messages }}',
      'generation_config.json': JSON.stringify({
        bos_token_id: 1,
        eos_token_id: 2,
        max_length: 9,
        suppress_tokens: [3],
        pad_token_id: 1,
      }),
      'notes.txt': 'of the model',
    }
    const model = await written('pieces', 'whole', {
      files: chat,
      config: { decoder_start_token_id: 1, image_token_id: 3, rope_theta: 500 },
    })
    const opened = await openTransplant(model, at('bytes'), { k: 4 })
    const out = at('out')
    const result = await writeTransplant(opened, out, { threads: 1 }).finally(() => opened.close())
    const donorRows = golden.models['bytes']!.tensors['model.embed_tokens.weight']!.shape[0]
    expect(result).toMatchObject({ rows: donorRows, resumed: 0, files: ['model.safetensors'] })
    const tensors = await openTensors(join(out, 'model.safetensors'))
    expect(Object.fromEntries(tensors.names().map((name) => [name, tensors.info(name)?.shape]))).toEqual({
      'model.embed_tokens.weight': [donorRows, 8],
      'model.layers.0.input_layernorm.weight': [2],
      'model.norm.weight': [8],
      'lm_head.weight': [donorRows, 8],
    })
    expect([...widen(await tensors.read('model.layers.0.input_layernorm.weight'), 'F32')]).toEqual([1, 2])
    const expected = await tables('whole', 'bytes', { k: 4 })
    for (const [name, { values }] of expected) expect([...widen(await tensors.read(name), 'F32')]).toEqual([...values])
    await tensors.close()
    const config = JSON.parse(await readFile(join(out, 'config.json'), 'utf8')) as Record<string, unknown>
    expect(config).toMatchObject({
      vocab_size: donorRows,
      bos_token_id: 0,
      eos_token_id: 1,
      pad_token_id: null,
      decoder_start_token_id: 0,
      rope_theta: 500,
      hidden_size: 8,
    })
    // <0x0A> has no like in the other vocabulary
    expect(config).not.toHaveProperty('image_token_id')
    expect(result.notes.join()).toContain('image_token_id')
    expect(JSON.parse(await readFile(join(out, 'tokenizer.json'), 'utf8'))).toEqual(golden.models['bytes']!.tokenizer)
    expect(JSON.parse(await readFile(join(out, 'generation_config.json'), 'utf8'))).toEqual({
      bos_token_id: 0,
      eos_token_id: 1,
      max_length: 9,
    })
    expect(await readdir(out)).not.toContain('chat_template.jinja')
    expect(await readFile(join(out, 'notes.txt'), 'utf8')).toBe('of the model')
    expect(await readFile(join(out, 'README.md'), 'utf8')).toContain('`omp`')
    const again = await openTransplant(out, at('bytes'))
    expect(again.plan.tensors[0]!.rows.counts).toEqual({ shared: donorRows, byte: 0, prefix: 0, made: 0, zero: 0 })
    await again.close()
  })

  test('is the same whatever the batches, and another with another seed', async () => {
    const one = await tables('pieces', 'bytes', { method: 'john_hewitt', batchSize: 3, newVocabNoise: 0.1 })
    expect(await tables('pieces', 'bytes', { method: 'john_hewitt', batchSize: -1, newVocabNoise: 0.1 })).toEqual(one)
    expect(await tables('pieces', 'bytes', { method: 'john_hewitt', newVocabNoise: 0.1, seed: 1 })).not.toEqual(one)
    const quiet = await tables('pieces', 'bytes', { method: 'zero' })
    const loud = await tables('pieces', 'bytes', { method: 'zero', newVocabNoise: 1 })
    expect(loud).not.toEqual(quiet)
  })

  test('keeps a tie, stored or not', async () => {
    const embedding = golden.models['bytes']!.tensors['model.embed_tokens.weight']!
    expect((await tables('bytes', 'pieces', { k: 2 })).has('lm_head.weight')).toBe(false)
    const both = at('both')
    await mkdir(both, { recursive: true })
    await written('bytes', 'both')
    const tensors = ['model.embed_tokens.weight', 'lm_head.weight'].map((name) => ({
      name,
      dtype: 'F32' as const,
      shape: embedding.shape,
      bytes: bytesOf(embedding),
    }))
    await writeSafetensors(join(both, 'model.safetensors'), tensors, { format: 'pt' })
    const found = await tables('both', 'pieces', { method: 'subword', subwordMethod: 'first_last' })
    expect(found.get('lm_head.weight')).toEqual(found.get('model.embed_tokens.weight'))
  })

  test('gives untrained tokens nothing', async () => {
    // the donor's last tokens lie together and are called unused
    const { tokenizer } = golden.models['bytes']! as {
      tokenizer: { added_tokens: object[]; model: { vocab: Record<string, number> } }
    }
    const size = Object.keys(tokenizer.model.vocab).length
    const added = ['<unused_token_0>', '<unused_token_1>'].map((content, i) => ({
      id: size + i,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    }))
    const files = {
      'tokenizer.json': JSON.stringify({ ...tokenizer, added_tokens: [...tokenizer.added_tokens, ...added] }),
    }
    await written('bytes', 'unused', { files, config: { vocab_size: size + 2 } })
    const embedding = golden.models['bytes']!.tensors['model.embed_tokens.weight']!
    const data = Float32Array.from([...widen(bytesOf(embedding), 'F32'), ...new Float32Array(12).fill(0.25)])
    const tensors = [
      { name: 'model.embed_tokens.weight', dtype: 'F32' as const, shape: [size + 2, 6], bytes: narrow(data, 'F32') },
    ]
    await writeSafetensors(at('unused', 'model.safetensors'), tensors, { format: 'pt' })
    const opened = await openTransplant(at('pieces'), at('unused'), { method: 'mean', magikarp: true })
    const { rows } = opened.plan.tensors[0]!
    expect([rows.from.at(-1), rows.from.at(-2)]).toEqual([-2, -2])
    expect(rows.counts.zero).toBeGreaterThanOrEqual(2)
    await opened.close()
    expect(
      (await tables('pieces', 'unused', { method: 'mean', magikarp: true }))
        .get('model.embed_tokens.weight')
        ?.values.slice(-16),
    ).toEqual(new Float32Array(16))
  })

  test('is described before it is made', async () => {
    const opened = await openTransplant(at('pieces'), at('bytes'), { k: 4, prefixMatch: 'embed' })
    const [embed, head] = describeTransplant(opened).tensors
    expect(embed).toMatchObject({ name: 'model.embed_tokens.weight', role: 'embedding' })
    expect(embed!.counts.prefix).toBeGreaterThan(0)
    expect(head!.counts.prefix).toBe(0)
    const counted = Object.values(embed!.counts).reduce((sum, count) => sum + count, 0)
    expect(counted).toBe(embed!.shape[0])
    expect(transplantLines(describeTransplant(opened)).join('\n')).toMatch(/special {5}.*shared/)
    await opened.close()
  })
})

describe('refused', () => {
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'nothing',
      (error: unknown) => (error instanceof Fault ? error.code : String(error)),
    )

  test('a model without an embedding', async () => {
    await written('pieces', 'headless', { change: (name, values) => (name.includes('embed') ? undefined : values) })
    expect(await codeOf(openTransplant(at('headless'), at('bytes')))).toBe('tensor.missing')
  })

  test('a rotation where nothing rotates, or nothing in common', async () => {
    const still = await written('pieces', 'still', { config: { rope_theta: undefined } })
    expect(still).toBe(at('still'))
    expect(await codeOf(tables('still', 'bytes', { method: 'mp_rope', k: 2 }))).toBe('config.value')
    const { tokenizer } = golden.models['bytes']! as { tokenizer: { model: { vocab: Record<string, number> } } }
    const foreign = {
      ...tokenizer,
      added_tokens: [],
      model: { ...tokenizer.model, merges: [], unk_token: null, vocab: { x: 0, y: 1, z: 2 } },
    }
    await written('bytes', 'foreign', {
      config: { vocab_size: 3 },
      files: {
        'tokenizer.json': JSON.stringify(foreign),
        'tokenizer_config.json': '{"tokenizer_class": "PreTrainedTokenizerFast"}',
      },
    })
    expect(await codeOf(openTransplant(at('pieces'), at('foreign')))).toBe('usage.value')
    expect(await codeOf(tables('pieces', 'foreign', { method: 'mean' }))).toBe('nothing')
  })

  test('numbers that are none', async () => {
    await written('bytes', 'broken', { change: (_, values) => values.map((value, i) => (i === 70 ? NaN : value)) })
    expect(await codeOf(tables('pieces', 'broken', { k: 4 }))).toBe('tensor.value')
  })

  test('a target inside an input', async () => {
    const opened = await openTransplant(at('pieces'), at('bytes'), { k: 4 })
    expect(await codeOf(writeTransplant(opened, at('pieces', 'out')))).toBe('usage.conflict')
    await opened.close()
  })
})

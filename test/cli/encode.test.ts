import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeSafetensors } from '#files/formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { strata, type Ran, type RunOptions } from './program.ts'

/** All that a run without faults says: the folder of the small model names no pooling. */
const unnamedPooling = expect.stringMatching(/^notice {2}model: no file names a pooling: .*\n$/) as string

const scratch = scratchFolder()
const model = scratch.path('model')
beforeAll(async () => void (await writeSmallModel(model)))

const encode = (text: string, flags: readonly string[], options?: RunOptions): Promise<Ran> =>
  strata(['encode', model, scratch.file('in.txt', text), '--cache-dir', scratch.path('cache'), ...flags], options)

describe('vectors that are not finite', () => {
  test.each(['npy', 'safetensors', 'parquet', 'jsonl'])(
    'are not written as .%s: the text and the state are named',
    async (format) => {
      const out = scratch.path(`bad.${format}`)
      const { code, stderr } = await encode('a\nb\nnan a\n', ['--out', out, '--layers', '0,1'])
      expect(stderr).toMatch(/^error tensor\.value {2}text 2: its state h0 is not finite – NaN$/m)
      expect(code).toBe(1)
      expect(readdirSync(scratch.path('.')).filter((name) => name.startsWith('bad'))).toEqual([])
    },
  )

  test('nor token by token, nor from ids', async () => {
    const out = scratch.path('bad-tokens.safetensors')
    const tokens = await encode('a\nnan\n', ['--out', out, '--tokens', '--layers', '0'])
    expect(tokens.stderr).toMatch(/^error tensor\.value {2}text 1: its hidden_states\.0 is not finite – NaN$/m)
    expect(tokens.code).toBe(1)
    const ids = scratch.path('ids.safetensors')
    await writeSafetensors(ids, [{ name: 'input_ids', dtype: 'U8', shape: [2, 2], bytes: Uint8Array.of(4, 5, 4, 6) }])
    const given = await strata(['encode', model, '--input-ids', ids, '--out', out, '--tokens', '--layers', '0'])
    expect(given.stderr).toMatch(/^error tensor\.value {2}row 1 of .*: its hidden_states\.0 is not finite – NaN$/m)
    expect(existsSync(out)).toBe(false)
  })

  test('nor printed, after the sound ones', async () => {
    const { code, stdout, stderr } = await encode(`${'a\n'.repeat(512)}nan\n`, ['--out', '-'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(512)
    expect(stderr).toContain('text 512: its state default is not finite')
    expect(code).toBe(1)
  })
})

describe('--logits', () => {
  test.each([[['--tokens']], [[]]])(
    'of a model without such a head is refused with what it has, before any work: %j',
    async (flags) => {
      const out = scratch.path('logits.safetensors')
      const { code, stderr } = await strata([
        'encode',
        model,
        scratch.path('not there.txt'),
        '--out',
        out,
        '--logits',
        ...flags,
      ])
      expect(stderr).toMatch(/^error config\.unsupported {2}.*no head that gives logits – only a pooler$/m)
      expect(code).toBe(1)
      expect(existsSync(out)).toBe(false)
    },
  )
})

test('a refused command leaves nothing that stands in the way of the corrected one', async () => {
  const out = scratch.path('again.npy')
  const refused = await encode('a\nb\n', ['--out', out, '--chat'])
  expect(refused.stderr).toMatch(/^error chat\.template/m)
  expect(existsSync(`${out}.partial`)).toBe(false)
  const { code, stderr } = await encode('a\nb\n', ['--out', out])
  expect({ code, stderr }).toEqual({ code: 0, stderr: unnamedPooling })
})

test('an id past the embedding is named by the tokenizer’s error, not by the engine’s', async () => {
  const { code, stderr } = await encode('a\nfar\n', ['--out', scratch.path('far.npy')])
  expect(stderr).toMatch(
    /^error tokenizer\.invalid {2}.*an id for which the model has no embedding – 9, wanted 0 … 6$/m,
  )
  expect(code).toBe(1)
})

test.each([[[]], [['-']]])('--column of plain text is refused: %j', async (files) => {
  const args = files.length === 0 ? [scratch.file('in.txt', 'a\n')] : files
  const { code, stderr } = await strata(
    ['encode', model, ...args, '--column', 'text', '--out', scratch.path('column.npy')],
    { input: 'a\n' },
  )
  expect(stderr).toMatch(/^error usage\.conflict {2}.*plain text has no columns – column text$/m)
  expect(code).toBe(2)
})

describe('--out -', () => {
  test('prints the lines of the .jsonl and nothing else', async () => {
    const flags = ['--layers', '0,1']
    const out = scratch.path('same.jsonl')
    const text = 'a\n\nb a\na b a\n'
    expect(await encode(text, ['--out', out, ...flags])).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await encode(text, ['--out', '-', ...flags])
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: unnamedPooling, stdout: readFileSync(out, 'utf8') })
  })

  test('has no tensors', async () => {
    const { code, stderr } = await encode('a\n', ['--out', '-', '--tokens'])
    expect(stderr).toContain('token output is a tensor, not a table')
    expect(code).toBe(2)
  })

  test('says that there are no texts', async () => {
    expect(await encode('', ['--out', '-'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('table.empty') as string,
    })
  })
})

import { expect, test } from 'vitest'
import { tokenizerFilesFor } from '../../../src/representation/export/tokenizer-files.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('texts are cut where the representation cuts them; nothing else is touched', () => {
  const files = new Map([
    ['tokenizer.json', bytes('{"model_max_length": 1}')],
    ['tokenizer_config.json', bytes('{"model_max_length": 512, "pad_token": "[PAD]"}')],
  ])
  const out = tokenizerFilesFor(files, { maxLength: 64 })
  expect(JSON.parse(String(out.get('tokenizer_config.json')))).toEqual({ model_max_length: 64, pad_token: '[PAD]' })
  expect(out.get('tokenizer.json')).toBe(files.get('tokenizer.json'))
})

test('a tokenizer without settings gets none', () => {
  expect([...tokenizerFilesFor(new Map([['tokenizer.json', bytes('{}')]]), { maxLength: 64 }).keys()]).toEqual([
    'tokenizer.json',
  ])
})

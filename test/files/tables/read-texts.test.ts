import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTableWriter, readTexts, type TextOptions, type TextSource } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { file, path } = scratchFolder()

async function texts(source: TextSource, options?: TextOptions): Promise<{ id: string; text: string }[]> {
  const rows = []
  for await (const batch of readTexts(source, options)) rows.push(...batch)
  return rows
}
const numbered = (values: string[], from = 0) => values.map((text, i) => ({ id: String(from + i), text }))

describe('plain text', () => {
  const lines = [
    'first',
    '',
    '  spaces  ',
    '"quoted", with commas',
    '{"text": "no json"}',
    'a\rb\u2028c\u0085d',
    '',
    '😀',
  ]

  test.each([
    ['lines.txt', (text: string) => text],
    ['lines.txt.gz', (text: string) => gzipSync(text)],
    ['lines', (text: string) => `\ufeff${text}`],
    ['lines.md', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('%s: one line a text, empty lines keep their row', async (name, pack) => {
    for (const tail of ['\n', ''])
      expect(await texts({ kind: 'file', path: file(name, pack(lines.join('\n') + tail)) })).toEqual(numbered(lines))
  })

  test('an empty file has no text, a single line end one empty text', async () => {
    expect(await texts({ kind: 'file', path: file('empty.txt', '') })).toEqual([])
    expect(await texts({ kind: 'file', path: file('newline.txt', '\n') })).toEqual(numbered(['']))
  })

  test('any lines come back, from any cut of the stream', async () => {
    const line = fc
      .string({ unit: fc.constantFrom('a', ' ', '\r', 'é', '😀', '\u2028') })
      .map((text) => text.replace(/\r+$/, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('\n', '\r\n'),
        async (values, size, end) => {
          const bytes = Buffer.from(values.map((value) => value + end).join(''))
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          )
          expect(await texts({ kind: 'stdin', input: Readable.from(pieces) }, { batch: 3 })).toEqual(numbered(values))
        },
      ),
      { numRuns: 200, seed: 3 },
    )
  })
})

describe('tables', () => {
  test('column text, ids where there are ids', async () => {
    const source = file(
      'ids.jsonl',
      '{"id":"a","text":"x","title":"t"}\n{"id":7,"text":"","title":"t"}\n{"text":"z"}\n',
    )
    expect(await texts({ kind: 'file', path: source })).toEqual([
      { id: 'a', text: 'x' },
      { id: '7', text: '' },
      { id: '2', text: 'z' },
    ])
  })

  test('the only column of strings, or the one that is named, dots included', async () => {
    expect(
      await texts({ kind: 'file', path: file('only.jsonl', '{"n":1,"sentence":"x"}\n{"n":2,"sentence":"y"}') }),
    ).toEqual(numbered(['x', 'y']))
    const two = file('two.csv', 'q,a,id\nx,y,7\n')
    expect(await texts({ kind: 'file', path: two, column: 'a' })).toEqual([{ id: '7', text: 'y' }])
    await expect(texts({ kind: 'file', path: two })).rejects.toMatchObject({
      code: 'table.column',
      parts: { seen: 'columns q, a, id' },
      hint: 'name it with --column',
    })
    await expect(texts({ kind: 'file', path: two, column: 'aa' })).rejects.toMatchObject({
      code: 'usage.value',
      hint: 'did you mean a?',
    })
    expect(await texts({ kind: 'file', path: file('deep.json', '[{"a":{"b":"x"}}]'), column: 'a.b' })).toEqual(
      numbered(['x']),
    )
    await expect(texts({ kind: 'file', path: file('numbers.jsonl', '{"n":1}\n') })).rejects.toMatchObject({
      code: 'table.column',
      message: expect.stringContaining('no column holds texts') as string,
    })
  })

  test('a row without a text is not an empty text', async () => {
    const source = file('gap.jsonl', '{"text":"x"}\n{"text":null}\n')
    await expect(texts({ kind: 'file', path: source })).rejects.toMatchObject({
      code: 'table.column',
      message: expect.stringContaining('row 1') as string,
    })
    await expect(
      texts({ kind: 'file', path: file('number.jsonl', '{"text":"x"}\n{"text":3}\n') }),
    ).rejects.toMatchObject({ code: 'table.column' })
  })

  test('parquet and tsv', async () => {
    const writer = await createTableWriter(path('rows.parquet'), [
      { name: 'id', type: 'integer' },
      { name: 'text', type: 'text' },
      { name: 'other', type: 'text' },
    ])
    await writer.append([
      { id: 3, text: 'x', other: 'o' },
      { id: null, text: '' },
    ])
    await writer.finish()
    const wanted = [
      { id: '3', text: 'x' },
      { id: '1', text: '' },
    ]
    expect(await texts({ kind: 'file', path: path('rows.parquet') })).toEqual(wanted)
    expect(await texts({ kind: 'file', path: file('one.tsv', 'text\n"x\ty"\n\n') })).toEqual(numbered(['x\ty', '']))
  })

  test('batches go on where an earlier run stopped', async () => {
    const values = Array.from({ length: 25 }, (_, i) => `t${i}`)
    for (const source of [
      file('resume.txt', values.join('\n')),
      file('resume.jsonl', values.map((text) => JSON.stringify({ text })).join('\n')),
    ])
      expect(await texts({ kind: 'file', path: source }, { batch: 4, offset: 10, limit: 9 })).toEqual(
        numbered(values.slice(10, 19), 10),
      )
  })

  test('a format that the name does not tell', async () => {
    expect(await texts({ kind: 'file', path: file('queries', '{"text":"x"}\n'), format: 'jsonl' })).toEqual(
      numbered(['x']),
    )
    expect(await texts({ kind: 'file', path: file('queries.jsonl', '{"text":"x"}\n'), format: 'txt' })).toEqual(
      numbered(['{"text":"x"}']),
    )
  })
})

describe('standard input', () => {
  test('lines and json lines', async () => {
    expect(await texts({ kind: 'stdin', input: Readable.from(['a\n', '\nb']) })).toEqual(numbered(['a', '', 'b']))
    expect(
      await texts({
        kind: 'stdin',
        format: 'jsonl',
        input: Readable.from([Buffer.from('{"id":"q","body":"a"}\n{"body"'), Buffer.from(':"b"}')]),
      }),
    ).toEqual([
      { id: 'q', text: 'a' },
      { id: '1', text: 'b' },
    ])
  })

  test('is not read further than needed', async () => {
    async function* endless() {
      for (;;) yield Buffer.from('again\n')
    }
    expect(await texts({ kind: 'stdin', input: endless() }, { limit: 3 })).toEqual(
      numbered(['again', 'again', 'again']),
    )
  })

  test('a broken line says where', async () => {
    await expect(
      texts({ kind: 'stdin', format: 'jsonl', input: Readable.from(['{"text":"a"}\n{]']) }),
    ).rejects.toMatchObject({
      code: 'table.read',
      parts: { place: 'standard input:2:2' },
    })
  })
})

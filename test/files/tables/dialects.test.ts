import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parquetNote, readColumns, type ReadOptions } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const scratch = scratchFolder()
let count = 0
const read = async (name: string, content: string | Uint8Array, options: ReadOptions = {}): Promise<unknown> =>
  (await readColumns([scratch.file(`${count++}-${name}`, content)], options)).columns
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => 'no fault').catch((error: { code?: unknown }) => error.code)

describe('separated values that differ from the usual', () => {
  test.each<[string, string, NonNullable<ReadOptions['dialect']>, Record<string, string[]>]>([
    ['semicolons', 'a;b\n"x;y";p,q\n', { separator: ';' }, { a: ['x;y'], b: ['p,q'] }],
    ['a separator that patterns know', 'a]b\nx]p\n', { separator: ']' }, { a: ['x'], b: ['p'] }],
    ['bars, dashes and carets', 'a^b\nx|-^p\n', { separator: '^' }, { a: ['x|-'], b: ['p'] }],
    ['single quotes', `a,b\n'x,''y''',"p\n`, { quote: "'" }, { a: [`x,'y'`], b: ['"p'] }],
    ['no quotes', 'a,b\n"x,p"\n', { quote: null }, { a: ['"x'], b: ['p"'] }],
    ['names without a header', 'x,p\n', { names: ['a', 'b'] }, { a: ['x'], b: ['p'] }],
    ['names instead of the header', 'q,r\nx,p\n', { names: ['a', 'b'], header: true }, { a: ['x'], b: ['p'] }],
    [
      'lines to pass over, blank ones before the header',
      'about, "this\n\n\na,b\nx,p\n',
      { skip: 1 },
      { a: ['x'], b: ['p'] },
    ],
  ])('%s', async (_, text, dialect, columns) => expect(await read('a.csv', text, { dialect })).toEqual(columns))
  test('separators and quotes are single characters', async () => {
    expect(await codeOf(read('a.csv', 'a\n1\n', { dialect: { separator: '\\s+' } }))).toBe('table.read')
    expect(await codeOf(read('a.csv', 'a\n1\n', { dialect: { quote: '\n' } }))).toBe('table.read')
  })
  test('a file with fewer lines than are passed over has no header', async () => {
    expect(await codeOf(read('a.csv', 'a\n1\n', { dialect: { skip: 5 } }))).toBe('table.empty')
  })
})

describe('rows under a key of a document', () => {
  const rows = [{ a: 1 }, { a: 2 }]
  test.each<[string, unknown]>([
    ['objects', rows],
    ['columns', { a: [1, 2] }],
  ])('as %s', async (_, data) =>
    expect(await read('a.json', JSON.stringify({ version: 'x', data }), { field: 'data' })).toEqual({ a: [1, 2] }),
  )
  test('as texts without a name', async () =>
    expect(await read('a.json', '{"data": ["x", "y"]}', { field: 'data' })).toEqual({ text: ['x', 'y'] }))
  test.each([
    ['no such key', '{"rows": []}'],
    ['no rows there', '{"data": 3}'],
    ['something else among them', '{"data": [{"a": 1}, 2]}'],
    ['no document', '[{"data": []}]'],
  ])('%s is refused', async (_, text) =>
    expect(await codeOf(read('a.json', text, { field: 'data' }))).toBe('table.read'),
  )
})

test('texts in an array are rows of one column, mixed arrays are refused by line', async () => {
  expect(await read('a.json', '["x",\n"y"]')).toEqual({ text: ['x', 'y'] })
  await expect(read('a.json', '["x",\n3]')).rejects.toMatchObject({
    code: 'table.read',
    message: expect.stringContaining(':2:1') as string,
  })
})

test('bytes that lie elsewhere are read as the file would be', async () => {
  const bytes =
    (content: Uint8Array): NonNullable<ReadOptions['bytes']> =>
    () =>
      Readable.from([content.subarray(0, 5), content.subarray(5)])
  const options = { bytes: bytes(Buffer.from('{"a": 1}\n{"a": 2}\n')) }
  expect((await readColumns(['nowhere.jsonl'], options)).columns).toEqual({ a: [1, 2] })
  expect((await readColumns(['nowhere.csv.gz'], { bytes: bytes(gzipSync('a\nx\n')) })).columns).toEqual({ a: ['x'] })
})

test('a file that is no parquet has no notes', async () =>
  expect(await codeOf(parquetNote(scratch.file('x.parquet', 'PAR1'), 'huggingface'))).toBe('table.read'))

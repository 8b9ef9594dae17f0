import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBatches, readColumns } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()

describe('csv and tsv', () => {
  test('quotes, doubled quotes, line ends and separators inside quotes, empty fields', async () => {
    const source = file('quotes.csv', 'id,text,Text\n1,"a ""q"", b\r\nnewline",x\n2,,"" \n'.replace('"" ', '""'))
    expect((await readColumns([source])).columns).toEqual({
      id: ['1', '2'],
      text: ['a "q", b\r\nnewline', ''],
      Text: ['x', ''],
    })
  })

  test('every value is text, whatever it looks like', async () => {
    const values = [
      '2020-01-01',
      '12:30',
      '1e5',
      '007',
      'true',
      'null',
      'NA',
      'nan',
      ' padded ',
      '# no comment',
      'a "quote" inside',
      '😀',
      'u\u2028v',
      'nul\u0000',
      'x'.repeat(5_000_000),
    ]
    const source = file('values.csv', `text,n\n${values.map((value) => `${value},1\n`).join('')}`)
    expect((await readColumns([source], { columns: ['text'] })).columns).toEqual({ text: values })
  })

  test('numbers where they are asked for; an empty one is null', async () => {
    const source = file('qrels.tsv', 'query-id\tcorpus-id\tscore\n1\tMED-10\t2\n2\t"3"\t\n3\tx\t-1.5e1\n')
    expect((await readColumns([source], { numeric: ['score'] })).columns).toEqual({
      'query-id': ['1', '2', '3'],
      'corpus-id': ['MED-10', '3', 'x'],
      score: [2, null, -15],
    })
    const bad = file('bad.tsv', 'score\n1\ntwo\n')
    await expect(readColumns([bad], { numeric: ['score'] })).rejects.toMatchObject({
      code: 'table.read',
      parts: { place: `${bad}:3`, seen: 'two' },
    })
  })

  test.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
    ['carriage returns', '\r'],
  ])('lines end in %s; the last needs none; a byte order mark is dropped', async (_, end) => {
    const text = ['text,id', 'a,1', '"b,c",2', '', 'd,3'].join(end)
    for (const tail of ['', end])
      expect((await readColumns([file('ends.csv', `\ufeff${text}${tail}`)])).columns).toEqual({
        text: ['a', 'b,c', 'd'],
        id: ['1', '2', '3'],
      })
  })

  test('in a single column an empty line is an empty text', async () => {
    expect((await readColumns([file('single.csv', 'text\na\n\nb\n""\n')])).columns).toEqual({
      text: ['a', '', 'b', ''],
    })
  })

  test('gzip', async () => {
    expect((await readColumns([file('packed.csv.gz', gzipSync('a,b\n1,2\n'))])).columns).toEqual({ a: ['1'], b: ['2'] })
  })

  test('a header alone is a table without rows, an empty file none', async () => {
    expect(await readColumns([file('header.csv', 'a,b\n')], { columns: ['b'] })).toEqual({
      rows: 0,
      columns: { b: [] },
    })
    await expect(readColumns([file('empty.csv', '')])).rejects.toMatchObject({ code: 'table.empty' })
  })

  test.each([
    ['a,b\n1\n', ':2', 'a different number of fields'],
    ['a,b\n1,2\n3,4,5\n', ':3', 'a different number of fields'],
    ['a,b\n"x"y,2\n', ':2:4', 'after a closing quote'],
    ['a,b\n1,2\n"open,2\n3,4\n', ':3', 'never closed'],
    ['a,b\n"two\nlines",2\n3\n', ':4', 'a different number of fields'],
  ])('%j is told with its line', async (text, where, what) => {
    const source = file('broken.csv', text)
    await expect(readColumns([source])).rejects.toMatchObject({
      code: 'table.read',
      parts: { place: `${source}${where}` },
      message: expect.stringContaining(what) as string,
    })
  })

  test('a missing column, a column that is there twice', async () => {
    const source = file('twice.csv', 'a,b,a\n1,2,3\n')
    await expect(readColumns([source], { columns: ['c'] })).rejects.toMatchObject({
      code: 'table.column',
      parts: { seen: 'columns a, b, a' },
    })
    await expect(readColumns([source], { columns: ['a'] })).rejects.toMatchObject({ code: 'table.column' })
    expect((await readColumns([source], { columns: ['b'] })).columns).toEqual({ b: ['2'] })
  })

  test('any table that is written with quotes comes back, in batches of any size', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\t', '\n', '\r', ' ', 'é', '😀') })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(',', '\t'),
        fc.integer({ min: 1, max: 9 }),
        async (rows, separator, batch) => {
          const text = [['a', 'b'], ...rows]
            .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(separator))
            .join('\r\n')
          const seen: unknown[] = []
          for await (const { columns } of readBatches([file('any.csv', text)], {
            batch,
            format: separator === ',' ? 'csv' : 'tsv',
          }))
            seen.push(...(columns['a'] ?? []).map((a, i) => [a, columns['b']?.[i]]))
          expect(seen).toEqual(rows)
        },
      ),
      { numRuns: 100, seed: 2 },
    )
  })

  test('rows that cross pieces of the file', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `row "${i}",\r\n${'y'.repeat(i % 50)}`)
    const source = file(
      'long.csv',
      `text,n\r\n${rows.map((value, i) => `"${value.replaceAll('"', '""')}",${i}`).join('\r\n')}`,
    )
    const { columns } = await readColumns([source], { numeric: ['n'] })
    expect(columns).toEqual({ text: rows, n: rows.map((_, i) => i) })
  })
})

import { DuckDBInstance } from '@duckdb/node-api'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createTableWriter, readBatches, readColumns } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { file, path } = scratchFolder()

/** A file made by DuckDB itself, outside the code under test. */
async function make(name: string, select: string, options = 'FORMAT parquet'): Promise<string> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`COPY (${select}) TO '${path(name)}' (${options})`)
  connection.closeSync()
  return path(name)
}

describe('reading parquet', () => {
  test('every type comes back as plain JavaScript', async () => {
    const source = await make(
      'types.parquet',
      `SELECT 1::TINYINT AS tiny, 9007199254740993::BIGINT AS big, 12::BIGINT AS small, 18446744073709551615::UBIGINT AS huge, 1.5::FLOAT AS f, 0.1::DOUBLE AS d, 12.25::DECIMAL(10, 2) AS dec,
       true AS yes, 'nul' || chr(0) || '😀' AS text, '\\x00\\xFF'::BLOB AS bytes, DATE '2020-01-31' AS day, TIMESTAMP '2020-01-31 12:30:00.25' AS time, TIMESTAMPTZ '2020-01-31 12:30:00+02' AS zoned,
       TIMESTAMP '1950-01-01 00:00:00.000001' AS old, TIMESTAMP_NS '2020-01-31 00:00:00.000000001' AS nano, ['a', NULL] AS list, {'a': 1, 'b': {'c': 'x'}} AS struct, [{'a': 1}, {'a': 2}] AS structs,
       MAP {'k': 1} AS map, MAP {1: 'v'} AS numbered, [1.5, 2.5]::FLOAT[2] AS vector, NULL::VARCHAR AS nothing, '550e8400-e29b-41d4-a716-446655440000'::UUID AS id, 'b'::ENUM('a', 'b') AS choice`,
    )
    const { columns } = await readColumns([source])
    expect(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[0]]))).toEqual({
      tiny: 1,
      big: 9007199254740993n,
      small: 12,
      huge: 18446744073709551615n,
      f: 1.5,
      d: 0.1,
      dec: 12.25,
      yes: true,
      text: 'nul\u0000😀',
      bytes: Uint8Array.of(0, 255),
      day: '2020-01-31',
      time: '2020-01-31T12:30:00.25',
      zoned: '2020-01-31T10:30:00Z',
      old: '1950-01-01T00:00:00.000001',
      nano: '2020-01-31T00:00:00.000000001',
      list: ['a', null],
      struct: { a: 1, b: { c: 'x' } },
      structs: [{ a: 1 }, { a: 2 }],
      map: { k: 1 },
      numbered: [{ key: 1, value: 'v' }],
      vector: [1.5, 2.5],
      nothing: null,
      id: '550e8400-e29b-41d4-a716-446655440000',
      choice: 'b',
    })
  })

  test('only the columns asked for, dots into structs, rows in order over files', async () => {
    const source = await make(
      'rows.parquet',
      `SELECT range AS i, {'label': range % 3} AS labels, 'x' AS unused FROM range(10000)`,
    )
    const { rows, columns } = await readColumns([source, source], { columns: ['labels.label', 'i'] })
    expect(rows).toBe(20_000)
    const order = Array.from({ length: 20_000 }, (_, i) => i % 10_000)
    expect(columns).toEqual({ 'labels.label': order.map((i) => i % 3), i: order })
  })

  test('names that differ in case only are two columns', async () => {
    const source = await make('case.parquet', `SELECT 1 AS a, 2 AS b`)
    // DuckDB cannot write such a file: rename a column in the schema and the metadata, which have the same length
    const bytes = readFileSync(source)
    for (let at = bytes.indexOf('b\u0015'); at >= 0; at = bytes.indexOf('b\u0015', at + 1)) bytes[at] = 0x41
    for (let at = bytes.indexOf('\u0001b'); at >= 0; at = bytes.indexOf('\u0001b', at + 1)) bytes[at + 1] = 0x41
    const renamed = file('renamed.parquet', bytes)
    expect((await readColumns([renamed])).columns).toEqual({ a: [1], A: [2] })
    expect((await readColumns([renamed], { columns: ['A'] })).columns).toEqual({ A: [2] })
  })

  test.each([
    "it's.parquet",
    'a[b]*?.parquet',
    'sp ace.parquet',
    'lang=en/file.parquet',
    '日本.parquet',
    'semi;colon"quote.parquet',
  ])('a file named %s is that file', async (name) => {
    mkdirSync(path('lang=en'), { recursive: true })
    const writer = await createTableWriter(path(name), [{ name: 'x', type: 'integer' }])
    await writer.append([{ x: 1 }])
    await writer.finish()
    expect((await readColumns([path(name)])).columns).toEqual({ x: [1] })
  })

  test('what is not there or not parquet', async () => {
    const source = await make('ok.parquet', 'SELECT 1 AS x')
    await expect(readColumns([source], { columns: ['y'] })).rejects.toMatchObject({
      code: 'table.column',
      message: `${source}: no column y – columns x`,
    })
    await expect(readColumns([source], { columns: ['x.y'] })).rejects.toMatchObject({ code: 'table.column' })
    await expect(readColumns([path('none.parquet')])).rejects.toMatchObject({
      code: 'table.read',
      message: expect.stringContaining('no such file') as string,
    })
    await expect(readColumns([file('text.parquet', 'text')])).rejects.toMatchObject({ code: 'table.read' })
    await expect(readColumns([file('empty.parquet', '')])).rejects.toMatchObject({ code: 'table.read' })
    await expect(
      readColumns([file('cut.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(20)]))]),
    ).rejects.toMatchObject({ code: 'table.read' })
    await expect(
      readColumns([file('pointer.parquet', 'version https://git-lfs.github.com/spec/v1\n')]),
    ).rejects.toMatchObject({ code: 'format.lfs' })
  })

  test('a changed byte is a fault or other values, never more', async () => {
    const source = await make('flip.parquet', `SELECT range AS i, 'text ' || range AS t FROM range(200)`)
    const whole = readFileSync(source)
    for (let at = 4; at < whole.length; at += 37) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      writeFileSync(path('flipped.parquet'), bytes)
      const outcome = await readColumns([path('flipped.parquet')]).then(
        ({ rows }) => rows,
        (error: unknown) => (error as { code: string }).code,
      )
      expect(['number', 'table.read']).toContain(typeof outcome === 'number' ? 'number' : outcome)
    }
  })
})

describe('zstandard', () => {
  test('json lines, csv and json are seen through it', async () => {
    const lines = await make(
      'rows.jsonl.zst',
      `SELECT '2020-01-01' AS text, range AS i FROM range(3000)`,
      'FORMAT json, COMPRESSION zstd',
    )
    expect((await readColumns([lines], { columns: ['text', 'i'] })).columns).toEqual({
      text: Array.from({ length: 3000 }, () => '2020-01-01'),
      i: Array.from({ length: 3000 }, (_, i) => i),
    })
    const csv = await make(
      'rows.csv.zst',
      `SELECT 'a "q"' || chr(10) || 'b' AS text, '007' AS id`,
      'FORMAT csv, HEADER, COMPRESSION zstd',
    )
    expect((await readColumns([csv])).columns).toEqual({ text: ['a "q"\nb'], id: ['007'] })
    const array = await make('rows.json.zst', `SELECT 'x' AS text`, 'FORMAT json, ARRAY true, COMPRESSION zstd')
    expect((await readColumns([array])).columns).toEqual({ text: ['x'] })
  })

  test('lines of 5 MB pass; what is not zstandard does not', async () => {
    const long = await make('long.jsonl.zst', `SELECT repeat('x', 5000000) AS text`, 'FORMAT json, COMPRESSION zstd')
    expect((await readColumns([long])).columns).toEqual({ text: ['x'.repeat(5_000_000)] })
    await expect(readColumns([file('no.jsonl.zst', '{"a":1}\n')])).rejects.toMatchObject({ code: 'table.read' })
  })
})

describe('batches', () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

  test.each(['jsonl', 'csv', 'parquet'] as const)(
    '%s: batch, offset and limit cut the same rows out',
    async (format) => {
      const source = await make(
        `batch.${format}`,
        'SELECT range AS i FROM range(5000)',
        format === 'parquet' ? 'FORMAT parquet' : format === 'csv' ? 'FORMAT csv, HEADER' : 'FORMAT json',
      )
      const options = { columns: ['i'], numeric: format === 'csv' ? ['i'] : [], batch: 700, offset: 4900, limit: 3000 }
      const batches: unknown[][] = []
      for await (const { rows: count, columns } of readBatches([source, source], options)) {
        expect(columns['i']).toHaveLength(count)
        batches.push(columns['i'] ?? [])
      }
      expect(batches.map((batch) => batch.length)).toEqual([700, 700, 700, 700, 200])
      expect(batches.flat()).toEqual([...rows(4900, 5000), ...rows(0, 2900)])
    },
  )

  test('nothing after the end, nothing for a limit of 0', async () => {
    const source = file('few.jsonl', '{"i":1}\n')
    for (const options of [{ offset: 5 }, { limit: 0 }])
      expect(await readBatches([source], options).next()).toEqual({ done: true, value: undefined })
  })

  test('a reader may be left early, and is stopped by its signal', async () => {
    const source = await make('many.parquet', 'SELECT range AS i FROM range(100000)')
    for (const from of [source, file('many.jsonl', '{"i":1}\n'.repeat(100_000))]) {
      for await (const { rows: count } of readBatches([from], { batch: 10 })) {
        expect(count).toBe(10)
        break
      }
      const stop = new AbortController()
      const batches = readBatches([from], { batch: 10, signal: stop.signal })
      await batches.next()
      stop.abort()
      await expect(
        (async () => {
          for await (const _ of batches) continue
        })(),
      ).rejects.toMatchObject({ code: 'run.cancelled' })
    }
  })
})

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTableWriter, readColumns, type TableColumn } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

const columns: TableColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'layer', type: 'integer' },
  { name: 'score', type: 'number' },
  { name: 'ok', type: 'boolean' },
  { name: 'vector', type: 'vector' },
]

async function write(
  name: string,
  groups: readonly (readonly Record<string, unknown>[])[],
  declared = columns,
): Promise<string> {
  const writer = await createTableWriter(path(name), declared)
  for (const rows of groups) await writer.append(rows)
  await writer.finish()
  return path(name)
}

describe.each(['parquet', 'jsonl'])('%s', (extension) => {
  test('any rows come back', async () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0) // -0 is 0 in JSON
    const row = fc.record({
      id: fc.option(fc.string({ unit: 'grapheme' })),
      layer: fc.option(fc.maxSafeInteger()),
      score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
      ok: fc.option(fc.boolean()),
      vector: fc.option(fc.array(float, { minLength: 1, maxLength: 4 })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 8 }), { maxLength: 4 }), async (groups) => {
        const source = await write(`any.${extension}`, groups)
        const rows = groups.flat()
        const wanted = Object.fromEntries(
          columns.map(({ name }) => [name, rows.map((one) => one[name as keyof typeof one])]),
        )
        const read = await readColumns([source], { columns: columns.map(({ name }) => name) })
        const rounded = read.columns['vector']?.map((vector) =>
          vector === null ? null : Array.from(Float32Array.from(vector as number[])),
        )
        expect({ ...read.columns, vector: rounded }).toEqual(wanted)
      }),
      { numRuns: 40, seed: 4 },
    )
  })

  test('many rows over many parts, in order', async () => {
    const count = 60_000
    const width = 192
    const writer = await createTableWriter(path(`many.${extension}`), [
      { name: 'i', type: 'integer' },
      { name: 'v', type: 'vector' },
    ])
    for (let start = 0; start < count; start += 1500)
      await writer.append(
        Array.from({ length: 1500 }, (_, k) => ({ i: start + k, v: new Float32Array(width).fill(start + k + 0.5) })),
      )
    await writer.finish()
    const { rows, columns } = await readColumns([path(`many.${extension}`)])
    expect(rows).toBe(count)
    expect(columns['i']?.every((value, i) => value === i)).toBe(true)
    expect(
      columns['v']?.every(
        (value, i) =>
          Array.isArray(value) && value.length === width && value[0] === i + 0.5 && value[width - 1] === i + 0.5,
      ),
    ).toBe(true)
  })

  test('nothing is seen before it is whole, nothing is left when it is given up', async () => {
    mkdirSync(path(`fresh-${extension}`))
    const target = path(`fresh-${extension}/rows.${extension}`)
    const writer = await createTableWriter(target, columns)
    await writer.append(Array.from({ length: 5000 }, (_, i) => ({ id: String(i) })))
    expect(existsSync(target)).toBe(false)
    await writer.abort()
    expect(readdirSync(dirname(target))).toEqual([])
    await write(`fresh-${extension}/rows.${extension}`, [[{ id: 'a' }]])
    expect(readdirSync(dirname(target))).toEqual([`rows.${extension}`])
  })

  test('an older file is replaced, not changed', async () => {
    await write(`twice.${extension}`, [[{ id: 'old' }, { id: 'old' }]])
    await write(`twice.${extension}`, [[{ id: 'new' }]])
    expect((await readColumns([path(`twice.${extension}`)], { columns: ['id'] })).columns).toEqual({ id: ['new'] })
  })

  test('two writers of one file: both finish, one wins whole', async () => {
    const rows = (id: string) => Array.from({ length: 3000 }, () => ({ id }))
    await Promise.all([write(`race.${extension}`, [rows('a')]), write(`race.${extension}`, [rows('b')])])
    const { columns } = await readColumns([path(`race.${extension}`)], { columns: ['id'] })
    expect([rows('a').map(({ id }) => id), rows('b').map(({ id }) => id)]).toContainEqual(columns['id'])
  })

  test('a table without rows is a file', async () => {
    const source = await write(`none.${extension}`, [])
    expect((await readColumns([source])).rows).toBe(0)
  })

  test.each([
    [{ id: 1 }, 'id'],
    [{ layer: 1.5 }, 'layer'],
    [{ layer: 2n ** 64n }, 'layer'],
    [{ score: '1' }, 'score'],
    [{ ok: 1 }, 'ok'],
    [{ vector: ['1'] }, 'vector'],
    [{ vector: [] }, 'vector'],
    [{ other: 1 }, 'other'],
  ])('a row %o does not fit', async (row, name) => {
    const writer = await createTableWriter(path(`unfit.${extension}`), columns)
    await expect(writer.append([row])).rejects.toMatchObject({
      code: 'table.column',
      message: expect.stringContaining(name) as string,
    })
    await writer.abort()
  })

  test('a place that cannot be written', async () => {
    writeFileSync(path('a-file'), '')
    await expect(createTableWriter(path(`a-file/rows.${extension}`), columns)).rejects.toMatchObject({
      code: 'file.write',
    })
  })
})

test('vectors in parquet are FLOAT lists, and keep infinities and NaN', async () => {
  const source = await write('floats.parquet', [[{ vector: Float32Array.of(0.1, Number.NaN, Infinity, -0) }]])
  expect((await readColumns([source], { columns: ['vector'] })).columns).toEqual({
    vector: [[Math.fround(0.1), Number.NaN, Infinity, -0]],
  })
  expect(readFileSync(source).subarray(0, 4).toString()).toBe('PAR1')
})

test('vectors whose width becomes known late', async () => {
  const rows = Array.from({ length: 9000 }, (_, i) => ({
    id: String(i),
    vector: i < 5000 ? null : i < 7000 ? [i, i] : [i, i, i],
  }))
  const source = await write('late.parquet', [rows])
  expect((await readColumns([source], { columns: ['id', 'vector'] })).columns).toEqual({
    id: rows.map(({ id }) => id),
    vector: rows.map(({ vector }) => vector),
  })
})

test('json lines hold a float32 in at most nine digits', async () => {
  const source = await write('short.jsonl', [
    [{ vector: Float32Array.of(0.1, 1 / 3, 1e-20, 16777217, Number.NaN), score: 0.1 }],
  ])
  expect(readFileSync(source, 'utf8')).toBe(
    '{"id":null,"layer":null,"score":0.1,"ok":null,"vector":[0.1,0.33333334,9.99999968e-21,16777216,null]}\n',
  )
})

test('csv has a line a row, and nothing that a spreadsheet runs', async () => {
  const rows = [
    { id: '=a,"b"', layer: -1, score: 0.1, ok: true, vector: [0.5, 1] },
    { id: null, layer: 2 ** 40 },
  ]
  const lines = ['id,layer,score,ok,vector', `"'=a,""b""",-1,0.1,true,"[0.5,1]"`, ',1099511627776,,,', '']
  expect(readFileSync(await write('rows.csv', [rows, []]), 'utf8')).toBe(lines.join('\r\n'))
})

test('other formats are not written', async () => {
  for (const name of ['rows.tsv', 'rows', 'rows.jsonl.gz'])
    await expect(createTableWriter(path(name), columns)).rejects.toMatchObject({ code: 'format.unknown' })
  await expect(
    createTableWriter(path('case.parquet'), [
      { name: 'a', type: 'text' },
      { name: 'A', type: 'text' },
    ]),
  ).rejects.toMatchObject({ code: 'table.column' })
})

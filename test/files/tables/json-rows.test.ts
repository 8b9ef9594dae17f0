import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBatches, readColumns } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { file, path } = scratchFolder()

const odd = [
  '2020-01-01',
  '2020-01-01T12:00:00Z',
  '12:30',
  '1e5',
  '007',
  'true',
  'null',
  'NaN',
  '',
  ' spaces ',
  '😀 👩‍👩‍👧',
  'line\u2028separator\u2029\u0085\u000b',
  'new\nline\r\nreturn\r',
  'nul\u0000inside',
  'lone \ud800 and \udc00 surrogates',
  '550e8400-e29b-41d4-a716-446655440000',
  '"quoted" \\ back',
  'x'.repeat(5_000_000),
]

describe('json lines', () => {
  test.each([
    ['plain', 'odd.jsonl', (text: string) => text],
    ['gzip', 'odd.jsonl.gz', (text: string) => gzipSync(text)],
    ['a byte order mark', 'bom.jsonl', (text: string) => `\ufeff${text}`],
    ['carriage returns', 'crlf.jsonl', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no last newline, blank lines', 'last.jsonl', (text: string) => `\n${text.trimEnd().replace('\n', '\n\n  \n')}`],
  ])('%s: every string comes back as it was written', async (_, name, pack) => {
    const source = file(name, pack(odd.map((text) => `${JSON.stringify({ text, n: 1 })}\n`).join('')))
    const { rows, columns } = await readColumns([source], { columns: ['text'] })
    expect(rows).toBe(odd.length)
    expect(columns).toEqual({ text: odd })
  })

  test('U+2028, escaped or not, does not end a line', async () => {
    const source = file('separators.jsonl', '{"a":"x\u2028y\u0085z"}\n{"a":"\\u2028"}\n')
    expect((await readColumns([source])).columns).toEqual({ a: ['x\u2028y\u0085z', '\u2028'] })
  })

  test('values keep their JSON types; what a row lacks is null', async () => {
    const source = file(
      'types.jsonl',
      '{"a":1,"b":true,"c":null,"d":[1,"2",null],"e":{"f":"g"}}\n{"a":-1.5e3,"h":"late"}\n',
    )
    expect((await readColumns([source])).columns).toEqual({
      a: [1, -1500],
      b: [true, null],
      c: [null, null],
      d: [[1, '2', null], null],
      e: [{ f: 'g' }, null],
      h: [null, 'late'],
    })
  })

  test('integers a number cannot hold are bigints, also deep inside', async () => {
    const source = file(
      'big.jsonl',
      '{"id":12345678901234567890,"list":[9007199254740993,9007199254740991],"text":"12345678901234567890"}\n',
    )
    expect((await readColumns([source])).columns).toEqual({
      id: [12345678901234567890n],
      list: [[9007199254740993n, 9007199254740991]],
      text: ['12345678901234567890'],
    })
  })

  test("Python's bare NaN and Infinity are numbers", async () => {
    const source = file('nan.jsonl', '{"a":NaN,"b":[Infinity,-Infinity]}\n')
    expect((await readColumns([source])).columns).toEqual({ a: [Number.NaN], b: [[Infinity, -Infinity]] })
  })

  test('names that differ in case only are two columns, and __proto__ is a name', async () => {
    const source = file('case.jsonl', '{"text":"a","Text":"b","TEXT":"c","__proto__":"d"}\n')
    const { columns } = await readColumns([source])
    expect(Object.entries(columns)).toEqual([
      ['text', ['a']],
      ['Text', ['b']],
      ['TEXT', ['c']],
      ['__proto__', ['d']],
    ])
  })

  test('dots reach into structs, and a column with a dot in its name comes first', async () => {
    const source = file(
      'dots.jsonl',
      '{"labels":{"label":3,"x.y":{"z":4}},"labels.other":5}\n{"labels":null,"labels.other":6}\n',
    )
    expect(
      (await readColumns([source], { columns: ['labels.label', 'labels.other', 'labels.x.y.z'] })).columns,
    ).toEqual({
      'labels.label': [3, null],
      'labels.other': [5, 6],
      'labels.x.y.z': [4, null],
    })
  })

  test('files follow one another in the order given', async () => {
    const [a, b] = [file('one.jsonl', '{"x":1}\n{"x":2}\n'), file('two.jsonl', '{"x":0}\n')]
    expect((await readColumns([b, a, b], { columns: ['x'] })).columns).toEqual({ x: [0, 1, 2, 0] })
  })

  test('a file without rows has no columns to lack', async () => {
    expect(await readColumns([file('empty.jsonl', '\n\n')], { columns: ['x'] })).toEqual({
      rows: 0,
      columns: { x: [] },
    })
  })

  test('any rows of any strings come back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: fc.string({ unit: 'binary' }), b: fc.jsonValue() }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (rows, batch) => {
          // negative zero is zero in JSON
          const wanted = rows.map((row) => JSON.parse(JSON.stringify(row)) as { a: string; b: unknown })
          const source = file('any.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
          const seen: unknown[] = []
          for await (const { columns } of readBatches([source], { batch, columns: ['a', 'b'] }))
            seen.push(...(columns['a'] ?? []).map((a, i) => ({ a, b: columns['b']?.[i] })))
          expect(seen).toEqual(wanted)
        },
      ),
      { numRuns: 60, seed: 1 },
    )
  })
})

describe('json documents', () => {
  const rows = [
    { a: 'x,]}"\\', b: [1, [2]] },
    { a: '{"', b: null },
  ]
  test.each([
    ['an array', JSON.stringify(rows)],
    ['a pretty array', JSON.stringify(rows, null, 2)],
    ['objects in a row', rows.map((row) => JSON.stringify(row, null, 1)).join('\n')],
    ['objects without a space between', rows.map((row) => JSON.stringify(row)).join('')],
    ['one object of columns', JSON.stringify({ a: rows.map(({ a }) => a), b: rows.map(({ b }) => b) })],
  ])('%s', async (_, text) => {
    expect((await readColumns([file('rows.json', text)])).columns).toEqual({
      a: rows.map(({ a }) => a),
      b: rows.map(({ b }) => b),
    })
  })

  test('an array under the name of json lines', async () => {
    expect(
      (await readColumns([file('array.jsonl', ` \n${JSON.stringify(rows)}`)], { columns: ['a'] })).columns,
    ).toEqual({ a: rows.map(({ a }) => a) })
  })

  test('a lone object is a row, an empty array none', async () => {
    expect((await readColumns([file('lone.json', '{"a":1,"b":[1,2]}')])).columns).toEqual({ a: [1], b: [[1, 2]] })
    expect(await readColumns([file('none.json', '[ ]')])).toEqual({ rows: 0, columns: {} })
  })

  test('a document longer than a piece', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ i, text: `"row" ${i}, [` }))
    expect((await readColumns([file('many.json', JSON.stringify(many))])).columns).toEqual({
      i: many.map(({ i }) => i),
      text: many.map(({ text }) => text),
    })
  })

  test.each([
    ['[{"a":1},]', ':1'],
    ['[{"a":1} {"a":2}]', ':1:10'],
    ['[,{"a":1}]', ':1'],
    ['[{"a":1}', ':1'],
    ['[{"a":1}] x', ':1'],
    ['{"a":1},{"a":2}', ':1'],
    ['{"a":1', ':1'],
    ['"text"', ':1'],
    ['[1,2]', ':1:2'],
    ['[\n{"a":1},\n  {"a":tru}]', ':3:8'],
  ])('%s is no table', async (text, where) => {
    const source = file('broken.json', text)
    await expect(readColumns([source])).rejects.toMatchObject({
      code: 'table.read',
      parts: { place: `${source}${where}` },
    })
  })
})

describe('what cannot be read', () => {
  test.each([
    ['{"a":1}\n{"a": tru}\n', ':2:7'],
    ['{"a":1}\n\n{"a":"x\ty"}\n', ':3:8'],
    ['{"a":1}\n{"a":"open\n', ':2:6'],
    ['{"a":01}\n', ':1:7'],
    ['{"a":1} {"a":2}\n', ':1:9'],
    ['{"a":1}\n3\n', ':2:1'],
    ['{"a":1}\n[1]\n', ':2:1'],
  ])('%j says line and column', async (text, where) => {
    const source = file('bad.jsonl', text)
    await expect(readColumns([source], { place: 'STS12' })).rejects.toMatchObject({
      code: 'table.read',
      parts: { place: `STS12 › ${source}${where}` },
    })
  })

  test('nesting beyond 256 levels is refused, not walked', async () => {
    const source = file('deep.jsonl', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
    await expect(readColumns([source])).rejects.toMatchObject({
      code: 'table.read',
      message: expect.stringContaining('nested too deep') as string,
    })
    const brackets = '['.repeat(100_000)
    expect((await readColumns([file('brackets.jsonl', JSON.stringify({ a: brackets }))])).columns).toEqual({
      a: [brackets],
    })
  })

  test('a missing column names the file, its columns and the nearest', async () => {
    const source = file('columns.jsonl', '{"sentence1":"a","sentence2":"b"}\n')
    await expect(readColumns([source], { columns: ['sentence3'] })).rejects.toMatchObject({
      code: 'table.column',
      message: `${source}: no column sentence3 – columns sentence1, sentence2`,
      hint: 'did you mean sentence1?',
    })
  })

  test('a column is missing where one file of several lacks it', async () => {
    const [a, b] = [file('has.jsonl', '{"x":1}\n'), file('lacks.jsonl', '{"y":1}\n')]
    await expect(readColumns([a, b], { columns: ['x'] })).rejects.toMatchObject({
      code: 'table.column',
      parts: { place: b },
    })
  })

  test('a missing column is told before the first 10,000 rows are given out', async () => {
    const source = file('long.jsonl', '{"y":1}\n'.repeat(30_000))
    await expect(readBatches([source], { columns: ['x'] }).next()).rejects.toMatchObject({ code: 'table.column' })
  })

  test('no file, a folder, no UTF-8, a pointer of git-lfs, an unknown name', async () => {
    await expect(readColumns([path('nowhere.jsonl')])).rejects.toMatchObject({
      code: 'table.read',
      message: expect.stringContaining('no such file') as string,
    })
    await expect(readColumns([path('.')], { format: 'jsonl' })).rejects.toMatchObject({
      code: 'table.read',
      message: expect.stringContaining('folder') as string,
    })
    const latin = file('latin.jsonl', Buffer.from('{"a":1}\n{"a":"caf\u00e9"}\n', 'latin1'))
    await expect(readColumns([latin])).rejects.toMatchObject({
      code: 'table.read',
      message: `${latin}: not UTF-8, at line 2`,
    })
    const pointer = file('pointer.jsonl', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n')
    await expect(readColumns([pointer])).rejects.toMatchObject({ code: 'format.lfs' })
    await expect(readColumns([file('rows.xlsx', '')])).rejects.toMatchObject({ code: 'format.unknown' })
    await expect(readColumns([file('constructor', '')])).rejects.toMatchObject({ code: 'format.unknown' })
  })

  test('a gzip file that was cut, that is none, that is empty', async () => {
    const whole = gzipSync(Array.from({ length: 5000 }, (_, i) => `{"a":${i}}\n`).join(''))
    for (const [name, bytes] of [
      ['cut', whole.subarray(0, whole.length - 200)],
      ['cut-trailer', whole.subarray(0, whole.length - 4)],
      ['none', Buffer.from('{"a":1}\n')],
      ['empty', Buffer.alloc(0)],
      ['changed', Buffer.from(whole).fill(0, 2000, 2010)],
    ] as const)
      await expect(readColumns([file(`${name}.jsonl.gz`, bytes)])).rejects.toMatchObject({ code: 'table.read' })
  })

  test('a gzip file of several members is read to its end', async () => {
    const source = file('members.jsonl.gz', Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')]))
    expect((await readColumns([source])).columns).toEqual({ a: [1, 2] })
  })
})

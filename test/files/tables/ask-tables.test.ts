import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { askTables, type QueryTable, createTableWriter, type TableRow } from '#files/tables'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

const scores: QueryTable = {
  name: 'scores',
  columns: [
    { name: 'model', type: 'text' },
    { name: 'task', type: 'text' },
    { name: 'layer', type: 'integer' },
    { name: 'score', type: 'number' },
    { name: 'done', type: 'boolean' },
  ],
  rows: [
    { model: "o'ne", task: 'A', layer: 3, score: 0.5, done: true },
    { model: "o'ne", task: 'B', layer: null, score: 0.25, done: false },
    { model: 'two', task: 'A', layer: 2, score: 1, done: true },
  ],
}

async function rowsOf(sql: string, tables: readonly QueryTable[] = [scores]): Promise<TableRow[]> {
  const { batches } = await askTables(sql, tables, { place: 'test' })
  const rows: TableRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

async function parquet(
  name: string,
  rows: readonly TableRow[],
  types: Readonly<Record<string, 'text' | 'number'>>,
): Promise<string> {
  const writer = await createTableWriter(
    path(name),
    Object.entries(types).map(([column, type]) => ({ name: column, type })),
  )
  await writer.append(rows)
  await writer.finish()
  return path(name)
}

/** After so many turns of the event loop. */
async function abortAfter(turns: number, controller: AbortController): Promise<void> {
  for (let i = 0; i < turns; i++) await turn()
  controller.abort()
}

describe('answers', () => {
  test('have the values and the types of the tables', async () => {
    const { columns, batches } = await askTables('SELECT * FROM scores', [scores], { place: 'test' })
    expect(columns).toEqual(scores.columns)
    expect((await batches.next()).value).toEqual(scores.rows)
  })

  test('of sums, lists, dates, two columns of one name', async () => {
    const [row] = await rowsOf(
      "SELECT sum(layer) AS n, avg(score) AS mean, list(task ORDER BY task) AS tasks, DATE '2020-01-31' AS d, 1 AS x, 2 AS x FROM scores",
    )
    expect(row).toEqual({ n: 5, mean: 1.75 / 3, tasks: '["A","A","B"]', d: '2020-01-31', x: 1, 'x:1': 2 })
  })

  test('of a pivot, a description, a view of one’s own', async () => {
    expect(await rowsOf('PIVOT scores ON task USING first(score) GROUP BY model ORDER BY model')).toEqual([
      { model: "o'ne", A: 0.5, B: 0.25 },
      { model: 'two', A: 1, B: null },
    ])
    expect((await rowsOf('DESCRIBE scores')).map((row) => row['column_name'])).toEqual([
      'model',
      'task',
      'layer',
      'score',
      'done',
    ])
    expect(await rowsOf('CREATE VIEW best AS SELECT max(score) AS s FROM scores; SELECT s FROM best')).toEqual([
      { s: 1 },
    ])
  })

  test('come in batches, whatever their number', async () => {
    const many: QueryTable = {
      name: 'many',
      columns: [{ name: 'i', type: 'integer' }],
      rows: Array.from({ length: 5000 }, (_, i) => ({ i })),
    }
    expect((await rowsOf('SELECT i FROM many', [many])).map((row) => row['i'])).toEqual(
      Array.from({ length: 5000 }, (_, i) => i),
    )
  })

  test('end when they are stopped', async () => {
    const controller = new AbortController()
    const asked = askTables(
      'SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE hash(a, b) = 1',
      [scores],
      {
        place: 'test',
        signal: controller.signal,
      },
    )
    void abortAfter(1000, controller)
    await expect(asked.then(({ batches }) => batches.next())).rejects.toMatchObject({ code: 'run.cancelled' })
  })

  test.each([0, 1, 2, 5, 10, 20])(
    'end when they are stopped %i turns of the loop after they were asked, while their tables are made',
    async (turns) => {
      const controller = new AbortController()
      const asked = askTables(
        'SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE hash(a, b) = 1',
        [scores],
        {
          place: 'test',
          signal: controller.signal,
        },
      )
      if (turns === 0) controller.abort()
      else void abortAfter(turns, controller)
      await expect(asked.then(({ batches }) => batches.next())).rejects.toMatchObject({ code: 'run.cancelled' })
    },
  )
})

describe('files', () => {
  const items = (files: QueryTable['files']): QueryTable => ({
    name: 'items',
    columns: [{ name: 'model', type: 'text' }],
    files,
    rowColumn: 'item',
  })

  test('bring columns of their own, and their rows are numbered', async () => {
    const one = await parquet('one.parquet', [{ correct: 1 }, { correct: 0 }], { correct: 'number' })
    const two = await parquet('two.parquet', [{ query: 'q', model: 'not this' }], { query: 'text', model: 'text' })
    const files = [
      { path: one, values: { model: 'a' } },
      { path: two, values: { model: "b'" } },
    ]
    expect(await rowsOf('SELECT * FROM items ORDER BY ALL', [items(files)])).toEqual([
      { model: 'a', item: 0, correct: 1, query: null },
      { model: 'a', item: 1, correct: 0, query: null },
      { model: "b'", item: 0, correct: null, query: 'q' },
    ])
  })

  test('that differ in the type of a column make it text; those that are none are named', async () => {
    const one = await parquet('number.parquet', [{ x: 1 }], { x: 'number' })
    const two = await parquet('text.parquet', [{ x: 'y' }], { x: 'text' })
    writeFileSync(path('broken.parquet'), 'PAR1')
    const files = [one, two, path('broken.parquet')].map((file) => ({ path: file, values: { model: 'm' } }))
    const { batches, unreadable } = await askTables('SELECT x FROM items ORDER BY x', [items(files)], { place: 'test' })
    expect((await batches.next()).value).toEqual([{ x: '1.0' }, { x: 'y' }])
    expect(unreadable.map(({ code, parts }) => [code, parts.place])).toEqual([['table.read', path('broken.parquet')]])
    await batches.return(undefined)
  })
})

describe('mistakes are told in the words of DuckDB', () => {
  test.each([
    [
      'SELECT modl FROM scores',
      'Referenced column "modl" not found',
      '\nLINE 1: SELECT modl FROM scores\n               ^',
    ],
    ['SELECT * FROM score', 'Table with name score does not exist', 'Did you mean "scores"?'],
    ['SELCT 1', 'Parser Error: syntax error at or near "SELCT"', 'LINE 1: SELCT 1'],
    ['SELECT CAST(model AS INTEGER) FROM scores', 'Could not convert string', 'LINE 1:'],
    ['SELECT ?', 'parameters', ''],
    ['', 'no question', 'SELECT * FROM scores LIMIT 10'],
    ['-- nothing', 'no question', 'SELECT * FROM scores LIMIT 10'],
  ])('%s', async (sql, what, hint) => {
    const error = await rowsOf(sql).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'usage.value', message: expect.stringContaining(what) as string })
    expect((error as { hint?: string }).hint ?? '').toContain(hint)
  })
})

describe('nothing but the tables is reached', () => {
  const secret = path('secret.csv')
  writeFileSync(secret, 'word\nhidden\n')
  const away = (name: string): string => path(`away/${name}`)

  test.each([
    ['read_csv', `SELECT * FROM read_csv('${secret}')`],
    ['a file as a table', `SELECT * FROM '${secret}'`],
    ['read_text', `SELECT content FROM read_text('${secret}')`],
    ['read_blob', `SELECT content FROM read_blob('/etc/passwd')`],
    ['read_json over the network', `SELECT * FROM read_json('http://127.0.0.1:1/x.json')`],
    ['read_parquet', `SELECT * FROM read_parquet('${secret}')`],
    ['parquet_metadata', `SELECT * FROM parquet_metadata('${secret}')`],
    ['sniff_csv', `SELECT * FROM sniff_csv('${secret}')`],
    ['glob', `SELECT * FROM glob('/etc/*')`],
    ['a file in a subquery', `SELECT (SELECT word FROM read_csv('${secret}')) FROM scores`],
    ['a file in a view', `CREATE VIEW v AS SELECT * FROM read_csv('${secret}'); SELECT * FROM v`],
    ['a file in a macro', `CREATE MACRO m(p) AS TABLE SELECT * FROM read_text(p); SELECT * FROM m('${secret}')`],
    ['COPY TO', `COPY scores TO '${away('copied.csv')}'`],
    ['COPY FROM', `COPY scores FROM '${secret}'`],
    ['EXPORT', `EXPORT DATABASE '${away('export')}'`],
    ['IMPORT', `IMPORT DATABASE '${path('import')}'`],
    ['ATTACH', `ATTACH '${away('attached.db')}'`],
    ['INSTALL', 'INSTALL httpfs'],
    ['LOAD', 'LOAD httpfs'],
    ['SET', 'SET enable_external_access = true'],
    ['SET after a question', 'SELECT 1; SET enable_external_access = true'],
    ['RESET', 'RESET lock_configuration'],
    ['PRAGMA', `PRAGMA profiling_output = '${away('profile')}'`],
    ['logging to a file', `SELECT * FROM enable_logging(storage_path := '${away('log')}')`],
    [
      'logging, hidden in a text',
      `SELECT * FROM query('FROM enable_' || 'logging(storage_path := ''${away('log')}'')')`,
    ],
    ['profiling to a file', `SELECT * FROM enable_profiling(save_location := '${away('profile.json')}')`],
    ['a secret', "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b'); SELECT 1"],
    ['DELETE', 'DELETE FROM scores'],
    ['INSERT', "INSERT INTO scores (model) VALUES ('x')"],
    ['DROP', 'DROP TABLE scores'],
    ['two questions', 'SELECT 1; SELECT 2'],
    ['a call', 'CALL pragma_version()'],
    ['EXPLAIN ANALYZE', 'EXPLAIN ANALYZE SELECT 1'],
  ])('%s', async (_, sql) => {
    await expect(rowsOf(sql)).rejects.toMatchObject({ code: 'usage.value' })
    expect([existsSync(path('away')), readFileSync(secret, 'utf8')]).toEqual([false, 'word\nhidden\n'])
  })

  test('a refusal says what there is', async () => {
    await expect(rowsOf(`SELECT * FROM read_csv('${secret}')`)).rejects.toMatchObject({
      hint: expect.stringContaining('the tables are scores') as string,
    })
  })
})

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openRepo } from '#files/hub'
import { readSplit, type Rows } from '../../../src/task/rows/dataset.ts'
import { openDatasetAt } from '../../../src/task/rows/open-dataset.ts'
import { streamSplit } from '../../../src/task/rows/stream-split.ts'
import { createTableWriter } from '#files/tables'
import { zip, type ZipPart } from '../../files/formats/made-files.ts'
import { scratchFolder } from '../../scratch.ts'

const scratch = scratchFolder()

async function dataset(parts: readonly ZipPart[]) {
  const root = mkdtempSync(join(scratch.path('.'), 'data-'))
  writeFileSync(join(root, 'test.zip'), zip(parts))
  return openDatasetAt(() => openRepo({ kind: 'folder', path: root }), 'x', 'main', 'task')
}
async function read(parts: readonly ZipPart[], columns: readonly string[] = ['a']): Promise<Rows> {
  const opened = await dataset(parts)
  const { standard } = opened.layout
  if (standard === undefined) throw new Error('no config')
  return readSplit(opened, standard, 'test', { columns })
}
const text = (name: string, content: string, deflate = true): ZipPart => ({
  name,
  bytes: Buffer.from(content),
  deflate,
})

async function parquet(values: readonly string[]): Promise<Buffer> {
  const path = scratch.path('made.parquet')
  const writer = await createTableWriter(path, [{ name: 'a', type: 'text' }])
  await writer.append(values.map((a) => ({ a })))
  await writer.finish()
  return readFileSync(path)
}

test('tables of every kind are read from an archive, files of a folder before its folders', async () => {
  const rows = await read([
    { name: 'z/packed.csv.gz', bytes: gzipSync('a\ngz\n') },
    text('b.jsonl', '{"a": "jsonl"}\n'),
    { name: 'c.parquet', bytes: await parquet(['parquet']), deflate: true },
    text('a.tsv', 'a\tb\ntsv\t1\n', false),
    text('__MACOSX/b.jsonl', 'not rows'),
    text('.hidden.jsonl', 'not rows'),
    text('notes.txt', 'not rows'),
  ])
  expect(rows.columns).toEqual({ a: ['tsv', 'jsonl', 'parquet', 'gz'] })
})
test('a split in an archive is streamed', async () => {
  const opened = await dataset([text('a.jsonl', Array.from({ length: 25_000 }, (_, a) => `{"a": ${a}}\n`).join(''))])
  const { standard } = opened.layout
  if (standard === undefined) throw new Error('no config')
  const sizes: number[] = []
  for await (const { rows } of streamSplit(opened, standard, 'test', { columns: ['a'] })) sizes.push(rows)
  expect(sizes).toEqual([10_000, 10_000, 5000])
})
test('nothing of an archive stays on disk, wherever its names lead', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('strata-member-'))
  await read([{ name: 'c.parquet', bytes: await parquet(['x']) }])
  await expect(read([{ name: '../../c.parquet', bytes: await parquet(['x']) }])).rejects.toMatchObject({
    code: 'file.outside',
  })
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('strata-member-'))).toEqual(before)
})
test.each<[string, ZipPart[], string]>([
  ['without a table', [text('notes.txt', 'x')], 'task.split'],
  ['whose table lacks a column', [text('a.jsonl', '{"b": 1}\n')], 'task.column'],
  ['whose table is broken', [text('a.jsonl', '{"a": \n')], 'table.read'],
])('an archive %s is refused', async (_, parts, code) => {
  await expect(read(parts)).rejects.toMatchObject({ code, message: expect.stringContaining('test.zip') as string })
})

import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRowSpool, type RowSpool } from '../../../src/platform/disk/row-spool.ts'

const slots = [
  { name: 'a', rowBytes: 4 },
  { name: 'b', rowBytes: 2 },
]
const chunk = (value: number, rows: number): Uint8Array[] => [
  new Uint8Array(4 * rows).fill(value),
  new Uint8Array(2 * rows).fill(value),
]
const all = async (spool: RowSpool, slot: string): Promise<number[]> => {
  const bytes: number[] = []
  for await (const piece of spool.pieces(slot, 3)) bytes.push(...piece)
  return bytes
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-spool-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a spool of rows', () => {
  test('a second opening goes on after the rows that were finished', async () => {
    const first = await openRowSpool(folder, 'job', slots)
    await first.append(2, chunk(1, 2), ['x', 'y'], [{ id: '0' }, { id: '1' }])
    await first.close()
    const second = await openRowSpool(folder, 'job', slots)
    expect(second.rows).toBe(2)
    await second.append(1, chunk(2, 1), ['z'], [{ id: '2' }])
    expect(await all(second, 'a')).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
    expect(await all(second, 'b')).toEqual([1, 1, 1, 1, 2, 2])
    const labels: unknown[] = []
    for await (const label of second.labels()) labels.push(label)
    expect(labels).toEqual([{ id: '0' }, { id: '1' }, { id: '2' }])
    await second.close()
  })

  test('what a crash left behind the last journal line is as if it had not been', async () => {
    const first = await openRowSpool(folder, 'job', slots)
    await first.append(1, chunk(1, 1), ['x'])
    await first.close()
    await appendFile(join(folder, 'slot-0.bin'), new Uint8Array(7))
    await appendFile(join(folder, 'journal.jsonl'), '{"rows":2,"inp')
    const second = await openRowSpool(folder, 'job', slots)
    expect(second.rows).toBe(1)
    await second.append(1, chunk(3, 1), ['y'])
    await second.close()
    const third = await openRowSpool(folder, 'job', slots)
    expect(third.rows).toBe(2)
    expect(await all(third, 'a')).toEqual([1, 1, 1, 1, 3, 3, 3, 3])
    await third.close()
  })

  test('the folder of another job is refused', async () => {
    await (await openRowSpool(folder, 'job', slots)).close()
    await expect(openRowSpool(folder, 'other', slots)).rejects.toMatchObject({ code: 'usage.conflict' })
  })

  test('an array that lost bytes is noticed, not read as zeros', async () => {
    const spool = await openRowSpool(folder, 'job', slots)
    await spool.append(2, chunk(1, 2), ['x', 'y'])
    await truncate(join(folder, 'slot-0.bin'), 4)
    await expect(all(spool, 'a')).rejects.toMatchObject({ code: 'file.unreadable' })
    await spool.close()
  })
})

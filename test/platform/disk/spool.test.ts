import { readdirSync, statSync, truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openScratchSpool, openSpool } from '#platform/disk'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

describe('a spool', () => {
  test('goes on where its journal says that it was, and is read by position', async () => {
    const first = await openSpool(path('spool'), 0)
    expect([
      await first.append(Buffer.from('one')),
      await first.append(Buffer.from('two')),
      await first.append(Buffer.from('cut')),
    ]).toEqual([0, 3, 6])
    await first.sync()
    await first.close()
    const second = await openSpool(path('spool'), 6)
    expect(statSync(path('spool')).size).toBe(6)
    expect(await second.append(Buffer.from('three'))).toBe(6)
    expect([text(await second.read(3, 3)), text(await second.read(6, 5))]).toEqual(['two', 'three'])
    await expect(second.read(9, 3)).rejects.toMatchObject({ code: 'file.unreadable' })
    await second.close()
  })

  test('that lost bytes is not gone on with as if they were zeros', async () => {
    const spool = await openSpool(path('lost'), 0)
    await spool.append(Buffer.from('six666'))
    await spool.close()
    truncateSync(path('lost'), 4)
    await expect(openSpool(path('lost'), 6)).rejects.toMatchObject({
      code: 'file.unreadable',
      parts: { seen: 4, wanted: 6 },
    })
  })
})

test('a scratch spool gives back what was appended, and leaves no file', () => {
  const spool = openScratchSpool(path('scratch/texts'))
  spool.append(Buffer.from('one'))
  spool.append(Buffer.from('two'))
  expect(text(spool.read(2, 3))).toBe('etw')
  expect(() => spool.read(4, 3)).toThrow(expect.objectContaining({ code: 'file.unreadable' }))
  spool.close()
  expect(readdirSync(path('scratch'))).toEqual([])
})

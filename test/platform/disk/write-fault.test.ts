import { writeFileSync } from 'node:fs'
import { mkdir, open, rmdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { fault } from '#core'
import { lacksRoom, makeFolder, orWriteFault, writeFault } from '#platform/disk'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })

describe('what the system refuses to write', () => {
  test('is told with its own word and what to do', async () => {
    const refused: unknown = await orWriteFault(open(path('nowhere/file'), 'wx'), 'the file').catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({
      code: 'file.write',
      parts: { place: 'the file', what: 'cannot be written', seen: 'ENOENT' },
    })
    expect(writeFault(full, 'x').parts).toMatchObject({
      seen: 'ENOSPC',
      hint: expect.stringContaining('free some space') as string,
      cause: full,
    })
  })

  test('is told anew by whoever knows what the file is for, and only then', () => {
    const first = writeFault(full, 'x')
    expect(writeFault(first, 'y')).toBe(first)
    const told = writeFault(first, 'the cache', { what: 'no room', hint: 'trim it' })
    expect(told.parts).toEqual({ place: 'the cache', what: 'no room', seen: 'ENOSPC', hint: 'trim it', cause: full })
    expect([full, first, told, new Error('x')].map(lacksRoom)).toEqual([true, true, true, false])
  })

  test('is not made of what was no refusal', () => {
    const other = fault('file.unreadable', { place: 'x', what: 'y', cause: full })
    expect(writeFault(other, 'z', { what: 'no room' })).toBe(other)
    expect(writeFault(new Error('bad news\nmore'), 'x', { what: 'no room' }).parts).toMatchObject({ what: 'bad news' })
  })

  test('a folder below a file', async () => {
    writeFileSync(path('file'), '')
    await mkdir(path('there'))
    await makeFolder(path('there'))
    await expect(makeFolder(path('file/folder'))).rejects.toMatchObject({
      code: 'file.write',
      parts: { seen: 'ENOTDIR' },
    })
  })

  test('not a folder that others remove and make between two steps', async () => {
    const folder = path('contested/folder')
    await mkdir(path('contested'))
    const done = new AbortController()
    const make = async (): Promise<void> => {
      for (let round = 0; round < 1500; round++) await makeFolder(folder)
    }
    const remove = async (): Promise<void> => {
      while (!done.signal.aborted) await rmdir(folder).catch(() => undefined)
    }
    const removers = [remove(), remove()]
    const makers = await Promise.allSettled([make(), make()])
    done.abort()
    await Promise.all(removers)
    expect(makers).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ])
  })

  test.skipIf(process.platform !== 'linux')('a folder in one that takes none, at once', async () => {
    await expect(makeFolder('/proc/strata/results')).rejects.toMatchObject({
      code: 'file.write',
      parts: { place: '/proc/strata/results', seen: 'ENOENT' },
    })
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createWholeFile, temporaryEnding, writeWhole } from '#platform/disk'
import { builtDoor } from '../../built.ts'
import { scratchFolder } from '../../scratch.ts'
import { untilChanged } from '../../until.ts'

const { path } = scratchFolder()

/**
 * Writes the file again and again, its one letter and its length changing with each time, and says when it has begun.
 */
const program = `
import { createWholeFile } from ${JSON.stringify(builtDoor('platform/disk'))}
const path = process.argv.at(-1)
console.log('begun')
for (let k = 0; ; k++) {
  const file = await createWholeFile(path)
  const piece = Buffer.alloc(1000 + (k % 26), 97 + (k % 26))
  for (let i = 0; i < 20; i++) await file.write(piece)
  await file.commit()
}
`

describe('a file that appears whole', () => {
  test.each([0, 3, 7, 12, 20, 35])(
    'is the old one or the new one, never half, when its writer is killed at the %i-th change of its folder',
    async (changes) => {
      const file = path(`killed-${changes}/file`)
      await writeWhole(file, 'old')
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      await once(child.stdout, 'data')
      await untilChanged(path(`killed-${changes}`), changes)
      child.kill('SIGKILL')
      await ended
      const text = readFileSync(file, 'utf8')
      const letter = text.charCodeAt(0) - 97
      expect(text === 'old' || text === String.fromCharCode(97 + letter).repeat(20 * (1000 + letter))).toBe(true)
      const others = readdirSync(path(`killed-${changes}`)).filter((name) => name !== 'file')
      expect(others.every((name) => name.endsWith(temporaryEnding))).toBe(true)
    },
  )

  test('has nothing at its name before it is finished, and nothing beside it after', async () => {
    const file = await createWholeFile(path('deep/er/rows'))
    await file.write(Buffer.from('behind'), 4)
    await file.write(Buffer.from('head'), 0)
    await file.write(Buffer.from('!'))
    expect(readdirSync(path('deep/er'))).toEqual([expect.stringMatching(/^rows\.\d+-[0-9a-f]{12}\.tmp$/)])
    await file.commit()
    await file.abort()
    expect(readFileSync(path('deep/er/rows'), 'utf8')).toBe('headbehind!')
    expect(readdirSync(path('deep/er'))).toEqual(['rows'])
  })

  test('is given up without a trace, and leaves the old one', async () => {
    await writeWhole(path('kept'), 'old')
    const file = await createWholeFile(path('kept'))
    await file.write(Buffer.from('new'))
    await file.abort()
    expect(readFileSync(path('kept'), 'utf8')).toBe('old')
    expect(readdirSync(path('.')).filter((name) => name.startsWith('kept'))).toEqual(['kept'])
  })

  test('that cannot get its name is a fault, and leaves nothing beside it', async () => {
    await writeWhole(path('folder/inside'), '')
    await expect(writeWhole(path('folder'), 'text')).rejects.toMatchObject({
      code: 'file.write',
      parts: { place: path('folder'), what: 'cannot be written' },
    })
    expect(readdirSync(path('.')).filter((name) => name.startsWith('folder'))).toEqual(['folder'])
  })

  test('has its folders made, or not', async () => {
    await expect(createWholeFile(path('nowhere/file'), { folders: false })).rejects.toMatchObject({
      code: 'file.write',
      parts: { seen: 'ENOENT' },
    })
    writeFileSync(path('plain'), '')
    await expect(createWholeFile(path('plain/file'))).rejects.toMatchObject({ code: 'file.write' })
    rmSync(path('plain'))
  })

  test.skipIf(process.platform === 'win32')('may be its owner’s alone', async () => {
    await writeWhole(path('secret'), 'text', { mode: 0o600 })
    expect(statSync(path('secret')).mode & 0o777).toBe(0o600)
  })
})

test('a small file is written whole, with its folders', async () => {
  await writeWhole(path('small/file.json'), '{}')
  expect(readFileSync(path('small/file.json'), 'utf8')).toBe('{}')
  expect(readdirSync(path('small'))).toEqual(['file.json'])
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeScratchFolder } from '#platform/disk'
import { builtDoor } from '../../built.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

/** Base name of a folder whose process has ended without removing it. */
function abandoned(parent: string, name: string): string {
  const program = `
import { makeScratchFolder } from ${JSON.stringify(builtDoor('platform/disk'))}
console.log(await makeScratchFolder(...process.argv.slice(-2)))`
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program, '--', parent, name])
  const folder = child.stdout.toString().trim()
  writeFileSync(join(folder, 'weights.bin'), 'many bytes')
  return basename(folder)
}

test('folders of killed processes are removed, with their files; others stay', async () => {
  const parent = path('shared')
  mkdirSync(parent)
  const dead = abandoned(parent, 'weights')
  const [living, others, odd] = [
    await makeScratchFolder(path('shared'), 'texts'),
    abandoned(parent, 'weights-of-others'),
    'weights-2024-notes',
  ]
  mkdirSync(join(parent, odd))
  const first = await makeScratchFolder(parent, 'weights')
  const second = await makeScratchFolder(parent, 'weights')
  expect(dead).toMatch(/^weights-/)
  expect(readdirSync(parent).toSorted()).toEqual(
    [basename(living), others, odd, basename(first), basename(second)].toSorted(),
  )
})

test('a folder is its owner’s alone', async () => {
  expect(statSync(await makeScratchFolder(path('.'), 'mine')).mode & 0o777).toBe(0o700)
})

test('a parent that is not there is a write fault', async () => {
  await expect(makeScratchFolder(path('absent'), 'weights')).rejects.toMatchObject({
    code: 'file.write',
    parts: { place: path('absent') },
  })
})

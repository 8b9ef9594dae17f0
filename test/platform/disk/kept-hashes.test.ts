import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sha256 } from '#core'
import { builtDoor } from '../../built.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const kept = path('hashes.jsonl')

/** The hash of a file as a process of its own has it. `settled`: seconds that a file must have been left alone. */
function hash(file: string, settled = -1e6): string {
  const code = `import { fileHash, keepHashes } from ${JSON.stringify(builtDoor('platform/disk'))}
await keepHashes(${JSON.stringify(kept)}, { settledSeconds: ${settled}, leastBytes: 4 })
process.stdout.write(await fileHash(${JSON.stringify(file)}))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return stdout
}

const lie = 'f'.repeat(64)
/** Who gets this answer has not read the file. */
function spoil(): void {
  writeFileSync(kept, readFileSync(kept, 'utf8').replaceAll(/(?<="hash":")[0-9a-f]{64}/g, lie))
}

test('a hash serves later processes, until the file is another', () => {
  const file = path('weights')
  writeFileSync(file, 'weights one')
  utimesSync(file, 1e9, 1e9)
  expect(hash(file)).toBe(sha256('weights one'))
  spoil()
  expect(hash(file)).toBe(lie)

  // the same size and the same time, as cp -p and rsync -t leave them
  for (const [how, replace] of [
    ['in place', () => copyFileSync(path('other'), file)],
    ['by another file', () => renameSync(path('other'), file)],
  ] as const) {
    writeFileSync(path('other'), `weights ${how.slice(0, 3)}`)
    replace()
    utimesSync(file, 1e9, 1e9)
    expect([statSync(file).size, statSync(file).mtimeMs]).toEqual([11, 1e12])
    expect(hash(file)).toBe(sha256(`weights ${how.slice(0, 3)}`))
    spoil()
  }
})

test('the hash of a file that was just written is not kept, nor that of a small one', () => {
  const [young, small] = [path('young'), path('small')]
  writeFileSync(young, 'weights two')
  writeFileSync(small, 'two')
  expect([hash(young, 1e6), hash(small)]).toEqual([sha256('weights two'), sha256('two')])
  if (existsSync(kept)) spoil()
  expect([hash(young), hash(small)]).toEqual([sha256('weights two'), sha256('two')])
})

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Slot } from '#platform/vectors'
import { builtDoor } from '../../built.ts'
import { untilChanged } from '../../until.ts'
import { ended, start } from './programs.ts'

const slots: Slot[] = [
  { name: 'h0', width: 8 },
  { name: 'h1', width: 8 },
]
const description = { model: 'm' }

/** What every writer stores under a text: its number, then the slot. */
const valueOf = (text: string, slot: number): number => Number(text.split(' ').at(-1)) + slot / 16

/** Appends batches of texts `<name> <number>` and prints the last number of each once `append` has returned. */
const writer = `
import { openStore } from ${JSON.stringify(builtDoor('platform/vectors'))}
const [root, name, first, count, size] = process.argv.slice(1).filter((arg) => arg !== '--').map((arg, i) => (i > 1 ? Number(arg) : arg))
const slots = ${JSON.stringify(slots)}
const space = await openStore(root).space(${JSON.stringify(description)}, slots)
for (let start = first; start < first + count; start += size) {
  const numbers = Array.from({ length: size }, (_, i) => start + i)
  const values = slots.map((_, slot) => Float32Array.from({ length: size * 8 }, (_, i) => numbers[Math.floor(i / 8)] + slot / 16))
  await space.append(numbers.map((number) => name + ' ' + number), values)
  console.log(start + size - 1)
}
await space.close()
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-processes-'))
})
afterAll(async () => rm(folder, { recursive: true, force: true }))

const run = (
  root: string,
  args: readonly (string | number)[],
  onLine?: (line: string) => void,
): ReturnType<typeof start> => start(writer, [root, ...args.map(String)], onLine)

async function expectStored(root: string, texts: readonly string[]): Promise<void> {
  const space = await openStore(root).space(description, slots)
  expect(await space.missing(texts)).toEqual([])
  for (const [slot, { name }] of slots.entries()) {
    const { data } = await space.read(name, texts)
    expect(data).toEqual(
      Float32Array.from({ length: texts.length * 8 }, (_, i) => valueOf(texts[Math.floor(i / 8)] ?? '', slot)),
    )
  }
}

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name} ${i}`)

describe('two processes appending to one space', () => {
  test('lose nothing, whether their texts are the same or not', async () => {
    const root = join(folder, 'two')
    const writers = [run(root, ['x', 0, 400, 5]), run(root, ['y', 0, 400, 5]), run(root, ['x', 0, 400, 8])]
    expect(await Promise.all(writers.map(ended))).toEqual([0, 0, 0])
    await expectStored(root, [...numbered('x', 400), ...numbered('y', 400)])
    const { spaces } = await openStore(root).usage()
    expect(spaces.map(({ texts }) => texts)).toEqual([800])
    expect((await readdir(join(root, spaces[0]?.id ?? ''))).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('kill -9 of a writer', () => {
  // The moment: after so many appends, and then so many changes of the folder into the next ones (small blocks are
  // joined every few appends).
  const moments = fc.sample(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 12 })), {
    seed: 20,
    numRuns: 10,
  })

  test.each(moments)(
    'after %i appends and %i changes of its folder keeps every row that was reported stored',
    async (appends, changes) => {
      const root = await mkdtemp(join(folder, 'kill-'))
      let reported = -1
      let lines = 0
      const child = run(root, ['x', 0, 1e9, 3], (line) => {
        reported = Number(line)
        if (++lines === appends) void untilChanged(root, changes).then(() => child.kill('SIGKILL'))
      })
      expect(await ended(child)).toBe('SIGKILL')
      await expectStored(root, numbered('x', reported + 1))
      // The next writer goes on where it stopped.
      expect(await ended(run(root, ['x', 0, reported + 31, 1]))).toBe(0)
      await expectStored(root, numbered('x', reported + 31))
    },
  )
})

describe.skipIf(process.platform === 'win32')('a disk that is full', () => {
  // A process may not write files beyond its limit of size: the same path as ENOSPC, with another word from the kernel
  // (EFBIG).
  const full = `
import { openStore } from ${JSON.stringify(builtDoor('platform/vectors'))}
import { readdirSync } from 'node:fs'
const root = process.argv.filter((arg) => arg !== '--')[1]
const slots = [{ name: 'h0', width: 1024 }]
const space = await openStore(root).space({ model: 'm' }, slots)
const texts = Array.from({ length: 100 }, (_, i) => 'text ' + i)
await space.append(['small'], [new Float32Array(1024).fill(7)])
const error = await space.append(texts, [new Float32Array(100 * 1024)]).catch((error) => error)
console.log(JSON.stringify({ code: error.code, hint: error.hint, files: readdirSync(root + '/' + space.id).length, missing: (await space.missing(texts)).length, small: (await space.read('h0', ['small'])).data[5] }))
`
  test('gives file.write with a hint, and leaves the store as it was', async () => {
    const root = join(folder, 'full')
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -f 128 && exec "$0" --input-type=module --eval "$1" -- "$2"',
      process.execPath,
      full,
      root,
    ])
    expect(JSON.parse(stdout)).toEqual({
      code: 'file.write',
      hint: expect.stringContaining('--cache-dir') as string,
      files: 2,
      missing: 100,
      small: 7,
    })
  })
})

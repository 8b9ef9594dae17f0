import { closeSync, existsSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Fault } from '#core'
import { writeSafetensors } from '#files/formats'
import { carriedHub, carriedModel } from '../../carried.ts'
import { scratchFolder } from '../../scratch.ts'
import { command as bench } from '../../../src/cli/commands/bench/command.ts'
import { openTerminal } from '../../../src/cli/program/terminal.ts'
import { strata } from '../program.ts'

const scratch = scratchFolder()

describe('names from strangers', () => {
  const name = 'a\u001b]0;title\u0007\u202eb\u2066\u009bc\u007f\nd\te'
  const file = scratch.path('hostile.safetensors')

  test('are shown, and command nothing', async () => {
    await writeSafetensors(file, [{ name, dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) }])
    const { code, stdout } = await strata(['models', file])
    expect(code).toBe(0)
    expect(stdout).toContain(String.raw`a\u001b]0;title\u0007\u202eb\u2066\u009bc\u007f\u000ad\u0009e  U8`)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
  })

  test('are the same names to a reader of --json', async () => {
    const { stdout } = await strata(['models', file, '--json'])
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    expect(JSON.parse(stdout)).toMatchObject({ tensors: [{ name }] })
  })

  test('are shown in errors too', async () => {
    const { stderr } = await strata(['models', scratch.path('no\u009b31m\u202esuch.safetensors')])
    expect(stderr).toContain(String.raw`no\u009b31m\u202esuch`)
    expect(stderr).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
  })
})

test('a table has as many lines as a file has tensors', async () => {
  const file = scratch.path('many.safetensors')
  const count = 150_000
  await writeSafetensors(
    file,
    Array.from({ length: count }, (_, index) => ({
      name: `t${index}`,
      dtype: 'U8' as const,
      shape: [0],
      bytes: new Uint8Array(0),
    })),
  )
  const { code, stdout, stderr } = await strata(['models', file])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('\n150,000 tensors, 0 kB')
})

describe.skipIf(!existsSync('/dev/full'))('a standard output that takes no more', () => {
  const intoFull = async (args: readonly string[]) => {
    const full = openSync('/dev/full', 'w')
    try {
      return await strata(args, { stdout: full, env: carriedHub })
    } finally {
      closeSync(full)
    }
  }

  test.each([[['tasks']], [['tasks', '--json']], [['--help']], [['models', carriedModel, '--json']]])(
    '%j fails and says why',
    async (args) => {
      const { code, stderr } = await intoFull(args)
      expect(stderr).toMatch(/^error file\.write {2}standard output: cannot be written – ENOSPC$/m)
      expect(stderr).not.toMatch(/^\s+at /m)
      expect(code).toBe(1)
    },
  )
})

test('a reader that has seen enough ends the program quietly', async () => {
  const { code, stdout, stderr } = await strata(['tasks', '--json'], { closeEarly: true })
  expect(stdout.length).toBeGreaterThan(0)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('Ctrl-C', () => {
  test('in encode is no defect: it says how to go on, and leaves no file behind', async () => {
    const out = scratch.path('vectors.npy')
    const texts = scratch.file(
      'texts.txt',
      Array.from({ length: 4000 }, (_, index) => `text number ${index} of many`).join('\n'),
    )
    const args = ['encode', carriedModel, texts, '--out', out]
    const { code, stderr } = await strata(args, {
      env: carriedHub,
      killBy: 'SIGINT',
      killWhen: () => existsSync(`${out}.partial`),
    })
    expect(stderr).toMatch(/^error run\.cancelled {2}.*\n {2}.*run the same command again/m)
    expect(stderr).not.toContain('defect')
    expect(code).toBe(1)
    expect(existsSync(out)).toBe(false)
  })
})

test('Ctrl-C says that finished work is kept, but of a measurement nothing is', async () => {
  for (const [keeps, words] of [
    [undefined, 'finished work is kept'],
    [bench.keeps, 'nothing is kept'],
  ] as const) {
    const terminal = openTerminal({ keeps })
    process.emit('SIGINT')
    expect([terminal.signal.aborted, (terminal.signal.reason as Fault).hint]).toEqual([
      true,
      expect.stringContaining(words),
    ])
    await terminal.close()
  }
})

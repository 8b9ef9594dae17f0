import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#core'
import { importProgram, readProgram } from '#platform/modules'
import { scratchFolder } from '../../scratch.ts'

const { file, path } = scratchFolder()

describe('a program', () => {
  test('runs without its types; names of this package are those of the one that runs', async () => {
    const text = "import { fault, type Floats } from 'strata-lm/plugin'\nexport const made: unknown = fault\n"
    const source = await readProgram(file('typed.ts', text))
    expect(source.sha256).toBe(sha256(readFileSync(path('typed.ts'))))
    const { fault } = await import('#core')
    expect((await importProgram(source))['made']).toBe(fault)
  })

  test('is the text that was read, whatever becomes of the file', async () => {
    const source = await readProgram(file('changing.mjs', 'export const value = 1\n'))
    file('changing.mjs', 'export const value = 2\n')
    expect(await importProgram(source)).toMatchObject({ value: 1 })
    expect(await importProgram(await readProgram(path('changing.mjs')))).toMatchObject({ value: 2 })
  })

  test('may name types of other files, which are gone before it runs', async () => {
    const source = await readProgram(file('types.ts', "import type { A } from './a.ts'\nexport const a = 1 as A\n"))
    expect(await importProgram(source)).toMatchObject({ a: 1 })
  })
})

describe('refused, with file and line', () => {
  test.each([
    ['a neighbour', "export const a = 1\nexport { b } from './b.ts'\n", ':2', './b.ts'],
    ['a package', "import { z } from 'zod'\nexport const a = z\n", ':1', 'zod'],
    ['Node', "\n\nimport { readFileSync } from 'node:fs'\nexport const a = readFileSync\n", ':3', 'node:fs'],
    ['no door of this package', "import { a } from 'strata-lm/inside'\nexport const b = a\n", ':1', 'strata-lm/inside'],
    ['an import when it runs', "export const a = await import('strata-lm')\n", ':1', 'strata-lm'],
    ['an address that is computed', 'const at = `./b.ts`\nexport const a = () => import(at)\n', ':2', 'at'],
  ])('%s', async (_, text, line, seen) => {
    const made = file('foreign.ts', text)
    await expect(readProgram(made)).rejects.toMatchObject({
      code: 'plugin.invalid',
      parts: { place: `${made}${line}`, seen },
    })
  })

  test.each([
    ['syntax that is wrong', 'export const a = = 1\n', ':1:18'],
    ['syntax that blanks cannot replace', 'export const b = 1\nenum A { b }\n', ':2:1'],
  ])('%s', async (_, text, at) => {
    const made = file('wrong.ts', text)
    await expect(readProgram(made)).rejects.toMatchObject({ code: 'plugin.invalid', parts: { place: `${made}${at}` } })
  })

  test('what its top level throws', async () => {
    const made = file('throws.mjs', "export const a = 1\nthrow new Error('no such thing')\n")
    await expect(importProgram(await readProgram(made))).rejects.toMatchObject({
      code: 'plugin.invalid',
      message: `${made}: no such thing`,
    })
  })

  test('a file that is not there, and one of another kind', async () => {
    await expect(readProgram(join(path('none'), 'mine.ts'))).rejects.toMatchObject({ code: 'file.missing' })
    await expect(readProgram(file('mine.py', 'x = 1\n'))).rejects.toMatchObject({ code: 'usage.value' })
  })
})

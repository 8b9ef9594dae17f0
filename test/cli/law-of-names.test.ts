/**
 * The law of names: a name that matches nothing is refused with the nearest known one, a name that matches two things
 * with both, on every command alike – exit code 2.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { writeResult } from '#result/ledger'
import { sampleResult } from '../result/ledger/made-results.ts'
import { scratchFolder } from '../scratch.ts'
import { failing, misspelt, misspeltFiles, misspeltSplits } from './names-table.ts'
import { type Ran, strata } from './program.ts'
import { offline, thingsIn, writeThings } from './small-things.ts'

const scratch = scratchFolder()
const { path, file } = scratch
const things = thingsIn(path)
const env = { ...offline(path), STRATA_CACHE: path('cache') }
const twice = path('twice')

beforeAll(async () => {
  await writeThings(scratch)
  // two revisions of one model, and a setting in two forms
  for (const revision of ['r1', 'r2'])
    for (const representation of ['default', 'h1', 'h2+len8', 'h2+max'])
      await writeResult(
        twice,
        sampleResult({ task_name: 'Labels', strata: { model: 'org/model', revision, representation } }),
      )
  await writeResult(
    twice,
    sampleResult({ task_name: 'Labels', strata: { model: 'org/other', revision: 'r3', representation: 'default' } }),
  )
})

const run = (line: readonly string[]): Promise<Ran> => strata(line, { env, cwd: path('.') })

function nearest(meant: string): RegExp {
  return new RegExp(`ean "?${meant.replaceAll(/[^\w ]/g, String.raw`\$&`)}`)
}

describe('a misspelt name is refused with the nearest', () => {
  test.each(misspelt(things))('%s', async (line, name, meant) => {
    const { code, stderr } = await run(line)
    expect(stderr).toContain(name)
    expect(stderr).toMatch(nearest(meant))
    expect(code).toBe(2)
  })

  test.each(Object.entries(misspeltFiles(things)))('%s', async (what, [text, line, word, meant]) => {
    const path = file(`${what.replaceAll(' ', '-')}.yaml`, text)
    const { stderr, code } = await run(line.map((own) => (own === 'FILE' ? path : own)))
    expect(stderr).toContain(word)
    expect(stderr).toMatch(nearest(meant))
    expect(code).toBe(2)
  })

  test.each(Object.entries(failing(things)))('%s', async (what, [text, line, word, meant]) => {
    const path = file(`${what.replaceAll(' ', '-')}.yaml`, text)
    const { stdout, stderr, code } = await run(line.map((own) => (own === 'FILE' ? path : own)))
    expect(stdout + stderr).toContain(word)
    expect(stdout + stderr).toMatch(nearest(meant))
    expect(code).toBe(1)
  })

  test.each(misspeltSplits(things))('a split: %s', async (...line) => {
    const { code, stderr } = await run(line)
    expect(stderr).toContain('no split tset (did you mean test?)')
    expect(code).toBe(1)
  })
})

const ambiguous: readonly (readonly [line: readonly string[], both: readonly string[]])[] = [
  [
    ['compare', 'org/model', 'org/other', '--results', twice],
    ['org/model@r1#default', 'org/model@r2#default'],
  ],
  [
    ['compare', 'org/other', 'org/model@r1#h2', '--results', twice],
    ['org/model@r1#h2+len8', 'org/model@r1#h2+max'],
  ],
  [
    ['report', twice, '--baseline', 'org/model#h1'],
    ['org/model@r1#h1', 'org/model@r2#h1'],
  ],
  [
    ['report', twice, '--parents', 'org/model#h1,org/other'],
    ['org/model@r1#h1', 'org/model@r2#h1'],
  ],
  [
    ['results', '--results', twice, '--against', 'org/model'],
    ['org/model@r1#default', 'org/model@r2#default'],
  ],
  [
    ['verify', '--results', twice, '--against', 'org/model#h1'],
    ['org/model@r1#h1', 'org/model@r2#h1'],
  ],
  [
    ['results', '--results', things.results, '--against', twice],
    ['org/model@r1#default', 'org/model@r2#default'],
  ],
  [
    ['search', things.model, things.other, '--task-file', things.one, '--policy', 'random', '--baseline', 'model'],
    [things.model, things.other],
  ],
]

describe('a name that matches two things is refused with both', () => {
  test.each(ambiguous)('%s', async (line, both) => {
    const { code, stderr } = await run(line)
    for (const one of both) expect(stderr).toContain(one)
    expect(code).toBe(2)
  })
})

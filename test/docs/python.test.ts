import { spawnSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { writeResult } from '#result/ledger'
import { carriedHub } from '../carried.ts'
import { strata } from '../cli/program.ts'
import { running } from '../cli/serving.ts'
import { sampleResult } from '../result/ledger/made-results.ts'
import { scratchFolder } from '../scratch.ts'
import { documentAt } from './documents.ts'
import { commandLines } from './shell.ts'

const { path, file } = scratchFolder()
const python = process.env['STRATA_PYTHON'] ?? 'python3'
const page = documentAt('docs/python.md')
const blocks = page.blocks
  .filter(({ language }) => language === 'python')
  .map(({ text }) => ({ text, name: /^(?:import|from) ([\w.]+)/m.exec(text)?.[1] ?? '' }))

const has = (name: string): boolean => spawnSync(python, ['-c', `import ${name}`]).status === 0

/** Pandas reads parquet by pyarrow, and DuckDB's answers become its tables. */
const needs: Readonly<Record<string, readonly string[]>> = { pandas: ['pyarrow'], duckdb: ['pandas'] }

function ran(text: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(python, ['-c', text], { cwd: path('.'), encoding: 'utf8' })
}

const printed: Readonly<Record<string, RegExp>> = {
  pandas: /^default +0\.8759\nh3 +0\.7069$/m,
  duckdb: /STS17 +default/,
  numpy: /^\(2, 384\) \[\[1\./,
  'safetensors.numpy': /\(2, 384\)/,
  openai: /^2 384$/m,
}

beforeAll(async () => {
  const score = 0.875912
  const best = { test: [{ main_score: score, hf_subset: 'en-en', languages: ['eng-Latn'] }] }
  await writeResult(path('results'), sampleResult())
  await writeResult(path('results'), sampleResult({ scores: best, strata: { representation: 'default' } }))
  file('texts.txt', 'a text\nanother\n')
  const first = page.blocks[0]?.text.split('\n').filter((line) => line !== '') ?? []
  const commands = commandLines(page).filter(({ text, whole }) => whole && first.includes(text))
  if (commands.length < first.length) throw new Error('the first block has lines that are no commands')
  for (const { words } of commands) {
    const { code, stderr } = await strata(words, { cwd: path('.'), env: carriedHub })
    if (code !== 0) throw new Error(stderr)
  }
})

test('every block of the page is run', () => {
  expect(blocks.map(({ name }) => name)).toEqual(Object.keys(printed))
})

for (const { name, text } of blocks.filter((block) => block.name !== 'openai'))
  test.skipIf(![name, ...(needs[name] ?? [])].every(has))(`${name} reads the files`, () => {
    const { status, stdout, stderr } = ran(text)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toMatch(printed[name] ?? /never/)
  })

test.skipIf(!has('openai'))('openai asks the endpoint', async () => {
  const text = blocks.find(({ name }) => name === 'openai')?.text ?? ''
  const { used } = await running(['sentence-transformers/all-MiniLM-L6-v2'], carriedHub, (address) =>
    Promise.resolve(ran(text.replace('http://127.0.0.1:8080', address))),
  )
  expect(used.stderr).toBe('')
  expect(used.stdout).toMatch(printed['openai'] ?? /never/)
})

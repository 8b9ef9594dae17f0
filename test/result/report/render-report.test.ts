import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Report, renderReport, reportFormat, reportOf, writeReport } from '#result/report'
import { scratchFolder } from '../../scratch.ts'
import { hostile, hostileFolder } from './made-folder.ts'

const { path } = scratchFolder()
let report: Report

beforeAll(async () => {
  report = await reportOf([await hostileFolder(path('results'))], { draws: 1000 })
})

/** Fields of csv as RFC 4180 has them. */
function fieldsOf(csv: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end = ''] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.filter((line) => line.length > 1)
}

test('json is the value itself', async () => {
  expect(JSON.parse(await renderReport(report, { format: 'json' }))).toEqual(JSON.parse(JSON.stringify(report)))
})

describe('csv', () => {
  test('is a line a row with scores at full length', async () => {
    const [header = [], ...lines] = fieldsOf(await renderReport(report, { format: 'csv' }))
    expect(lines.map((line) => line.length)).toEqual(report.rows.map(() => header.length))
    expect(header.slice(-report.tasks.length)).toEqual(report.tasks.map(({ name }) => name))
    const h2 = lines.find((line) => line[0] === 'org/model h2')
    expect(h2?.at(header.indexOf('Labels'))).toBe('0.9')
    // failed, not nought
    expect(h2?.at(header.indexOf('Rare'))).toBe('')
  })

  test('holds nothing that a spreadsheet runs', async () => {
    const fields = fieldsOf(await renderReport(report, { format: 'csv' })).flat()
    expect(fields).toContain(`'${hostile.formula}`)
    expect(fields.filter((field) => /^[=+@\t\r]|^-(?![\d.])/.test(field))).toEqual([])
  })

  test.each(['=1+1', '+1', '-1', '@A1', '\tx', '\rx', '＝1'])(
    'a name that begins like %j gets an apostrophe',
    async (name) => {
      const [row] = report.rows
      if (row === undefined) throw new Error('no row')
      const csv = await renderReport({ ...report, rows: [{ ...row, model: name }] }, { format: 'csv' })
      expect(fieldsOf(csv)[1]?.[1]).toBe(`'${name}`)
    },
  )
})

test('Markdown: a cell stays a cell, a name stays text', async () => {
  const text = await renderReport(report, { format: 'md' })
  expect(text).toContain('| representation | mean |')
  expect(text).not.toMatch(/<img|<script|<b>|\[c\]\(/)
  // a sign that begins nothing stays a sign
  expect(text).toContain("p < 0.05 after Holm's correction")
  expect(text).not.toContain('&lt; ')
  const tables = text
    .trimEnd()
    .split('\n\n')
    .filter((block) => block.startsWith('|'))
  const widths = tables.map(
    (table) => new Set(table.split('\n').map((line) => line.replaceAll(String.raw`\|`, '').split('|').length)).size,
  )
  expect(widths).toEqual(tables.map(() => 1))
})

describe('LaTeX', () => {
  const compiler = ['pdflatex', 'tectonic'].find((program) => spawnSync(program, ['--version']).status === 0)

  test('spells out every sign that TeX obeys', async () => {
    const text = await renderReport(report, { format: 'latex' })
    expect(text).toContain(String.raw`\usepackage{booktabs`)
    expect(text).toContain(String.raw`\textbackslash{}input\{/\allowbreak{}etc`)
    expect(text).not.toContain(String.raw`\input{`)
    expect(text).toContain(String.raw`100\% \#1 \& \textasciitilde{} \{\}`)
  })

  test.skipIf(compiler === undefined)('compiles, whatever the names', async () => {
    mkdirSync(path('tex'), { recursive: true })
    await writeReport(path('tex/report.tex'), report, { format: 'latex' })
    const options = compiler === 'pdflatex' ? ['-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape'] : []
    execFileSync(compiler ?? '', [...options, 'report.tex'], { cwd: path('tex'), stdio: 'pipe' })
    expect(readFileSync(path('tex/report.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

test('a file’s ending is its format; another one is refused', () => {
  expect(['a.html', 'b/c.MD', 'd.csv', 'e.tex', 'f.json'].map((name) => reportFormat(name))).toEqual([
    'html',
    'md',
    'csv',
    'latex',
    'json',
  ])
  expect(() => reportFormat('a.pdf', '--out')).toThrow(
    expect.objectContaining({ code: 'usage.value', message: expect.stringContaining('--out') }),
  )
})

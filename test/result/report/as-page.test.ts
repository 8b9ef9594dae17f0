import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderReport, reportOf, writeReport } from '#result/report'
import { browser, chromium, seriousFindings } from '../../browser.ts'
import { scratchFolder } from '../../scratch.ts'
import { hostile, hostileFolder } from './made-folder.ts'

const { path } = scratchFolder()
const file = path('page/report.html')

beforeAll(async () => {
  await writeReport(file, await reportOf([await hostileFolder(path('results'))], { draws: 1000 }), { format: 'html' })
})

describe('a page, as text', () => {
  test('asks for nothing and runs nothing but what it carries', () => {
    const html = readFileSync(file, 'utf8')
    expect(html).toContain("default-src 'none'")
    expect([...html.matchAll(/\b(?:src|href|action)="(?!#|data:,)[^"]*"/g)].map(([found]) => found)).toEqual([])
    expect([...html.matchAll(/url\((?!#)[^)]*\)/g)].map(([found]) => found)).toEqual([])
    expect([...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script type="module">',
      '<script type="module">',
    ])
  })

  test('spells out the names of strangers', () => {
    const html = readFileSync(file, 'utf8')
    expect(html).toContain('evil/&lt;script&gt;alert(1)&lt;/script&gt;')
    for (const text of ['<script>alert', '<img', '<b>', '</script>alert']) expect(html).not.toContain(text)
  })

  test('is the same bytes twice', async () => {
    const again = await renderReport(await reportOf([path('results')], { draws: 1000 }), { format: 'html' })
    expect(again).toBe(readFileSync(file, 'utf8'))
  })
})

describe.skipIf(chromium === undefined)('a page, in a browser', () => {
  const open = browser()
  const names = '#representations tbody th'

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [400, 'light'],
  ] as const)(
    'at %i pixels, %s: no complaint, no request, no serious finding of axe, nothing wider than the screen',
    async (width, scheme) => {
      const { page, complaints, requests } = await open(file, { width, scheme })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await seriousFindings(page)).toEqual([])
      expect([complaints, requests]).toEqual([[], []])
    },
  )

  test('sorts by a click on a header: the highest first, what has no number last, and back', async () => {
    const { page } = await open(file)
    const button = await page.$$('#representations thead button')
    const titles = await page.$$eval('#representations thead button', (all) =>
      all.map(({ textContent }) => textContent),
    )
    const at = titles.indexOf('Labels')
    const labels = button[at]
    const column = () =>
      page.$$eval('#representations tbody tr', (rows, at) => rows.map((row) => row.cells[at]?.textContent ?? ''), at)
    await labels?.click()
    const falling = await column()
    const scores = falling.filter((text) => text !== '–').map((text) => Number.parseFloat(text))
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect([scores.length > 4, scores[0], falling.at(-1)]).toEqual([true, 90, '–'])
    expect(await page.$eval('#representations th[aria-sort=descending]', ({ textContent }) => textContent)).toBe(
      'Labels',
    )
    await labels?.click()
    const rising = await column()
    expect([Number.parseFloat(rising[0] ?? ''), rising.at(-1)]).toEqual([30, '–'])
    // names as people count: h2 before h10
    await button[0]?.click()
    const sorted = await page.$$eval(names, (all) =>
      all.map(({ textContent }) => textContent ?? '').filter((name) => name.startsWith('org/model h')),
    )
    expect(sorted).toEqual(['org/model h0', 'org/model h1', 'org/model h2', 'org/model h10'])
  })

  test('filters by words, and says how many rows are left', async () => {
    const { page } = await open(file)
    const shown = () =>
      page.$$eval('#representations tbody tr', (rows) => rows.filter((row) => row.getClientRects().length > 0).length)
    const all = await shown()
    await page.type('#representations input', 'ORG h1')
    expect(await shown()).toBe(2)
    expect(await page.$eval('#representations output', ({ textContent }) => textContent)).toBe(`2 of ${all} rows`)
    await page.$eval('#representations input', (input) => input.select())
    await page.keyboard.press('Backspace')
    expect([await shown(), await page.$eval('#representations output', ({ textContent }) => textContent)]).toEqual([
      all,
      '',
    ])
  })

  test('pictures say what is under the pointer, and by the arrow keys each mark', async () => {
    const { page } = await open(file)
    const tip = () => page.$eval('#tip', (one) => (one.hidden ? '' : (one.textContent ?? '')))
    const mark = await page.$('.plot [data-tip]')
    await mark?.scrollIntoView()
    await mark?.hover()
    const first = await tip()
    expect(first).not.toBe('')
    await page.mouse.move(2, 2)
    expect(await tip()).toBe('')
    await page.focus('.plot')
    await page.keyboard.press('ArrowRight')
    const one = await tip()
    await page.keyboard.press('ArrowRight')
    expect([one !== '', (await tip()) !== one]).toEqual([true, true])
    await page.keyboard.press('Escape')
    expect(await tip()).toBe('')
  })

  test('prints whole, and reads without scripts', async () => {
    const { page } = await open(file)
    await page.emulateMediaType('print')
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.scroll')].filter((one) => getComputedStyle(one).overflowX !== 'visible').length",
    )
    expect(cut).toBe(0)
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
    await page.setJavaScriptEnabled(false)
    await page.reload()
    expect((await page.$$(names)).length).toBeGreaterThan(5)
  })

  test('a name that attacks is shown as it is', async () => {
    const { page, complaints } = await open(file)
    const shown = await page.$$eval(names, (all) => all.map(({ textContent }) => textContent ?? ''))
    expect(shown).toContain(`${hostile.model} default`)
    expect(complaints).toEqual([])
  })
})

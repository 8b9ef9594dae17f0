/** Pages of whole studies at the widths of a phone, a tablet, a laptop and a desk, light and dark. */
import { beforeAll, describe, expect, test } from 'vitest'
import { reportOf, writeReport } from '#result/report'
import { browser, chromium, seriousFindings } from '../../browser.ts'
import { scratchFolder } from '../../scratch.ts'
import { aggregateFolder, arms, mergeRows, mergeStudy, mergeTasks } from './made-studies.ts'

const { path } = scratchFolder()
const parents = mergeRows.slice(0, 2).map((name) => `${name}#default`)

beforeAll(async () => {
  const write = (name: string, report: Awaited<ReturnType<typeof reportOf>>) =>
    writeReport(path(`${name}.html`), report, { format: 'html' })
  await write('merge', await reportOf([], { recorded: mergeStudy(), parents, baseline: 'org/base#default' }))
  await write('arms', await reportOf([], { recorded: arms() }))
  await write('aggregate', await reportOf([await aggregateFolder(path('results'))]))
})

/** Words that a line breaks where no joint is, with everything folded opened; run in the page. */
const brokenWords = String.raw`(() => {
  for (const one of document.querySelectorAll('details')) one.open = true
  const broken = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const { 0: word, index } of node.textContent.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      if (node.parentElement.closest('svg, script, style') !== null) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
    }
  return broken
})()`

describe.skipIf(chromium === undefined)('a page of a study', () => {
  const open = browser()

  test.each([
    ['merge', 400, 'dark'],
    ['merge', 800, 'light'],
    ['merge', 1280, 'dark'],
    ['merge', 1920, 'light'],
    ['arms', 400, 'light'],
    ['arms', 1280, 'dark'],
    ['aggregate', 400, 'light'],
    ['aggregate', 1280, 'dark'],
  ] as const)(
    '%s at %i pixels, %s: nothing serious for axe, no word broken, no picture cut, nothing wider than the screen',
    async (name, width, scheme) => {
      const { page, complaints } = await open(path(`${name}.html`), { width, scheme })
      // thousands of cells are left closed, as readers find them
      const broken = name === 'arms' ? [] : await page.evaluate(brokenWords)
      expect([await seriousFindings(page), broken]).toEqual([[], []])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const cut = await page.$$eval('.plot', (all) =>
        all
          .filter((plot) => plot.clientWidth > 0 && plot.scrollWidth > plot.clientWidth)
          .map(({ ariaLabel }) => ariaLabel),
      )
      expect(cut).toEqual([])
      expect(await page.evaluate(brokenWords)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test('opens with the answer and one picture, before any table', async () => {
    const { page } = await open(path('merge.html'), { width: 400 })
    const order = await page.$$eval('.answer, .opening figure, table, #pictures', (all) =>
      all.slice(0, 3).map(({ tagName }) => tagName),
    )
    expect(order).toEqual(['P', 'FIGURE', 'TABLE'])
    const answer = await page.$eval('.answer', ({ textContent }) => textContent ?? '')
    expect(answer).toContain(`7 models were scored on ${mergeTasks.length} tasks (67 blimp, 57 mmlu and 3 others).`)
    expect(answer).toContain('The best of 4 merges by its mean over 127 tasks is slerp')
  })

  test('draws what the notebooks of a merge study drew', async () => {
    const { page } = await open(path('merge.html'))
    const titles = await page.$$eval('figcaption h3', (all) => all.map(({ textContent }) => textContent ?? ''))
    expect(titles.map((title) => title.replace(/: .*/, ''))).toEqual([
      'Scores by group of tasks',
      'Changes by group of tasks',
      ...Array.from({ length: 4 }, () => 'Gained and lost most'),
      'Similarity of the merges’ changes',
      'Merges by their changes',
      'Tasks by the merges that change them',
      'Rows by their means',
      'Representation × group of tasks',
    ])
    // the bars of a merge are its largest gains, then its largest losses
    const tips = await page.$$eval('figure:nth-of-type(2) .wide-plot [data-tip]', (all) =>
      all.map((mark) => mark.getAttribute('data-tip') ?? ''),
    )
    const values = tips.map((tip) => Number(tip.split(': ')[1]?.replace('−', '-')))
    expect([values.length, values]).toEqual([16, values.toSorted((a, b) => b - a)])
  })

  test('keeps the first column in sight, and the scores next to it', async () => {
    const { page } = await open(path('aggregate.html'), { width: 400 })
    const [left, edge, title] = await page.$eval('#representations .scroll', (box) => {
      box.scrollLeft = 300
      const first = box.querySelector('tbody th')
      return [
        Math.round(first?.getBoundingClientRect().left ?? -1),
        Math.round(box.getBoundingClientRect().left) + 1,
        box.querySelectorAll('thead th')[1]?.textContent,
      ]
    })
    expect([left, title]).toEqual([edge, 'mean'])
  })

  test('folds 127 tasks into their groups, which open', async () => {
    const { page } = await open(path('merge.html'), { width: 1280 })
    const groups = await page.$$eval('#models thead th', (all) => all.map(({ textContent }) => textContent))
    expect(groups).toEqual(['model', 'mean', 'blimp (67)', 'mmlu (57)', 'others (3)', 'rank', 'Borda', 'tasks'])
    const rows = () =>
      page.evaluate(
        `[...document.querySelectorAll('#models-group-0 tbody tr')].filter((row) => row.checkVisibility()).length`,
      )
    expect(await rows()).toBe(0)
    await page.click('#models-group-0 summary')
    expect(await rows()).toBe(67)
  })

  test('shows a row of texts as a card on a phone, each value under its title', async () => {
    const { page } = await open(path('aggregate.html'), { width: 400 })
    const shown = await page.evaluate(`
      const row = document.querySelector('#coverage tbody tr')
      const cell = getComputedStyle(row.querySelector('td'), '::before');
      [getComputedStyle(row).display, cell.content]`)
    expect(shown).toEqual(['block', '"type"'])
  })
})

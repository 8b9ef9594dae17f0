import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SubsetScores } from '#core'
import { writeResult } from '#result/ledger'
import { browser, chromium, seriousFindings } from '../../browser.ts'
import { sampleResult } from '../../result/ledger/made-results.ts'
import { hostileFolder } from '../../result/report/made-folder.ts'
import { scratchFolder } from '../../scratch.ts'
import { until } from '../../until.ts'
import { endJob, makeRun, makeSearch } from './made-run.ts'
import { servedBoard, type ServedBoard } from './served-board.ts'

const { path } = scratchFolder()
const run = path('run')
const results = join(run, 'results')
interface Hideable {
  readonly hidden: boolean
}
/** Jobs of the run, as many as the issue asks for. */
const jobs = 200

const addResult = (representation: string): Promise<string> => {
  const part: SubsetScores = { main_score: 0.5, hf_subset: 'default', languages: ['eng-Latn'] }
  const strata = { representation, model: 'org/model', revision: 'main' }
  return writeResult(results, sampleResult({ task_name: 'Pairs', scores: { test: [part] }, strata }))
}
const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, ({ textContent }) => textContent ?? '').catch(() => '')
const has = (page: Page, selector: string, text: string) => async (): Promise<boolean> =>
  (await textOf(page, selector)).includes(text)

describe.skipIf(chromium === undefined)('a board, in a browser', () => {
  const open = browser()
  let board: ServedBoard
  beforeAll(async () => {
    makeRun(run, jobs)
    await hostileFolder(results)
    makeSearch(join(run, 'searches', 'a'), [0.3, undefined, 0.5])
    board = await servedBoard([run])
  })

  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)(
    'at %i pixels, %s: rows appear while jobs end, without a complaint, a request elsewhere or a finding of axe',
    async (width, scheme) => {
      const { page, complaints, requests } = await open(board.address, { width, scheme })
      await until(has(page, '#state', 'Live'))
      await until(has(page, '#at-pictures', 'Score by layer'))
      const first = width === 1280 ? 0 : jobs / 2
      await page.evaluate('globalThis.isSame = true')
      for (let at = first; at < first + jobs / 2; at++) endJob(run, at, at % 50 === 7 ? `reason ${at}` : undefined)
      await addResult(`h${width}`)
      await until(has(page, '#results tbody', `h${width}`))
      await until(has(page, '#failed-jobs', `reason ${first + 57}`))
      await until(has(page, '#at-now', width === 1280 ? '98 of 200' : '196 of 200'))
      expect(await page.evaluate('globalThis.isSame')).toBe(true)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await seriousFindings(page)).toEqual([])
      expect([complaints, requests]).toEqual([[], []])
    },
  )

  test('by the keyboard alone: sorts, opens a result and goes back, with focus and filter where they were', async () => {
    const { page, complaints } = await open(board.address)
    await until(has(page, '#results tbody', 'Labels'))
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent') as Promise<string>
    await page.focus('#results thead th:nth-child(5) button')
    await page.keyboard.press('Enter')
    await until(async () => (await page.$('#results th[aria-sort=descending]')) !== null)
    const scores = await page.$$eval('#results tbody td:nth-child(5)', (all) => all.map((one) => one.textContent ?? ''))
    // the mean of 90 and 99, of h2 on Both
    expect(scores[0]).toBe('94.50')
    await page.type('#results input', 'h10 labels')
    await until(async () => (await page.$$('#results tbody tr')).length === 1)
    // a change elsewhere leaves both, and what is typed
    await addResult('h77')
    await until(has(page, '#representations', 'h77'))
    expect(await page.$eval('#results input', ({ value }) => value)).toBe('h10 labels')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    while ((await focused()) !== 'Labels') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until(has(page, '#detail', 'Items'))
    expect(await focused()).toContain('Labels · h10')
    expect(await textOf(page, '#detail #items .pager')).toContain('1–50 of 200')
    while ((await focused()) !== 'Next') await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until(has(page, '#detail #items .pager', '51–100 of 200'))
    await page.goBack()
    await until(() => page.$eval('#detail', (one) => (one as unknown as Hideable).hidden))
    expect(complaints).toEqual([])
  })

  test('two rows side by side, and an address that a reload keeps', async () => {
    const { page, complaints } = await open(board.address)
    await until(() => page.$eval('#compare', (one) => !(one as unknown as Hideable).hidden))
    await page.type('#first', 'org/model h2')
    await page.type('#second', 'org/model h0')
    await page.keyboard.press('Enter')
    await until(has(page, '#detail h2', 'org/model h2 and org/model h0'))
    await page.reload()
    await until(has(page, '#detail', 'paired bootstrap'))
    expect(complaints).toEqual([])
  })

  test('a result that is gone says so', async () => {
    const { page } = await open(`${board.address}/#result=000000000000`)
    await until(has(page, '#detail', 'there is nothing of this name now'))
    expect(await page.$eval('#state', ({ textContent }) => textContent)).toBe('Live')
  })

  test('asks for a key where the server does', async () => {
    const locked = await servedBoard([run], { key: 'secret' })
    const { page } = await open(locked.address)
    await until(has(page, '#state', 'asks for its key'))
    await page.type('#key-input', 'wrong')
    await page.keyboard.press('Enter')
    await until(has(page, '#state', 'The key is wrong'))
    await page.$eval('#key-input', (input) => (input as unknown as { select: () => void }).select())
    await page.type('#key-input', 'secret')
    await page.keyboard.press('Enter')
    await until(has(page, '#results tbody', 'Labels'))
    expect(await page.$eval('#key', (one) => (one as unknown as Hideable).hidden)).toBe(true)
  })

  test('says that the server went, keeps what it shows, and follows the next one', async () => {
    const folder = await hostileFolder(path('restarted'))
    const first = await servedBoard([folder])
    const { page } = await open(first.address)
    await until(has(page, '#results tbody', 'Labels'))
    await first.stop()
    await until(has(page, '#state', 'does not answer'))
    expect(await textOf(page, '#results tbody')).toContain('Labels')
    writeFileSync(join(folder, 'org__model', 'main', 'Later.json'), '{')
    await servedBoard([folder], { port: Number(new URL(first.address).port) })
    await until(has(page, '#state', 'started anew'))
    await until(has(page, '#results tbody', 'Later'))
  })
})

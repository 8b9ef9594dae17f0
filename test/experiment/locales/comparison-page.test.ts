/** A page of a comparison: tables, pictures, and how it is read at the widths of a laptop and of a phone. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { compareLocales, languages, type LocaleRun, readRuns, writeComparisonPage } from '#experiment/locales'
import { browser, chromium, seriousFindings } from '../../browser.ts'
import { scratchFolder } from '../../scratch.ts'
import { runOf } from './made-runs.ts'
import { writeRecorded } from './merginguriel.ts'

const { path } = scratchFolder()
const known = [...(await languages()).keys()]
const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<figcaption><h3>(.*?)<\/h3>/g)].map(([, title = '']) => title.replaceAll('<wbr>', ''))
const tablesIn = (html: string): string[] =>
  [...html.matchAll(/<details class="table"[^>]* id="(.*?)"/g)].map(([, id = '']) => id)

/** A locale is right on `right` of ten texts, by type. */
const runsOf = (locales: readonly string[]): LocaleRun[] =>
  locales.flatMap((locale, i) =>
    ['baseline', 'similarity', 'average'].map((type, k) =>
      runOf(locale, type, '1'.repeat(((3 * i) % 7) + k + 1).padEnd(10, '0')),
    ),
  )

beforeAll(async () => {
  const runs = runsOf(known)
  const grid = {
    targets: known,
    sources: known.toReversed(),
    values: known.map((_, i) => known.map((_, j) => (i === j ? null : (i + j) / 104))),
  }
  await writeComparisonPage(path('all.html'), compareLocales(runs), {
    runs,
    folder: 'study',
    grids: { weights: grid, accuracies: grid },
  })
})

test('a study has gains, families, weights and accuracies as pictures and as tables', () => {
  const html = readFileSync(path('all.html'), 'utf8')
  expect(titlesIn(html)).toEqual([
    'Gain of similarity over average',
    'Accuracy by family of languages',
    'Weights of the sources',
    'Accuracy of each model on each locale',
  ])
  expect(tablesIn(html)).toEqual(['locales', 'summary', 'items', 'pairs', 'gains', 'families', 'weights', 'accuracies'])
  expect(html).toContain('Compared: 52 locales in 3 types.')
  // by family: Amharic, Arabic and Hebrew are Afro-Asiatic
  const rows = [
    ...(/id="weights"[\s\S]*?<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? '').matchAll(/rowheader">(.*?)</g),
  ]
  expect(rows.slice(0, 4).map(([, locale]) => locale)).toEqual(['am-ET', 'ar-SA', 'he-IL', 'sw-KE'])
})

test('results without answers and without their study have gains without intervals, and no heat map', async () => {
  writeRecorded(path('recorded'))
  const { runs } = await readRuns(path('recorded'), new Set(known))
  await writeComparisonPage(path('recorded.html'), compareLocales(runs), { runs, folder: 'recorded' })
  const html = readFileSync(path('recorded.html'), 'utf8')
  expect(titlesIn(html)).toEqual(['Gain of similarity over average', 'Accuracy by family of languages'])
  expect(html).not.toContain('resamples of the texts, not corrected')
  expect(html).toContain('without sl-SL, sq-AL, zh-TW, th-TH.')
})

describe.skipIf(chromium === undefined)('in a browser', () => {
  const open = browser()

  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)(
    'at %i pixels, %s: nothing wider than the screen, wide heat maps scroll in their own boxes',
    async (width, scheme) => {
      const { page, complaints, requests } = await open(path('all.html'), { width, scheme })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      const scrolling = await page.$$eval('.plot', (all) =>
        all
          .filter((plot) => plot.clientWidth > 0 && plot.scrollWidth > plot.clientWidth)
          .map(({ ariaLabel }) => ariaLabel),
      )
      expect(scrolling.map((label) => label?.split('.')[0])).toEqual(
        width === 400 ? ['Weights of the sources', 'Accuracy of each model on each locale'] : [],
      )
      expect([await seriousFindings(page), complaints, requests]).toEqual([[], [], []])
    },
  )
})

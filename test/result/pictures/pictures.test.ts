import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  embedded,
  heatMap,
  layerHeatMap,
  methodGrid,
  pictureFormat,
  regretCurves,
  renderPicture,
  scoreByLayer,
  weightsByLayer,
  writePicture,
} from '#result/pictures'
import { dendrogram } from '../../../src/result/pictures/dendrogram.ts'
import { scratchFolder } from '../../scratch.ts'
import { boundsOf, contrast, drawn, type Drawn, pixelsOf } from './drawn.ts'

const { path } = scratchFolder()
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const alike = (rows: number, columns = rows): number[][] =>
  range(rows).map((i) => range(columns).map((j) => Math.max(0, 1 - 0.07 * Math.abs(i - j))))
const locales = (count: number): string[] => range(count).map((i) => `l${i}-XX`)
const line = (name: string, layers: number, others: string[] = ['default']) => ({
  name,
  layers: range(layers).map((h) => ({ h, score: 0.4 + h / 100, low: 0.38 + h / 100, high: 0.41 + h / 100 })),
  others: others.map((one) => ({ name: one, score: 0.5, low: 0.45, high: 0.55 })),
})
const longest = 'AmazonCounterfactualClassificationOfSomeLength'

/** Of every kind several sizes; `counts` is how many marks there must be. */
const kinds = {
  'scores of one task': {
    picture: scoreByLayer({ title: 'one', subtitle: 'a line', lines: [line('STS17', 7)] }),
    axes: ['hidden state (h0: token embeddings)', 'score × 100'],
    counts: { area: 1, line: 1, symbol: 7, rule: 1, rect: 1 },
  },
  'scores of several tasks, with mixes beside': {
    picture: scoreByLayer({
      title: 'three',
      lines: ['STS17', 'SICK-R', longest].map((name) => line(name, 13, ['default', 'weighted-1a2b3c4d'])),
    }),
    axes: ['hidden state (h0: token embeddings)', 'score × 100'],
    counts: { area: 3, line: 3, symbol: 39, rule: 6, rect: 6 },
  },
  'scores of many layers without intervals': {
    picture: scoreByLayer({
      title: 'deep',
      lines: [
        {
          name: 'STS17',
          layers: range(81).map((h) => ({ h, score: h / 100 })),
          others: [{ name: 'default', score: 0.5 }],
        },
      ],
    }),
    axes: ['hidden state (h0: token embeddings)', 'score × 100'],
    counts: { line: 1, symbol: 81, rect: 1 },
  },
  'similarity of a small model': {
    picture: layerHeatMap({
      title: 'CKA',
      metric: 'CKA',
      values: alike(14),
      rows: 'hidden state',
      columns: 'hidden state',
      domain: [0, 1],
    }),
    axes: ['hidden state', 'hidden state'],
    counts: { rect: 196, text: 196 },
  },
  'a table of many names, with gaps': {
    picture: heatMap({
      title: 'Weights',
      metric: 'weight',
      rows: { title: 'target', labels: locales(52) },
      columns: { title: 'source', labels: locales(52) },
      values: range(52).map((i) => range(52).map((j) => (i === j ? null : i / 52))),
      isEveryNamed: true,
    }),
    axes: ['source', 'target'],
    counts: { rect: 52 * 51 },
  },
  'similarity of two large models': {
    picture: layerHeatMap({
      title: 'RSA',
      subtitle: longest,
      metric: 'RSA',
      values: alike(49, 25),
      rows: 'hidden state of a',
      columns: 'hidden state of b',
    }),
    axes: ['hidden state of b', 'hidden state of a'],
    counts: { rect: 49 * 25 },
  },
  'methods by tasks': {
    picture: methodGrid({
      title: 'mixes',
      methods: ['weighted', 'last'],
      tasks: ['STS17', longest, 'SciFact'],
      scores: [
        [0.8, 0.7, 0.5],
        [0.8, 0.6, null],
      ],
    }),
    axes: ['task', 'method'],
    // five scores, four of them the best or equal to it
    counts: { rect: 5 + 4, text: 6 },
  },
  'regret of searches': {
    picture: regretCurves({
      title: 'regret',
      unit: 'pulls',
      curves: ['linucb', 'random', 'thompson'].map((name, k) => ({
        name,
        points: range(20).map((i) => ({
          budget: i + 1,
          regret: 1 / (i + 1),
          low: 0.9 / (i + 1),
          high: (k === 0 ? 0.9 : 1.5) / (i + 1),
        })),
      })),
    }),
    axes: ['pulls', 'regret (reward of the best arm − of the best found)'],
    // the first policy's runs do not differ
    counts: { area: 2, line: 3 },
  },
  'a tree of merges': {
    picture: dendrogram({
      title: 'merges',
      names: ['linear', 'slerp', longest, 'ties'],
      joints: [
        { left: 0, right: 1, distance: 0.5, size: 2 },
        { left: 2, right: 3, distance: 1, size: 2 },
        { left: 4, right: 5, distance: 2.5, size: 4 },
      ],
    }),
    axes: ['distance'],
    // three lines a joint, a name a merge
    counts: { rule: 9, text: 4 },
  },
  'weights by layer': {
    picture: weightsByLayer({
      title: 'weights',
      mixes: ['weighted λ = 0.1', 'greedy', longest].map((name) => ({ name, weights: range(13).map(() => 1 / 13) })),
    }),
    axes: ['hidden state', 'weight', 'weight', 'weight'],
    counts: { rect: 39 },
  },
}

const countsOf = ({ marks }: Drawn): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { mark, role } of marks) if (role === 'mark') counts[mark] = (counts[mark] ?? 0) + 1
  return counts
}
const textsOf = ({ marks }: Drawn, role: string): string[] =>
  marks.filter((mark) => mark.role === role && mark.text !== '').map(({ text }) => text)
const papers = { light: '#ffffff', dark: '#0d1117' } as const

describe.each(Object.entries(kinds))('%s', (_, { picture, axes, counts }) => {
  describe.each(['light', 'dark'] as const)('on %s', (background) => {
    const asSvg = async (): Promise<string> =>
      Buffer.from(await renderPicture(picture, { format: 'svg', background })).toString()

    test('has a title, axes with names, and a mark for each number', async () => {
      const found = drawn(await asSvg())
      expect(textsOf(found, 'title-text').join(' ')).not.toBe('')
      expect(textsOf(found, 'axis-title').toSorted()).toEqual(axes.toSorted())
      expect(countsOf(found)).toEqual(counts)
    })

    test('draws nothing outside itself', async () => {
      const svg = await asSvg()
      const { width, height } = drawn(svg)
      const { left, top, right, bottom } = boundsOf(svg)
      // a rotated edge may stand out by the tenth of a pixel that it is smoothed over
      expect([left >= -0.1, top >= -0.1, right <= width + 0.1, bottom <= height + 0.1]).toEqual([
        true,
        true,
        true,
        true,
      ])
      // and is no stamp in a corner of an empty sheet
      expect((right - left) / width).toBeGreaterThan(0.8)
    })

    test('has letters that can be read', async () => {
      const texts = drawn(await asSvg()).marks.filter(({ text }) => text !== '')
      expect(
        texts.map(({ attributes }) => Number.parseFloat(attributes['font-size'] ?? '')).filter((size) => !(size >= 10)),
      ).toEqual([])
      // WCAG 2 asks for 4.5 of running text; what stands on coloured cells is held to them below
      const onPaper = texts.filter(
        ({ role, attributes }) => role !== 'mark' || !/^#(000000|FFFFFF)$/.test(attributes['fill'] ?? ''),
      )
      expect(onPaper.filter(({ attributes }) => contrast(attributes['fill'] ?? '', papers[background]) < 4.5)).toEqual(
        [],
      )
    })

    test('is a PNG of twice its size, with its letters, on its paper', async () => {
      const { width, height } = drawn(await asSvg())
      const png = pixelsOf(await renderPicture(picture, { format: 'png', background }))
      expect([png.width, png.height]).toEqual([2 * width, 2 * height])
      expect(new Set(png.colours).size).toBeGreaterThan(20)
      expect([png.colours[0], png.colours.at(-1)]).toEqual([papers[background], papers[background]])
      // the title's lines; without a font there would be nothing but paper
      const title = png.colours.slice(0, 2 * 32 * png.width)
      const inks = new Set([...new Set(title)].filter((colour) => contrast(colour, papers[background]) > 7))
      const ink = title.filter((colour) => inks.has(colour))
      expect(ink.length).toBeGreaterThan(60)
    })
  })

  test('is the same bytes twice', async () => {
    const [one, two] = [
      await renderPicture(picture, { format: 'svg' }),
      await renderPicture(picture, { format: 'svg' }),
    ]
    expect(Buffer.from(two).equals(one)).toBe(true)
  })
})

test.each(['similarity of a small model', 'methods by tasks'] as const)(
  'numbers in cells can be read: %s',
  async (kind) => {
    const { marks } = drawn(Buffer.from(await renderPicture(kinds[kind].picture, { format: 'svg' })).toString())
    const cells = marks.filter(
      ({ mark, role, attributes }) => role === 'mark' && mark === 'rect' && attributes['fill']?.startsWith('rgb'),
    )
    const numbers = marks.filter(({ mark, role, text }) => role === 'mark' && mark === 'text' && text !== '–')
    expect(numbers.length).toBe(cells.length)
    // black and white are equally far from a luminance of 0.18, by 4.6; cells lie on both sides of it
    expect(
      cells.filter(({ attributes }, i) => contrast(attributes['fill'] ?? '', numbers[i]?.attributes['fill'] ?? '') < 4),
    ).toEqual([])
  },
)

test('h0 is top left; colours go by the domain, not by the values', async () => {
  const cellsOf = async (values: number[][], domain?: [number, number]) => {
    const picture = layerHeatMap({ title: 'CKA', metric: 'CKA', values, rows: 'rows', columns: 'columns', domain })
    return drawn(Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()).marks.filter(
      ({ mark, role }) => mark === 'rect' && role === 'mark',
    )
  }
  const fixed = await cellsOf(
    [
      [1, 0.2],
      [0.6, 0.5],
    ],
    [0, 1],
  )
  expect(fixed.map(({ attributes }) => attributes['d']?.split('h')[0])).toEqual(['M0,0', 'M40,0', 'M0,40', 'M40,40'])
  expect(fixed.map(({ attributes }) => attributes['aria-label'])).toEqual([
    'columns: h0; rows: h0; value: 1',
    'columns: h1; rows: h0; value: 0.2',
    'columns: h0; rows: h1; value: 0.6',
    'columns: h1; rows: h1; value: 0.5',
  ])
  const [yellow, violet] = ['rgb(253, 231, 37)', 'rgb(68, 1, 84)']
  expect([fixed[0]?.attributes['fill'], fixed[1]?.attributes['fill'] === violet]).toEqual([yellow, false])
  expect(
    (
      await cellsOf([
        [1, 0.2],
        [0.6, 0.5],
      ])
    )[1]?.attributes['fill'],
  ).toBe(violet)
  // nothing to tell apart, and a value that is none
  expect((await cellsOf([[0.5]])).length).toBe(1)
  expect((await cellsOf([[NaN, 1]])).length).toBe(1)
})

/** Six rows and columns, or as many as asked; a cell with itself is empty. */
const named = (count: number) =>
  heatMap({
    title: 'Weights',
    metric: 'weight',
    rows: { title: 'target', labels: locales(count) },
    columns: { title: 'source', labels: locales(count) },
    values: range(count).map((i) => range(count).map((j) => (i === j ? null : 0.25))),
    written: (value) => `${100 * value} %`,
    isEveryNamed: true,
  })
test('a table keeps its order of names where cells are empty, and writes its values as asked', async () => {
  const svg = drawn(Buffer.from(await renderPicture(named(3), { format: 'svg' })).toString())
  expect(textsOf(svg, 'axis-label')).toEqual([...locales(3), ...locales(3)])
  expect(textsOf(svg, 'mark').filter((text) => text !== '')).toEqual(Array.from({ length: 6 }, () => '25 %'))
})

test('a table shows every name however many there are; on a narrow page its box scrolls', async () => {
  const { svg, width } = await embedded(named(52), 'many', { isNarrow: true })
  const names = [...svg.matchAll(/>(l\d+-XX)</g)].map(([, name]) => name)
  expect(names).toEqual([...locales(52), ...locales(52)])
  // 52 columns of 14 pixels, the axis and its padding
  expect(width).toBeGreaterThan(52 * 14)
  expect(svg).toContain(`min-width:${Math.round(0.8 * width)}px`)
  const small = await embedded(named(14), 'few', { isNarrow: true })
  expect([small.width < 380, small.svg.includes('min-width')]).toEqual([true, false])
})

test('a score stands at its height; the best of a task is framed, equal ones all', async () => {
  const scores = drawn(
    Buffer.from(
      await renderPicture(scoreByLayer({ title: 't', lines: [line('STS17', 3)] }), { format: 'svg' }),
    ).toString(),
  )
  const heights = scores.marks
    .filter(({ mark, role }) => mark === 'symbol' && role === 'mark')
    .map(({ attributes }) => Number(/,([\d.]+)\)/.exec(attributes['transform'] ?? '')?.[1]))
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  expect(new Set(heights).size).toBe(3)
  expect(textsOf(scores, 'axis-label')).toEqual(expect.arrayContaining(['h0', 'h1', 'h2', 'default']))
  const grid = drawn(Buffer.from(await renderPicture(kinds['methods by tasks'].picture, { format: 'svg' })).toString())
  const framed = grid.marks.filter(
    ({ mark, role, attributes }) => mark === 'rect' && role === 'mark' && attributes['stroke'] === '#000000',
  )
  expect(framed.map(({ attributes }) => attributes['d']?.split('h')[0])).toEqual(['M0,0', 'M72,0', 'M144,0', 'M0,26'])
})

test('a file’s ending is its format, in any case; another one is refused', async () => {
  expect([pictureFormat('a/b.svg'), pictureFormat('b.PNG')]).toEqual(['svg', 'png'])
  for (const name of ['scores.jpg', 'scores', 'svg', 'a.svg/b'])
    expect(() => pictureFormat(name, '--plot')).toThrow(
      expect.objectContaining({ code: 'usage.value', message: expect.stringMatching(/^--plot: .*\.svg or \.png/) }),
    )
  const { picture } = kinds['weights by layer']
  await writePicture(path('made/weights.png'), picture, { background: 'dark' })
  expect(
    readFileSync(path('made/weights.png')).equals(await renderPicture(picture, { format: 'png', background: 'dark' })),
  ).toBe(true)
})

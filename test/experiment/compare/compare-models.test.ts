import { beforeAll, describe, expect, test } from 'vitest'
import { chosenRows, type Comparison, compareModels, renderComparison } from '#experiment/compare'
import { madeFolder } from '../../result/report/made-folder.ts'
import { writeResult } from '#result/ledger'
import { sampleResult } from '../../result/ledger/made-results.ts'
import { scratchFolder } from '../../scratch.ts'

const scratch = scratchFolder()
const root = scratch.path('results')
beforeAll(async () => {
  await madeFolder(root)
})

const compared = (
  references: readonly string[],
  options: Partial<Parameters<typeof compareModels>[1]> = {},
): Promise<Comparison> =>
  compareModels([root], { choose: (rows) => chosenRows(rows, references, 'test'), draws: 1000, ...options })

describe('a comparison', () => {
  test('holds everyone against the first, in the order asked', async () => {
    const { report, tasks } = await compared(['org/model', 'org/model#h2', 'org/model#h10'])
    expect(report.rows.map(({ representation }) => representation)).toEqual(['default', 'h2', 'h10'])
    expect(report.held).toMatchObject({ baseline: 'default', chosen: 'asked' })
    const labels = tasks.filter(({ task }) => task === 'Labels')
    // 200 items; h2 is right on 60 that default is not, and h10 says what default says
    expect(labels).toMatchObject([
      {
        name: 'h2',
        against: 'default',
        score: 0.9,
        baseline: 0.6,
        verdict: 'better',
        items: { better: 60, worse: 0, same: 140 },
      },
      { name: 'h10', against: 'default', verdict: 'not told apart', items: { better: 0, worse: 0, same: 200 } },
    ])
    expect(tasks.filter(({ task }) => task === 'Pairs')).toMatchObject([
      { name: 'h2', verdict: 'not tested', p: null, items: null },
      { name: 'h10', verdict: 'not tested', p: null, items: null },
    ])
  })

  test('only those asked decide what counts', async () => {
    // h0 lacks a subset of Both
    const { report } = await compared(['org/model#h1', 'org/model#h2'])
    expect(report.tasks.find(({ name }) => name === 'Both')).toMatchObject({ parts: ['test en', 'test de'], left: [] })
    expect(report.rows).toHaveLength(2)
  })

  test('asks for the texts of items that changed, and says why there are none', async () => {
    const asked: string[] = []
    const { changed } = await compared(['org/model', 'org/model#h2'], {
      changed: 2,
      textsOf(task, items) {
        asked.push(task)
        return Promise.resolve(items.map(({ item }) => [`text ${item}`]))
      },
    })
    expect(asked).toEqual(['Labels'])
    expect(changed.map(({ ours, theirs, texts, item }) => [ours, theirs, texts, `text ${item}`])).toEqual(
      changed.map(({ item }) => [1, 0, [`text ${item}`], `text ${item}`]),
    )
    expect(changed).toHaveLength(2)
    const without = await compared(['org/model', 'org/model#h2'], {
      textsOf: () => Promise.reject(new Error('not here')),
    })
    expect([without.changed[0]?.texts, without.untold]).toEqual([
      null,
      [{ task: 'Labels', reason: 'Labels: not here' }],
    ])
  })

  test('opens with its answer, and with the differences as its picture', async () => {
    const comparison = await compared(['org/model#default', 'org/model#h2'])
    const page = await renderComparison(comparison, { format: 'html' })
    const [, answer = ''] = /<p class="answer">(.*?)<\/p>/.exec(page) ?? []
    const words = answer.replaceAll('<wbr>', '').replaceAll('&#39;', "'")
    expect(words).toMatch(/^2 representations of org\/model were scored on 4 tasks: /)
    expect(words).toContain('h2 has the highest mean of 2 rows')
    expect(words).toContain('Its difference from default is +')
    expect(words).toContain('1 result failed')
    expect(/<h3>(.*?)<\/h3>/.exec(page)?.[1]).toBe('Differences from default, task by task')
    // from those of single tasks to those over tasks, each table says which question it answers
    expect(page).toContain('The question: on which single tasks does a row differ from default?')
    expect(page).toContain('The question: does a row differ from default over all of its tasks together?')
  })

  test('stands next to scores from elsewhere, part by part, whatever else the folder holds', async () => {
    const other = scratch.path('elsewhere')
    const strata = { representation: 'default', model: 'org/model', revision: 'main' }
    const part = (subset: string, main_score: number) => ({ main_score, hf_subset: subset, languages: ['eng-Latn'] })
    await writeResult(
      other,
      sampleResult({ task_name: 'Both', scores: { test: [part('en', 0.5), part('de', 0.9)] }, strata }),
    )
    const references = ['org/model', 'org/model#h2']
    const whole = await compared(references, { against: other })
    const own = (score: number) => expect.closeTo(score, 12) as number
    expect(whole.outside).toMatchObject({
      against: other,
      scores: [
        { name: 'default', task: 'Both', ours: own(0.795), theirs: own(0.7), difference: own(0.095), parts: 2, of: 2 },
        { name: 'h2', task: 'Both', ours: own(0.945), theirs: own(0.7) },
      ],
    })
    const english = await compared(references, {
      against: other,
      part: (task, _split, { hf_subset: subset }) => task !== 'Both' || subset === 'en',
    })
    expect(english.outside?.scores).toMatchObject([
      { name: 'default', ours: own(0.6), theirs: own(0.5), parts: 1, of: 1 },
      { name: 'h2', ours: own(0.9), theirs: own(0.5) },
    ])
    const page = await renderComparison(whole, { format: 'md' })
    expect(page).toMatch(/\| Both \| default \| 79\.50 \| 70\.00 \| \+9\.50 \| 2 \| /)
    expect((await compared(references)).outside).toBeNull()
    const unknown = await compared(references, { against: 'published' })
    expect(await renderComparison(unknown, { format: 'md' })).toContain('Nothing to compare with published.')
  })

  test('speed and size are those that were measured', async () => {
    const { costs } = await compared(['org/model', 'org/model#h2'], {
      costOf: ({ representation }) => (representation === 'h2' ? { bytes: 12 } : undefined),
    })
    expect(costs).toEqual([
      { name: 'default', parameters: null, bytes: null },
      { name: 'h2', parameters: null, bytes: 12 },
    ])
  })
})

describe('a reference', () => {
  const rows = ['default', 'h3', 'h4+len128'].map((representation) => ({
    model: 'tiny',
    revision: 'abc',
    representation,
  }))
  test('is a model, its folder, a revision’s beginning, a representation with its settings', () => {
    expect(
      chosenRows(rows, ['tiny', './some/tiny#h3', 'tiny@ab#h4'], 'test').map(({ representation }) => representation),
    ).toEqual(['default', 'h3', 'h4+len128'])
  })
  test.each([
    { references: ['tiny#h33'], words: 'no results of this' },
    { references: ['tiny', 'tiny@abc'], words: 'named twice' },
    { references: ['tiny@b'], words: 'no results of this' },
    // another's model of the same name
    { references: ['other/tiny'], words: 'no results of this' },
  ])('$references is refused', ({ references, words }) => {
    expect(() => chosenRows(rows, references, 'test')).toThrow(words)
  })
  test('of several revisions is refused, with what they are', () => {
    const several = [...rows, { model: 'tiny', revision: 'def', representation: 'h3' }]
    expect(() => chosenRows(several, ['tiny#h3'], 'test')).toThrow('tiny@abc#h3, tiny@def#h3')
  })
})

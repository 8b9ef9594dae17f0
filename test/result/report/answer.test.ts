/** The paragraph that a report opens with: it claims what a test showed, and no more. */
import { describe, expect, test } from 'vitest'
import { renderReport, reportOf, type ReportOptions } from '#result/report'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleFailure, sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
let folders = 0
const documents = 400

/** Right documents by representation and task; null: failed; absent: not run. `model h1` names another model. */
type Right = Readonly<Record<string, Readonly<Record<string, number | null>>>>

async function answerTo(right: Right, options: ReportOptions & { stored?: boolean } = {}): Promise<string> {
  const root = path(`results-${folders++}`)
  const { stored = true, ...rest } = options
  for (const [name, tasks] of Object.entries(right))
    for (const [task, count] of Object.entries(tasks)) {
      const [representation = '', model = 'org/model'] = name.split(' ').toReversed()
      const strata = { model, revision: 'main', representation }
      if (count === null) await writeResult(root, { ...sampleFailure(strata), task_name: task })
      else await writeResult(root, resultOf(task, count, strata), stored ? itemsOf(count) : {})
    }
  const text = await renderReport(await reportOf([root], { draws: 2000, ...rest }), { format: 'md' })
  return (text.split('\n\n')[1] ?? '').replaceAll('\\', '').replaceAll('&lt;', '<')
}

function resultOf(
  task: string,
  count: number,
  strata: Readonly<Record<'model' | 'revision' | 'representation', string>>,
) {
  const scores = { test: [{ main_score: count / documents, hf_subset: 'default', languages: [] }] }
  return sampleResult({ task_name: task, scores, strata })
}

function itemsOf(count: number) {
  const columns = ['split', 'subset', 'correct'].map((name, i) => ({
    name,
    type: i < 2 ? ('text' as const) : ('number' as const),
  }))
  const rows = Array.from({ length: documents }, (_, i) => ({
    split: 'test',
    subset: 'default',
    correct: i < count ? 1 : 0,
  }))
  return { items: { columns, rows } }
}

const tasks = (count: number, score: (at: number) => number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`Task${at}`, score(at)]))

describe('on one task', () => {
  test('a lead that the items bear out is more than chance, with interval and p', async () => {
    expect(await answerTo({ default: { Labels: 200 }, h1: { Labels: 240 } })).toMatch(
      /^2 representations of org\/model were scored on Labels\. On Labels h1 has the highest score of 2 rows, 60\.00, 10\.00 above default\. Its difference from default is \+10\.00: more than chance \(paired bootstrap over items, 95 % interval \+\d+\.\d\d to \+\d+\.\d\d, p (?:< 0\.001|= 0\.001)/,
    )
  })

  test('a lead of three documents is not more than chance', async () => {
    const answer = await answerTo({ default: { Labels: 200 }, h1: { Labels: 203 } })
    expect(answer).toContain('Its difference from default is +0.75: not more than chance (paired bootstrap over items')
    expect(answer).not.toContain(': more than chance')
  })

  test('rows on a part of the texts are no match for rows on all, unless all are on a part', async () => {
    const parts = { 'h0+limit-0.125': { Labels: 300 }, default: { Labels: 200 }, h1: { Labels: 203 } }
    expect(await answerTo(parts)).toContain(
      'On Labels h1 has the highest score of 2 rows, 50.75, 0.75 above default. 1 row scored on a part of the texts is not among them. Its difference from default is +0.75: not more than chance',
    )
    expect(await answerTo({ 'h0+limit30': { Labels: 300 }, 'h1+limit30': { Labels: 200 } })).toContain(
      'On Labels h0+limit30 has the highest score of 2 rows, 75.00',
    )
  })

  test('without single items, nobody knows', async () => {
    expect(await answerTo({ default: { Labels: 200 }, h1: { Labels: 240 } }, { stored: false })).toContain(
      'Its difference from default is +10.00: whether that is more than chance is unknown (scores of single items are not stored).',
    )
  })

  test('a baseline that leads says how many are behind it', async () => {
    expect(await answerTo({ default: { Labels: 240 }, h1: { Labels: 200 }, h2: { Labels: 239 } })).toContain(
      'On Labels default has the highest score of 3 rows, 60.00, 0.25 above h2. 1 of the 2 other rows is behind it by more than chance (paired bootstrap over items',
    )
  })
})

describe('over tasks', () => {
  test('signs that all agree on enough tasks are more than chance; single tasks are counted', async () => {
    expect(await answerTo({ default: tasks(8, () => 200), h1: tasks(8, (at) => (at < 3 ? 260 : 202)) })).toMatch(
      /Over 8 tasks h1 has the highest mean of 2 rows, 55\.94, 5\.94 above default\. Its difference from default is \+5\.94: over tasks more than chance \(sign flips, p = 0\.008\); task by task better on 3 and not distinguishable on 5/,
    )
  })

  test('a few tasks cannot show it, and the answer says so', async () => {
    expect(await answerTo({ default: tasks(3, () => 200), h1: tasks(3, () => 260) })).toContain(
      'over tasks not more than chance (sign flips, p = 0.250; 3 tasks cannot give a p below 0.25); task by task better on 3',
    )
  })

  test('rows that tie share the lead', async () => {
    const rows = { default: tasks(2, () => 200), h1: tasks(2, () => 260), h2: tasks(2, () => 260) }
    expect(await answerTo(rows)).toContain(
      'Over 2 tasks h1 and h2 share the highest mean of 3 rows, 65.00, 15.00 above default.',
    )
    expect(await answerTo({ default: tasks(2, () => 200), h1: tasks(2, () => 200) })).toContain(
      'Over 2 tasks all 2 rows have the same mean, 50.00.',
    )
  })

  test('a baseline that the same scores picked is called that', async () => {
    const rows = { 'org/a default': tasks(2, () => 260), 'org/b default': tasks(2, () => 200) }
    const answer = await answerTo(rows)
    expect(answer).toContain('2 models were scored on 2 tasks: Task0 and Task1.')
    expect(answer).toContain('The baseline was picked by the same scores, so these p-values are too small.')
    expect(answer).not.toContain('All rows are of one model')
  })
})

describe('missing results', () => {
  test('one row is compared with nothing', async () => {
    const answer = await answerTo({ default: tasks(2, () => 200) })
    expect(answer).toContain('Over 2 tasks default has a mean of 50.00; with one row, nothing is compared.')
    expect(answer).not.toContain('chance')
  })

  test('failures and gaps are counted, and the means named that lack them', async () => {
    const answer = await answerTo({
      default: { A: 200, B: 200, C: 200 },
      h1: { A: 220, B: null, C: 200 },
      h2: { A: 210, B: 200 },
    })
    expect(answer).toContain('1 result failed and 1 result is missing; none of them is in a mean.')
    expect(answer).toContain('On A h1 has the highest score of 3 rows, 55.00')
    expect(answer).toContain('The means cover 1 of 3 tasks: those that every ranked row has.')
  })

  test('a row without a task in common takes no mean from the others', async () => {
    const answer = await answerTo({
      default: { A: 200, B: 200 },
      h1: { A: 220, B: 200 },
      h2: { C: 300, A: 100 },
      h3: { C: 1 },
    })
    expect(answer).toContain('h1 has the highest')
    expect(answer).toContain('1 row without a task in common with the others has no mean.')
  })

  test('one model is one model', async () => {
    expect(await answerTo({ default: { A: 200 }, h1: { A: 220 } })).toContain(
      'No result is missing. All rows are of one model; whether another model behaves alike is not shown here.',
    )
  })
})

test('merges: how the best of them changed against its parents', async () => {
  const rows = {
    'org/left logits': { A: 200, B: 240 },
    'org/right logits': { A: 220, B: 200 },
    'org/merge logits': { A: 280, B: 230 },
  }
  const answer = await answerTo(rows, {
    baseline: 'org/left#logits',
    parents: ['org/left#logits', 'org/right#logits'],
  })
  expect(answer).toContain('The best of 1 merge by its mean over 2 tasks is org/merge, +8.75 from org/left.')
  expect(answer).toContain(
    'By its scores it is better than every parent on 1, worse than every parent on 0, and between or level on 1; by more than chance it is better on 1 and worse on 0 (paired bootstrap over items',
  )
})

// The recorded table of merginguriel: statistics, rows and paired tests as pandas and SciPy compute them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  compareLocales,
  languages,
  readRuns,
  type TypePair,
  type TypeSummary,
  writeComparison,
} from '#experiment/locales'
import { goldenOf } from '../../golden-of.ts'
import { scratchFolder } from '../../scratch.ts'
import { recordedRows, writeRecorded, writeRun } from './merginguriel.ts'

interface Golden {
  readonly csv: string
  readonly summary: Readonly<Record<string, TypeSummary>>
  readonly pairs: readonly (Omit<TypePair, 'p'> & Readonly<Record<'tP' | 'signP' | 'wilcoxonP', number>>)[]
}

const golden = goldenOf<Golden>('experiment/locales', 'comparison')
const { path } = scratchFolder()
const known = new Set((await languages()).keys())
const at = new Date('2025-09-17T14:25:30Z')

describe('the recorded table', () => {
  const root = path('recorded')
  beforeAll(() => writeRecorded(root))

  it('has the recorded statistics', async () => {
    const { runs, unknown, unreadable } = await readRuns(root, known)
    expect([runs.length, unknown, unreadable]).toEqual([142, [], []])
    const { summary } = compareLocales(runs)
    const four = Object.entries(summary).map(([type, { count, ...rest }]) => [
      type,
      count,
      ...[rest.mean_accuracy, rest.std_accuracy, rest.min_accuracy, rest.max_accuracy].map((value) =>
        value?.toFixed(4),
      ),
    ])
    expect(four).toEqual([
      ['baseline', 46, '0.8463', '0.0199', '0.7865', '0.8769'],
      ['similarity', 48, '0.6518', '0.0975', '0.4304', '0.7929'],
      ['average', 48, '0.6573', '0.0946', '0.4260', '0.8077'],
    ])
    for (const [type, one] of Object.entries(golden.summary))
      for (const [name, value] of Object.entries(one))
        // sums in another order
        expect(summary[type]?.[name as keyof TypeSummary], `${type} ${name}`).toBeCloseTo(value ?? NaN, 14)
  })

  it('has the paired results of SciPy', async () => {
    const { pairs } = compareLocales((await readRuns(root, known)).runs)
    expect(pairs).toHaveLength(golden.pairs.length)
    const [first] = pairs
    expect([first?.wins, first?.losses, first?.ties, first?.difference.toFixed(4)]).toEqual([21, 26, 1, '-0.0055'])
    const complete = pairs.find(({ over, second }) => over === 'complete' && second === 'average')
    expect([complete?.locales, complete?.difference.toFixed(4), complete?.t.toFixed(2)]).toEqual([
      45,
      '-0.0051',
      '-1.23',
    ])
    for (const [i, { tP, signP, wilcoxonP, t, difference, ...rest }] of golden.pairs.entries()) {
      expect(pairs[i]).toMatchObject(rest)
      expect(pairs[i]?.difference).toBeCloseTo(difference, 14)
      expect(pairs[i]?.t).toBeCloseTo(t, 9)
      // p-values down to 1e-36: their logarithms
      for (const [ours, theirs] of [
        [pairs[i]?.p.t, tP],
        [pairs[i]?.p.sign, signP],
        [pairs[i]?.p.wilcoxon, wilcoxonP],
      ] as const)
        expect(Math.log(ours ?? NaN)).toBeCloseTo(Math.log(theirs), 8)
    }
  })

  it('is written row by row as pandas does', async () => {
    const { runs } = await readRuns(root, known)
    const written = await writeComparison(runs, compareLocales(runs), { prefix: join(path('files'), 'sept'), at })
    expect(written.map((file) => file.slice(path('files').length + 1))).toEqual([
      'sept_aggregated_20250917_142530.csv',
      'sept_comparison_20250917_142530.csv',
      'sept_summary_20250917_142530.json',
      'sept_report_20250917_142530.md',
    ])
    const [aggregated = '', comparison, summary = '', report] = written.map((file) => readFileSync(file, 'utf8'))
    expect(comparison).toBe(golden.csv)
    expect(aggregated.split('\n').slice(0, 2)).toEqual([
      'locale,experiment_type,folder_name,accuracy,correct_predictions,total_predictions,error_rate,model_name,subfolder,timestamp',
      'af-ZA,average,average_af-ZA,0.6839,7,2974,0.5,merged/af-ZA,,2025-09-17T08:00:00',
    ])
    expect(Object.keys(JSON.parse(summary) as object)).toEqual(['baseline', 'similarity', 'average'])
    expect(report).toContain('| sl-SL | N/A | 0.7017 | 0.7213 | N/A | N/A |')
    expect(report).toContain('| zh-TW | 0.8342 | N/A | N/A | N/A | N/A |')
    expect(report).toContain('| af-ZA | 0.8504 | 0.6738 | 0.6839 | -0.1766 | -0.1665 |')
    expect(report).not.toMatch(/nan/i)
  })

  it.each([
    ['csv', ['aggregated_20250917_142530.csv', 'comparison_20250917_142530.csv']],
    ['json', ['summary_20250917_142530.json']],
    ['markdown', ['report_20250917_142530.md']],
  ] as const)('as %s is written alone', async (format, names) => {
    const { runs } = await readRuns(root, known)
    await writeComparison(runs, compareLocales(runs), { format, prefix: join(path(format), 'x'), at })
    expect(readdirSync(path(format)).toSorted()).toEqual(names.map((name) => `x_${name}`))
  })
})

describe('a folder of others', () => {
  const row = (runs: Awaited<ReturnType<typeof readRuns>>['runs']) =>
    runs.map(({ type, locale, folder }) => [type, locale, folder])

  it('has folders of whole models, of other types, and unknown ones', async () => {
    const root = path('mixed')
    const locale = 'sq-AL'
    for (const name of [
      'xlm-roberta-base_massive_k_sq-AL_alpha_0.5_sq-AL_epoch-9_sq-AL',
      'dare_ties_sq-AL',
      'old_stuff',
      'sq-AL',
    ])
      writeRun(join(root, name), { accuracy: 0.5, locale })
    const { runs, unknown } = await readRuns(root, known)
    expect(row(runs)).toEqual([
      ['dare_ties', locale, 'dare_ties_sq-AL'],
      ['baseline', locale, 'xlm-roberta-base_massive_k_sq-AL_alpha_0.5_sq-AL_epoch-9_sq-AL'],
    ])
    expect(unknown).toEqual(['old_stuff', 'sq-AL'])
    expect(compareLocales(runs).types).toEqual(['baseline', 'similarity', 'average', 'dare_ties'])
  })

  it('tells folders of one name apart by their paths, and compares the first', async () => {
    const root = path('twice')
    writeRun(join(root, 'a', 'baseline_sq-AL'), { accuracy: 0.5, locale: 'sq-AL' })
    writeRun(join(root, 'b', 'baseline_sq-AL'), { accuracy: 0.6, locale: 'sq-AL' })
    writeRun(join(root, 'b', 'average_sq-AL'), { accuracy: 0.4, locale: 'sq-AL' })
    const { runs } = await readRuns(root, known)
    expect(row(runs)).toEqual([
      ['baseline', 'sq-AL', join('a', 'baseline_sq-AL')],
      ['average', 'sq-AL', 'average_sq-AL'],
      ['baseline', 'sq-AL', join('b', 'baseline_sq-AL')],
    ])
    const { rows, repeated } = compareLocales(runs)
    expect(rows).toEqual([{ locale: 'sq-AL', accuracy: { baseline: 0.5, average: 0.4 } }])
    expect(repeated.map(({ folder }) => folder)).toEqual([join('b', 'baseline_sq-AL')])
  })

  it('has results that say nothing, or of another locale, apart', async () => {
    const root = path('broken')
    writeRun(join(root, 'average_sq-AL'), { accuracy: 0.5, locale: 'cy-GB' })
    writeRun(join(root, 'average_cy-GB'), { accuracy: '0.5', locale: 'cy-GB' })
    writeRun(join(root, 'average_af-ZA'), { accuracy: 84.1, locale: 'af-ZA' })
    mkdirSync(join(root, 'average_el-GR'))
    writeFileSync(join(root, 'average_el-GR', 'results.json'), '{"performance": {"accuracy": 0.')
    const { runs, unreadable } = await readRuns(root, known)
    expect(runs).toEqual([])
    expect(unreadable.map(({ code }) => code)).toEqual([
      'result.invalid',
      'result.invalid',
      expect.stringMatching(/^(format|file|result)\./),
      'result.invalid',
    ])
    expect(unreadable[3]?.message).toMatch(/another locale .*cy-GB, wanted sq-AL/)
  })

  it('has no p-value where all differences are 0', () => {
    const runs = recordedRows.slice(0, 5).flatMap(({ locale }) =>
      ['similarity', 'average'].map((type) => ({
        type,
        locale,
        folder: `${type}_${locale}`,
        accuracy: 0.5,
        correct: null,
        total: null,
        errorRate: null,
        model: null,
        subfolder: null,
        timestamp: null,
      })),
    )
    const [pair] = compareLocales(runs).pairs
    expect(pair).toMatchObject({ wins: 0, losses: 0, ties: 5, p: { sign: 1, wilcoxon: NaN, holm: 1 } })
  })
})

it('compares text by text where both types of every locale have their answers', () => {
  const run = (locale: string, type: string, digits?: string) => ({
    locale,
    type,
    folder: '',
    accuracy: type === 'average' ? 0.25 : 0.5,
    correct: null,
    total: null,
    errorRate: null,
    model: null,
    subfolder: null,
    timestamp: null,
    answers: digits === undefined ? undefined : Uint8Array.from(digits.split(''), Number),
  })
  const items = (...runs: readonly ReturnType<typeof run>[]) => compareLocales(runs).pairs[0]?.items
  const both = [run('af-ZA', 'average', '1000'), run('af-ZA', 'similarity', '1100')]
  expect(items(...both)).toMatchObject({ items: 4, wins: 1, losses: 0, p: 1, holm: 1 })
  const more = [run('cy-GB', 'average', '0010'), run('cy-GB', 'similarity', '1100')]
  expect(items(...both, ...more)).toMatchObject({ items: 8, wins: 3, losses: 1 })
  expect(items(...both, run('cy-GB', 'average', '0010'), run('cy-GB', 'similarity'))).toBeUndefined()
})

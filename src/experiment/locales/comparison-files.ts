/** The files of a comparison, as merginguriel names and lays them out; a missing value is empty, or `N/A`. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeWhole } from '#platform/disk'
import type { LocaleComparison, TypePair } from './compare-locales.ts'
import { csvLines } from './csv-lines.ts'
import type { LocaleRun } from './read-runs.ts'

export type ComparisonFormat = 'csv' | 'json' | 'markdown' | 'all'

export interface ComparisonFiles {
  readonly format?: ComparisonFormat | undefined
  /** Beginning of each file's path, before `_aggregated` and the others. Default: `results`. */
  readonly prefix?: string | undefined
  /** In the names and in the report. */
  readonly at: Date
}

type Kind = Exclude<ComparisonFormat, 'all'>

/** Writes the files of a format and returns their paths; existing ones of the same second are replaced. */
export async function writeComparison(
  runs: readonly LocaleRun[],
  comparison: LocaleComparison,
  { format = 'all', prefix = 'results', at }: ComparisonFiles,
): Promise<string[]> {
  const stamp = stampOf(at)
  const all: readonly (readonly [kind: Kind, path: string, text: string])[] = [
    ['csv', `${prefix}_aggregated_${stamp}.csv`, aggregatedCsv(runs)],
    ['csv', `${prefix}_comparison_${stamp}.csv`, comparisonCsv(comparison)],
    ['json', `${prefix}_summary_${stamp}.json`, `${JSON.stringify(comparison.summary, null, 2)}\n`],
    ['markdown', `${prefix}_report_${stamp}.md`, comparisonMarkdown(comparison, at)],
  ]
  const wanted = all.filter(([kind]) => format === 'all' || kind === format)
  for (const [, path, text] of wanted) {
    await mkdir(dirname(path), { recursive: true })
    await writeWhole(path, text)
  }
  return wanted.map(([, path]) => path)
}

/** One line per run. */
export function aggregatedCsv(runs: readonly LocaleRun[]): string {
  const head =
    'locale,experiment_type,folder_name,accuracy,correct_predictions,total_predictions,error_rate,model_name,subfolder,timestamp'
  return csvLines([
    head.split(','),
    ...runs.map((run) => [
      run.locale,
      run.type,
      run.folder,
      run.accuracy,
      run.correct,
      run.total,
      run.errorRate,
      run.model,
      run.subfolder,
      run.timestamp,
    ]),
  ])
}

/** One line per locale: accuracies by type, then each type's minus the baseline's. */
export function comparisonCsv({ types, rows }: LocaleComparison): string {
  const improved = types.filter((type) => type !== 'baseline')
  return csvLines([
    ['locale', ...types, ...improved.map((type) => `${type}_improvement`)],
    ...rows.map(({ locale, accuracy }) => [
      locale,
      ...types.map((type) => accuracy[type] ?? null),
      ...improved.map((type) => improvement(accuracy, type) ?? null),
    ]),
  ])
}

/** Accuracy of a type minus that of the baseline, 0 … 1; undefined without both. */
export function improvement(accuracy: Readonly<Record<string, number>>, type: string): number | undefined {
  const [own, baseline] = [accuracy[type], accuracy['baseline']]
  return own === undefined || baseline === undefined ? undefined : own - baseline
}

const missing = 'N/A'
const four = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? missing : value.toFixed(4)
const signedFour = (value: number | undefined): string =>
  value === undefined ? missing : `${value < 0 ? '' : '+'}${value.toFixed(4)}`

/** Never 0, which no test can show. */
const pFour = (value: number): string => (value < 1e-4 ? '< 0.0001' : four(value))

/** A report in Markdown: statistics by type, the table of locales, then the paired tests. */
export function comparisonMarkdown({ types, rows, summary, pairs }: LocaleComparison, at: Date): string {
  const improved = types.filter((type) => type !== 'baseline')
  const short = new Map([
    ['similarity', 'Sim.'],
    ['average', 'Avg.'],
  ])
  const table = [
    [
      'Locale',
      ...types.map(capitalised),
      ...improved.map((type) => `${short.get(type) ?? capitalised(type)} Improvement`),
    ],
    ...rows.map(({ locale, accuracy }) => [
      locale,
      ...types.map((type) => four(accuracy[type])),
      ...improved.map((type) => signedFour(improvement(accuracy, type))),
    ]),
  ]
  return `${[
    '# Large-Scale Experiment Results',
    `Generated on: ${at.toISOString().slice(0, 19).replace('T', ' ')}`,
    '## Summary Statistics',
    ...Object.entries(summary).map(([type, one]) =>
      [
        `### ${type.toUpperCase()}`,
        `- Number of experiments: ${one.count}`,
        `- Mean accuracy: ${four(one.mean_accuracy)}`,
        `- Standard deviation: ${four(one.std_accuracy)}`,
        `- Min accuracy: ${four(one.min_accuracy)}`,
        `- Max accuracy: ${four(one.max_accuracy)}`,
      ].join('\n'),
    ),
    '## Detailed Comparison',
    markdownTable(table),
    ...(pairs.length === 0 ? [] : ['## Paired Comparison', markdownTable([pairHead, ...pairs.map(pairRow)])]),
  ].join('\n\n')}\n`
}

const pairHead = [
  'Pair',
  'Locales',
  'Wins',
  'Losses',
  'Ties',
  'Mean Difference',
  't',
  'p (t)',
  'p (sign)',
  'p (permutation)',
  'p (Wilcoxon)',
  'p (Wilcoxon, Holm)',
]

function pairRow({ first, second, over, locales, wins, losses, ties, difference, t, p }: TypePair): string[] {
  return [
    `${first} − ${second}`,
    over === 'complete' ? `${locales} (complete)` : `${locales}`,
    ...[wins, losses, ties].map(String),
    signedFour(difference),
    Number.isNaN(t) ? missing : t.toFixed(2),
    ...[p.t, p.sign, p.permutation, p.wilcoxon, p.holm].map(pFour),
  ]
}

function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((title) => '-'.repeat(title.length))), ...rows.map(line)].join('\n')
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

/** `20250917_142530`, in UTC. */
function stampOf(at: Date): string {
  const digits = at.toISOString().replaceAll(/[-:]/g, '')
  return `${digits.slice(0, 8)}_${digits.slice(9, 15)}`
}

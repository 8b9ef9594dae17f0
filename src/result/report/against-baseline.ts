/** Every row against a baseline: the requested one, the models' default, or the best. */
import { type Differences, differences } from '#result/statistics'
import type { ReportTask } from './collect.ts'
import type { Scored } from './draft.ts'
import { rowMeant } from './rows-meant.ts'

export interface AgainstBaseline extends Differences {
  /** The baseline: a representation of each row's own model, one row, or the row with the best mean. */
  readonly baseline: string
  readonly chosen: 'asked' | 'default' | 'best'
}

interface BaselineOptions {
  readonly tasks: readonly ReportTask[]
  readonly means: ReadonlyMap<string, number | null>
  readonly baseline?: string | undefined
  readonly draws?: number | undefined
  readonly seed?: number | undefined
  /** Number of items that changed most, per task and side; none are examined without it. */
  readonly changed?: number | undefined
}

/**
 * Undefined for a single row. `means`: the mean of each row over the tasks that all have. Throws `usage.value` for an
 * unknown baseline.
 */
export async function againstBaseline(
  rows: readonly Scored[],
  { means, baseline, ...options }: BaselineOptions,
): Promise<AgainstBaseline | undefined> {
  const found = baselineOf(rows, means, baseline)
  if (found === undefined) return undefined
  const { name, chosen, of } = found
  return { baseline: name, chosen, ...(await differences(rows, of, options)) }
}

interface Baseline {
  readonly name: string
  readonly chosen: AgainstBaseline['chosen']
  readonly of: (row: Pick<Scored, 'model' | 'revision'>) => Scored | undefined
}

/**
 * `REP`: that representation of each row's own model; a row's name, or `model[@revision]#REP`: that row for all.
 * Without either: `default`, otherwise the row with the best mean.
 */
function baselineOf(
  rows: readonly Scored[],
  means: BaselineOptions['means'],
  asked: string | undefined,
): Baseline | undefined {
  const own =
    (representation: string): Baseline['of'] =>
    (row) =>
      rows.find(
        (other) =>
          other.model === row.model && other.revision === row.revision && other.representation === representation,
      )
  const has = (representation: string): boolean => rows.some((row) => row.representation === representation)
  if (asked !== undefined) {
    if (has(asked)) return { name: asked, chosen: 'asked', of: own(asked) }
    const one = rowMeant(rows, asked, { place: '--baseline' })
    return { name: one.name, chosen: 'asked', of: () => one }
  }
  if (rows.length < 2) return undefined
  if (has('default') && rows.some(({ representation }) => representation !== 'default'))
    return { name: 'default', chosen: 'default', of: own('default') }
  const best = rows.reduce((top, row) =>
    (means.get(row.name) ?? -Infinity) > (means.get(top.name) ?? -Infinity) ? row : top,
  )
  return means.get(best.name) == null ? undefined : { name: best.name, chosen: 'best', of: () => best }
}

/** `strata correlate`: whether two benchmarks rank models alike. */
import { asText } from '#result/report'
import { fault, points, decimals, dash, quantity, suggestion } from '#core'
import {
  correlate,
  groupMeans,
  readHarnessFolder,
  readHolmes,
  readLedgerScores,
  regrouped,
  type ScoreTable,
  winningRates,
  writeRankings,
} from '#result/correlation'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { type Flags, method, minimum, portion, seed, tables } from './flags.ts'

export const run: CommandRun<Flags> = async (_, flags, terminal) => {
  if (![flags.x, flags.y].some((source) => source?.startsWith('holmes:') === true))
    refuseFlags(flags, [portion], { what: 'has no effect without a leaderboard of Holmes', hint: 'leave it out' })
  if (flags.y === undefined && flags.x !== undefined) {
    refuseFlags(flags, [method, minimum, seed, tables], {
      what: 'has no effect on one side alone',
      hint: 'add --y, or leave it out',
    })
    return standing(await open(flags.x, '--x', flags.portion), flags, terminal)
  }
  const [x, y] = [await open(flags.x, '--x', flags.portion), await open(flags.y, '--y', flags.portion)]
  for (const notice of [...x.notices, ...y.notices]) terminal.note(notice)
  const found = correlate(x, y, { method: flags.method, minimum: flags.minimum, seed: flags.seed })
  if (flags.tables !== undefined) {
    const options = { method: flags.method, minimum: flags.minimum, seed: flags.seed }
    const overall = correlate(
      regrouped(x, () => 'all'),
      regrouped(y, ({ name }) => name),
      options,
    )
    await writeRankings(flags.tables, { probes: x, tasks: y, byGroup: found, overall })
    terminal.note(`rankings: ${flags.tables}`)
  }
  if (flags.json === true) {
    terminal.print(JSON.stringify({ method: flags.method, minimum: flags.minimum, ...found }))
    return 0
  }
  const number = (value: number | null | undefined): string => decimals(value, 4)
  const lines = asText({
    columns: [
      { title: 'x' },
      { title: 'y' },
      ...['n', 'of means', 'p', '95 % from', 'to', 'mean of pairs', 'pairs', 'skipped', 'legacy'].map((title) => ({
        title,
        number: true,
      })),
    ],
    rows: found.cells.map(({ x: left, y: right, ofMeans, meanOfPairs, pairs, skipped, legacy }) => [
      left,
      right,
      ofMeans === undefined ? dash : `${ofMeans.count}`,
      ...[ofMeans?.value, ofMeans?.p, ofMeans?.low, ofMeans?.high, meanOfPairs].map(number),
      `${pairs}`,
      `${skipped}`,
      number(legacy),
    ]),
  })
  for (const line of lines) terminal.print(line)
  for (const { x: left, y: right, ofMeans } of found.cells)
    if (ofMeans !== undefined && ofMeans.constant > 0 && Number.isNaN(ofMeans.low))
      terminal.note(
        `${left} × ${right} has no interval: ${Math.round(100 * ofMeans.constant)} % of the resamples of its models are constant`,
      )
  terminal.note(
    `${quantity(found.models.length, 'model')} on both sides; only x: ${found.onlyX.length}, only y: ${found.onlyY.length}`,
  )
  return 0
}

/** One benchmark alone: mean winning rates among its models, the best first, with the means of its groups. */
function standing(table: ScoreTable, flags: Flags, terminal: Terminal): number {
  for (const notice of table.notices) terminal.note(notice)
  const rates = winningRates(table)
  const means = groupMeans(table)
  if (flags.json === true) {
    terminal.print(JSON.stringify({ ...rates, means }))
    return 0
  }
  const order = table.models.map((_, at) => at).sort((a, b) => (rates.all[b] ?? 0) - (rates.all[a] ?? 0))
  const columns = [
    { title: 'model' },
    ...['winning rate', ...means.flatMap(({ group }) => [group, 'mean'])].map((title) => ({ title, number: true })),
  ]
  const rows = order.map((at) => [
    table.models[at] ?? '',
    points(rates.all[at], 1),
    ...means.flatMap(({ group, values }) => [points(rates.groups[group]?.[at], 1), points(values[at], 1)]),
  ])
  for (const line of asText({ columns, rows })) terminal.print(line)
  const least = rates.discriminability.filter(({ tau }) => !Number.isNaN(tau)).sort((a, b) => a.tau - b.tau)
  terminal.note(
    `winning rates are among these ${table.models.length} models, over ${table.rows.length - rates.dropped.length} of ${table.rows.length} data sets`,
  )
  terminal.note(
    `least like the overall ranking (Kendall's τ): ${least
      .slice(0, 5)
      .map(({ name, tau }) => `${name} ${decimals(tau, 2)}`)
      .join(', ')}`,
  )
  if (rates.dropped.length > 0) terminal.note(`left out because scores are missing: ${rates.dropped.join(', ')}`)
  return 0
}

const kinds = ['harness', 'holmes', 'results']

function open(source: string | undefined, place: string, portion: number | undefined): Promise<ScoreTable> {
  const [, kind, path, representation] = /^(harness|holmes|results):([^#]+)(?:#(.+))?$/.exec(source ?? '') ?? []
  if (kind === 'harness' && path !== undefined) return readHarnessFolder(path)
  if (kind === 'holmes' && path !== undefined) return readHolmes(path, { portion })
  if (kind === 'results' && path !== undefined && representation !== undefined)
    return readLedgerScores(path, representation)
  throw fault('usage.value', {
    place,
    what: 'no source of scores',
    seen: source,
    wanted: 'harness:FOLDER, holmes:FILE or results:FOLDER#REPRESENTATION',
    hint: source === undefined ? undefined : suggestion(source.split(':')[0] ?? '', kinds),
  })
}

/** `strata correlate`: whether two benchmarks order models alike. */
import { fault } from '#core'
import { correlate, readHarnessFolder, readHolmes, readLedgerScores, regrouped, type ScoreTable, writeRankings } from '#result/correlation'
import type { CommandRun } from '../commands.ts'
import { tableLines } from '../table.ts'

export const run: CommandRun<'correlate'> = async (_, flags, terminal) => {
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
  const number = (value: number | null | undefined): string => (value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(4))
  const lines = tableLines(
    [
      { title: 'x' },
      { title: 'y' },
      ...['n', 'of means', 'p', '95 % from', 'to', 'mean of pairs', 'pairs', 'skipped', 'legacy'].map((title) => ({ title, right: true })),
    ],
    found.cells.map(({ x: left, y: right, ofMeans, meanOfPairs, pairs, skipped, legacy }) => [
      left,
      right,
      ofMeans === undefined ? '–' : `${ofMeans.count}`,
      ...[ofMeans?.value, ofMeans?.p, ofMeans?.low, ofMeans?.high, meanOfPairs].map(number),
      `${pairs}`,
      `${skipped}`,
      number(legacy),
    ]),
  )
  for (const line of lines) terminal.print(line)
  terminal.note(`${found.models.length} models on both sides; only x: ${found.onlyX.length}, only y: ${found.onlyY.length}`)
  return 0
}

function open(source: string | undefined, place: string, portion: number | undefined): Promise<ScoreTable> {
  const [, kind, path, representation] = /^(harness|holmes|results):([^#]+)(?:#(.+))?$/.exec(source ?? '') ?? []
  if (kind === 'harness' && path !== undefined) return readHarnessFolder(path)
  if (kind === 'holmes' && path !== undefined) return readHolmes(path, { portion })
  if (kind === 'results' && path !== undefined && representation !== undefined) return readLedgerScores(path, representation)
  throw fault('usage.value', { place, what: 'no scores', seen: source, wanted: 'harness:FOLDER, holmes:FILE or results:FOLDER#REPRESENTATION' })
}

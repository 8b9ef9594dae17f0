/**
 * Sorts the arguments of `strata report` by kind: folders of results, recorded scores, searches, replays, similarities.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { readSimilarity } from '#experiment/similarity'
import { metricColumns, readReplay, readSearch, recordedScores, searchProgress } from '#experiment/search'
import {
  holdsResults,
  type Companions,
  type RecordedScores,
  type ReplayRecord,
  type RowMetric,
  type SearchRecord,
  type SimilarityRecord,
} from '#result/report'

export interface ReportSources {
  readonly folders: readonly string[]
  readonly recorded: readonly RecordedScores[]
  readonly beside: Companions
}

interface SourceOptions {
  /** The models to show from recorded scores of several. */
  readonly models: readonly string[] | undefined
  readonly averageSubsets: boolean
}

/** Throws `file.missing` for a missing path, `usage.value` for a file of another kind. */
export async function reportSources(
  paths: readonly string[],
  { models, averageSubsets }: SourceOptions,
): Promise<ReportSources> {
  const folders: string[] = []
  const recorded: RecordedScores[] = []
  const [searches, replays, similarities]: [SearchRecord[], ReplayRecord[], SimilarityRecord[]] = [[], [], []]
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory() === true) {
      const search = await readSearch(path)
      const searched = search !== undefined && search.pulls.length > 0
      if (searched) searches.push(searchProgress(basename(path), search))
      const measured = await similaritiesBelow(path)
      similarities.push(...measured)
      if ((!searched && measured.length === 0) || (await holdsResults(path))) folders.push(path)
    } else if (found !== undefined && path.endsWith('.json')) {
      const replay = await readReplay(path)
      if (replay !== undefined) replays.push(replay)
      else similarities.push(...(await similaritiesIn(path)))
    } else if (found !== undefined) {
      for (const model of models ?? [undefined]) recorded.push(await recordedScores(path, { model, averageSubsets }))
    } else throw fault('file.missing', { place: path, what: 'no such folder of results, and no such file' })
  }
  return { folders, recorded, beside: { searches, replays, similarities } }
}

/** Metrics by row: a repository's checkpoints by revision, models in separate folders by name. */
export async function rowMetrics(
  path: string,
  options: { model?: string | undefined; corpus?: string | undefined },
): Promise<RowMetric[]> {
  const columns = await metricColumns(path, options)
  return columns.map(({ name, of }) => ({
    name,
    of({ model, revision, representation }) {
      const layer = representation.replace(/\+.*$/, '')
      return of(revision, layer) ?? of(model, layer) ?? of(model.replace(/-[0-9a-f]{8}$/, ''), layer)
    },
  }))
}

/** The folder of one similarity, or the one that `strata similarity --out` was given. */
async function similaritiesBelow(folder: string): Promise<SimilarityRecord[]> {
  const below = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const records: SimilarityRecord[] = []
  for (const inner of ['', ...below.map(({ name }) => name).sort()]) {
    const path = join(folder, inner, 'similarities.json')
    if ((await stat(path).catch(() => undefined))?.isFile() === true) records.push(...(await similaritiesIn(path)))
  }
  return records
}

/** As `strata similarity --json` prints them. */
async function similaritiesIn(path: string): Promise<SimilarityRecord[]> {
  const found = await readSimilarity(path)
  if (found === undefined)
    throw fault('usage.value', {
      place: path,
      what: 'must be a replay or a similarity of layers',
      wanted: 'the output of strata search --replay --json or strata similarity --json',
    })
  const { model, against, dataset, metrics } = found
  const other = against?.model ?? model
  const name = `${other === model ? model : `${model} and ${other}`} on ${dataset}`
  return Object.entries(metrics).map(([metric, { mean: values }]) => ({
    name,
    metric,
    rows: model,
    columns: other,
    values,
  }))
}

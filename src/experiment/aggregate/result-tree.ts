/**
 * The outcome as files: reusable representations, and the tables and folder tree of the layer-aggregation experiments.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, parseJson } from '#files/formats'
import { type CombinationRepresentation, writeRepresentation } from '#representation/layers'
import type { Model } from '#model/checkpoint'
import { makeFolder, pathName, writeWhole } from '#platform/disk'
import { resultDocument, revisionFolder } from '#result/ledger'
import type { Candidate, Recipe } from './candidates.ts'
import { chosen, type TaskScores } from './choice.ts'
import { recordChoices } from './record-choices.ts'
import { taskScores } from './task-scores.ts'
import type { Aggregated, AggregatedTask } from './run-aggregate.ts'

/**
 * Files of the mixes that validation chose, one per task, in `representations` next to the model's results, and the
 * record of every choice: paths of the mixes by task.
 */
export async function writeChosen(
  model: Model,
  aggregated: Aggregated,
  outputFolder: string,
): Promise<Map<string, string>> {
  const folder = join(
    revisionFolder({ root: outputFolder, model: aggregated.model, revision: aggregated.revision }),
    'representations',
  )
  const scores = aggregated.tasks.map(taskScores)
  await recordChoices(aggregated, outputFolder)
  const paths = new Map<string, string>()
  for (const [i, task] of aggregated.tasks.entries()) {
    const mix = chosen(scores[i] ?? taskScores(task), scores, ({ mixes }) => mixes)
    const representation = mix && representationOf(task, mix.representation)
    if (representation !== undefined) paths.set(task.task, await writeRepresentation(folder, model, representation))
  }
  return paths
}

function representationOf({ candidates }: AggregatedTask, name: string): CombinationRepresentation | undefined {
  return candidates.find(({ representation }) => representation.name === name)?.representation
}

/**
 * `results_table.csv` and `.md` (task × configuration), `experiment_summary.json`, and per model
 * `<method>/<Task>/results.json` with `metrics.csv`, the chosen representation of each method next to them, and
 * `summary.csv`. Existing files are replaced.
 */
export async function writeTables(
  folder: string,
  models: readonly { readonly model: Model; readonly aggregated: Aggregated }[],
): Promise<void> {
  await makeFolder(folder)
  const parts: Part[] = []
  for (const { model, aggregated } of models) {
    const isAlone = models.filter((one) => one.model.name === model.name).length === 1
    const name = folderName(model, isAlone ? [] : model.settings.pooling)
    await writeModel(join(folder, name), model, aggregated)
    parts.push(toPart(name, aggregated))
  }
  await writeOverview(folder, parts)
}

/** A model's share of the tables over all models. */
interface Part {
  /** The model's, in that of the tables. */
  readonly folder: string
  readonly scores: readonly (readonly [config: string, task: string, score: number | null])[]
  readonly summary: object
}

function toPart(folder: string, aggregated: Aggregated): Part {
  return { folder, scores: [...configScores(aggregated)], summary: summaryOf(aggregated) }
}

const partName = 'experiment_summary.json'

/**
 * The same for one of several models whose turns come one by one, perhaps in several processes: its own folder, with
 * its part of the tables, and the tables over the models that are there. `apart`: words that part it from others of its
 * name. Returns the path of that part.
 */
export async function writeModelTables(
  folder: string,
  { model, aggregated }: { readonly model: Model; readonly aggregated: Aggregated },
  apart: readonly string[],
): Promise<string> {
  const name = folderName(model, apart)
  await writeModel(join(folder, name), model, aggregated)
  const path = join(folder, name, partName)
  await writeWhole(path, `${JSON.stringify(toPart(name, aggregated), undefined, 2)}\n`)
  await gatherTables(folder)
  return path
}

/** The tables over the models that have their part in a folder. Throws `format.json` for a part that is none. */
export async function gatherTables(folder: string): Promise<void> {
  const parts: Part[] = []
  for (const name of (await readdir(folder).catch((): string[] => [])).sort()) {
    const path = join(folder, name, partName)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const value = text === undefined ? undefined : parseJson(text, path)
    if (isObject(value) && Array.isArray(value['scores'])) parts.push(value as unknown as Part)
  }
  if (parts.length > 0) await writeOverview(folder, parts)
}

async function writeOverview(folder: string, parts: readonly Part[]): Promise<void> {
  const rows = new Map<string, Map<string, string>>()
  for (const { folder: name, scores } of parts) {
    const prefix = parts.length === 1 ? '' : `${name}/`
    for (const [config, task, score] of scores) {
      const own = rows.get(task) ?? new Map<string, string>()
      rows.set(task, own)
      own.set(`${prefix}${config}`, score === null ? 'ERROR' : score.toFixed(6))
    }
  }
  const configs = [...new Set([...rows.values()].flatMap((row) => [...row.keys()]))].sort()
  const table = [
    ['Task', ...configs],
    ...[...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([task, row]) => [task, ...configs.map((config) => row.get(config) ?? '')]),
  ]
  await writeWhole(join(folder, 'results_table.csv'), csv(table))
  await writeWhole(join(folder, 'results_table.md'), markdown(table))
  const summary = { timestamp: new Date().toISOString(), models: parts.map((part) => part.summary) }
  await writeWhole(join(folder, partName), `${JSON.stringify(summary, undefined, 2)}\n`)
}

async function writeModel(folder: string, model: Model, aggregated: Aggregated): Promise<void> {
  const scores = aggregated.tasks.map(taskScores)
  const lines: string[][] = [
    ['task', 'method', 'lambda', 'similarity', 'representation', 'validation_score', 'test_score'],
  ]
  for (const [i, task] of aggregated.tasks.entries()) {
    const own: TaskScores = scores[i] ?? taskScores(task)
    const methods = new Set(own.candidates.flatMap(({ recipes }) => recipes.map(({ method }) => method)))
    for (const method of methods) {
      const pick = chosen(own, scores, ({ recipes }) => recipes.some((recipe) => recipe.method === method))
      if (pick === undefined) continue
      const place = join(folder, pathName(method), pathName(task.task))
      await makeFolder(place)
      const all = task.candidates.filter(({ recipes }) => recipes.some((recipe) => recipe.method === method))
      const documents = all.flatMap(({ representation }) => {
        const result = task.results.get(representation.name)
        return result === undefined
          ? []
          : [{ ...resultDocument(result), chosen: representation.name === pick.representation }]
      })
      await writeWhole(join(place, 'results.json'), `${JSON.stringify(documents, undefined, 2)}\n`)
      await writeWhole(join(place, 'metrics.csv'), csv(metricRows(documents)))
      const representation = representationOf(task, pick.representation)
      if (representation !== undefined) await writeRepresentation(place, model, representation)
      for (const one of own.candidates)
        for (const { lambda, similarity } of one.recipes.filter((recipe) => recipe.method === method))
          lines.push([
            task.task,
            method,
            lambda === null ? '' : String(lambda),
            similarity ?? '',
            one.representation,
            shown(one.validation),
            shown(one.test),
          ])
    }
  }
  await writeWhole(join(folder, 'summary.csv'), csv(lines))
}

/** One row for every number in the scores. */
function metricRows(
  documents: readonly { readonly scores?: unknown; readonly strata: { readonly representation: string } }[],
): string[][] {
  const rows = [['representation', 'split', 'subset', 'metric', 'value']]
  for (const { scores, strata } of documents)
    for (const [split, subsets] of Object.entries((scores ?? {}) as Record<string, Record<string, unknown>[]>))
      for (const subset of subsets)
        for (const [metric, value] of Object.entries(subset))
          if (typeof value === 'number')
            rows.push([strata.representation, split, String(subset['hf_subset']), metric, String(value)])
  return rows
}

function* configScores({ tasks }: Aggregated): Generator<[config: string, task: string, score: number | null]> {
  const several =
    new Set(
      tasks.flatMap(({ candidates }) =>
        candidates.flatMap(({ recipes }) => recipes.flatMap(({ similarity }) => similarity ?? [])),
      ),
    ).size > 1
  for (const task of tasks)
    for (const { recipes, test } of taskScores(task).candidates)
      for (const recipe of recipes) yield [configName(recipe, several), task.task, test]
}

/** `weighted_lambda0.5`, with the similarity where there are several. */
function configName({ method, lambda, similarity }: Recipe, several: boolean): string {
  const price = lambda ?? 1
  return `${method}_lambda${Number.isInteger(price) ? price.toFixed(1) : price}${several && similarity !== null ? `_${similarity}` : ''}`
}

function summaryOf(aggregated: Aggregated): object {
  const { model, revision, states, corpus, passed, seconds, tasks, similarities } = aggregated
  return {
    model,
    revision,
    num_layers: states,
    corpus,
    similarities: Object.fromEntries([...similarities].map(([name, matrix]) => [name, nested(matrix, states)])),
    forward_passes: passed,
    seconds,
    tasks: tasks.map((task) => ({
      task: task.task,
      validation: task.validation,
      quality: [...task.quality.values],
      candidates: task.candidates.map(candidateOf),
    })),
  }
}

function candidateOf({ representation, recipes, same }: Candidate): object {
  return {
    representation: representation.name,
    recipes,
    same: same === undefined ? null : nameOf(same),
  }
}

/** A state, or another candidate, with the same vectors. */
function nameOf(same: NonNullable<Candidate['same']>): string {
  return same.kind === 'state' ? `h${same.h}` : same.name
}

function nested(matrix: Float64Array, n: number): number[][] {
  return Array.from({ length: n }, (_, i) => [...matrix.subarray(i * n, (i + 1) * n)])
}

/**
 * Folders are named as in the originals: the last part of the model's name, with the pooling where several are
 * compared.
 */
function folderName({ name }: Model, apart: readonly string[]): string {
  const plain = (name.split('/').at(-1) ?? name).toLowerCase().replaceAll(/[^a-z0-9.]+/g, '_')
  return pathName([plain, ...apart].join('_'))
}

function shown(value: number | null): string {
  return value === null ? '' : String(value)
}

function csv(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => `${row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`)
    .join('')
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}

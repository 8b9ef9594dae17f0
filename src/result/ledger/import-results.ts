/**
 * Imports result folders of mteb (2.x, 1.x and before 1.11), of mteb-layersweep, of lm-evaluation-harness and of
 * merginguriel, tables of Holmes and of "Layer by Layer", and an older evaluation of static embeddings, into a folder of results. Files that
 * cannot be read are reported, never dropped; tasks in which nothing was evaluated become failures with the reason.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { asFault, fault } from '#core'
import { parsePythonJson } from '#files/formats'
import { writeWhole } from '#platform/disk'
import type { StoredResult } from './document.ts'
import { harnessFiles, isHarnessFile } from './harness-files.ts'
import { type Found, listResults, readResult } from './find-results.ts'
import { holmesEvaluation, holmesLeaderboard } from './holmes-files.ts'
import { readModelMeta, writeModelMeta } from './model-meta.ts'
import { toFailure, whyNotEvaluated } from './not-evaluated.ts'
import { layerRows } from './layer-rows.ts'
import { layersweepRuns } from './layersweep-runs.ts'
import { localeResults } from './locale-files.ts'
import { defaultRepresentation, failurePath, metaFile, resultPath, type ResultPlace } from './paths.ts'
import type { ParseOptions } from './parse-result.ts'
import { isQuality, type QualityScore, readQuality } from './quality-file.ts'
import { deeperPlaceholders, isPlaceholder, named } from './unnamed-models.ts'
import { writeResult } from './write-result.ts'

export interface ImportOptions extends ParseOptions {
  /** The model of the results, for files that are not in a model's folder, or in one under mteb's placeholder. */
  model?: string | undefined
  revision?: string | undefined
  /** Languages of a task's subset, for files that do not name them. */
  languages?: (task: string, subset: string) => readonly string[] | undefined
  /** Recomputes the overall score of an older evaluation of static embeddings; without it none is imported. */
  legacyScore?: QualityScore | undefined
  /** Replace existing results; by default they stay. */
  overwrite?: boolean | undefined
}

export interface Imported {
  readonly path: string
  readonly task: string
  readonly model: string
  readonly revision: string
  readonly representation: string
  readonly state: 'imported' | 'there already' | 'failed'
  /** Why it failed. */
  readonly reason: string
}

/**
 * Copies every finished result below `folder` to `root`, in today's layout: results of mteb, loose result files, a run
 * of mteb-layersweep, folders of lm-evaluation-harness or of merginguriel, a table of Holmes, scores of layers as "Layer by Layer"
 * publishes them, or an older evaluation of static embeddings. An existing result stays unless `overwrite` is set. A
 * task in which nothing was evaluated is kept as a failure. Throws `file.missing` when there is no such folder,
 * `result.invalid` when it holds no result, `usage.value` where mteb's placeholder stands for the name of a model and
 * `model` is undefined, and for a `model` that no result needs.
 *
 * @example
 * ```ts
 * import { importResults } from 'strata-lm/ledger'
 *
 * const imported = await importResults('mine', 'results')
 * console.log(imported.map(({ task, representation, state }) => `${task} ${representation}: ${state}`))
 * // → [ 'STS17 default: imported', 'STS17 h3: imported' ]
 * ```
 */
export async function importResults(root: string, folder: string, options: ImportOptions = {}): Promise<Imported[]> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts === undefined) throw fault('file.missing', { place: folder, what: 'no such folder of results' })
  const reading = { ...options, acceptEmpty: true }
  const candidates = facts.isDirectory() ? await inFolder(folder, reading) : await inFile(folder, reading)
  const found = named(candidates, options.model)
  if (found.length === 0)
    throw fault('result.invalid', {
      place: folder,
      what: 'no result in it',
      wanted:
        '<org>__<model>/<revision>/<Task>.json, <Task>.json side by side, a run of mteb-layersweep, results_<date>.json of lm-evaluation-harness, <type>_<locale>/results.json of merginguriel, a table of Holmes (.csv), or scores of layers (.jsonl)',
    })
  if (options.model !== undefined && !found.some(({ model }) => model === options.model))
    throw fault('usage.value', {
      place: '--models',
      what: 'has no effect: every result names its own model',
      seen: options.model,
      hint: 'leave it out',
    })
  const imported: Imported[] = []
  for (const one of found) imported.push(await importOne(root, one, options))
  return imported
}

async function importOne(
  root: string,
  { path, task, model, revision, representation, result, fault: problem }: Candidate,
  options: ImportOptions,
): Promise<Imported> {
  const base = { path, task, model, revision, representation }
  if (result === undefined) return { ...base, state: 'failed', reason: problem.message }
  const place = { root, model, revision, representation }
  const lost = whyNotEvaluated(result)
  try {
    if (lost === undefined) return { ...base, state: await take(place, result, options), reason: '' }
    if (await exists(resultPath(place, task))) return { ...base, state: 'there already', reason: '' }
    await writeResult(root, toFailure(result, place, lost))
    return { ...base, state: 'failed', reason: lost }
  } catch (error) {
    return { ...base, state: 'failed', reason: asFault(error, 'file.write', path).message }
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

/** One file of results: a loose one, lines of layer-sweep, otherwise a table of Holmes. */
function inFile(path: string, options: ImportOptions): Promise<Candidate[]> {
  if (path.endsWith('.json')) return looseResults(dirname(path), [basename(path)], options)
  return /\.jsonl(\.gz|\.zst)?$/.test(path) ? layerResults(path) : holmesResults(path)
}

async function inFolder(folder: string, options: ImportOptions): Promise<Candidate[]> {
  const whole = resolve(folder)
  if (isPlaceholder(basename(whole)))
    return listResults(dirname(whole), { ...options, status: 'ok', models: [basename(whole)] })
  const listed = [
    ...(await listResults(folder, { ...options, status: 'ok' })),
    ...(await sideBySide(folder, options)),
    ...(await layersweepRuns(folder, options)),
    ...(await deeperPlaceholders(folder)),
  ]
  const { results, paths } = await localeResults(folder, options)
  const asked = (await harnessResults(folder)).filter(({ path }) => !paths.has(path))
  return [...listed.filter(({ path }) => !isHarnessFile(path)), ...asked, ...results]
}

/** Holmes probes the last hidden state; settings other than its defaults become part of the name. */
async function holmesResults(path: string): Promise<Candidate[]> {
  const result = (
    model: string,
    apart: readonly string[],
    dataSet: string,
    part: Readonly<Record<string, unknown>> & { main_score: number },
  ): Candidate => ({
    path,
    model,
    revision: 'no_revision_available',
    representation: ['last', ...apart].join('+'),
    task: dataSet,
    result: {
      task_name: dataSet,
      date: undefined,
      scores: { test: [{ hf_subset: 'default', languages: [], ...part }] },
    },
  })
  const probes = await holmesEvaluation(path)
  if (probes !== undefined)
    return probes.map(({ dataSet, model, apart, score, seeds }) =>
      result(model, apart, dataSet, { main_score: score, seeds }),
    )
  const { models, rows } = await holmesLeaderboard(path)
  return rows.flatMap(({ dataSet, subfield, phenomenon, probeType, portion, scores }) =>
    models.flatMap((model, i) => {
      const score = scores[i] ?? null
      const about = { linguistic_subfield: subfield, linguistic_phenomena: phenomenon, probe_type: probeType }
      return score === null
        ? []
        : [result(model, portion === 1 ? [] : [`portion${portion}`], dataSet, { main_score: score, ...about })]
    }),
  )
}

/** mteb's scores of mean-pooled states. */
async function layerResults(path: string): Promise<Candidate[]> {
  return (await layerRows(path)).map(({ model, revision, layer, task, mtebVersion, scores }) => ({
    path,
    model,
    revision,
    representation: `h${layer}`,
    task,
    result: {
      task_name: task,
      mteb_version: mtebVersion,
      date: undefined,
      scores: Object.fromEntries(
        Object.entries(scores).map(([split, subsets]) => [
          split,
          Object.entries(subsets).map(([subset, score]) => ({ main_score: score, hf_subset: subset, languages: [] })),
        ]),
      ),
    },
  }))
}

/** Named as Strata names its own results: `logits`, with settings other than the defaults appended. */
async function harnessResults(folder: string): Promise<Candidate[]> {
  const { scores, passedOver } = await harnessFiles(folder, { apart: true })
  const left = passedOver.map(({ model, task, file, reason }): Candidate => {
    const problem = fault('result.invalid', { place: `${file} › ${task}`, what: 'not imported', seen: reason })
    return { path: join(folder, file), model, revision: '', representation: 'logits', task, fault: problem }
  })
  const taken = scores.map(
    ({
      model,
      revision = 'no_revision_available',
      task,
      score,
      values,
      file,
      date,
      settings: { chat, limit, numFewshot, hash },
    }) => ({
      path: join(folder, file),
      model,
      revision,
      representation: [
        'logits',
        ...(limit === undefined ? [] : [`limit${limit}`]),
        ...(chat ? ['chat'] : []),
        ...(hash === undefined ? [] : [hash]),
      ].join('+'),
      task,
      result: {
        task_name: task,
        date,
        scores: {
          test: [
            {
              main_score: score,
              hf_subset: 'default',
              languages: [],
              ...values,
              ...(numFewshot === undefined ? {} : { num_fewshot: numFewshot }),
            },
          ],
        },
      },
    }),
  )
  return [...taken, ...left]
}

async function take(
  place: ResultPlace,
  result: StoredResult,
  { languages, overwrite = false }: ImportOptions,
): Promise<'imported' | 'there already'> {
  const path = resultPath(place, result.task_name)
  if (result.strata?.status === 'failed')
    throw fault('result.invalid', {
      place: result.task_name,
      what: 'a failure is not imported',
      seen: result.strata.reason,
    })
  if (!overwrite && (await exists(path))) return 'there already'
  const document = {
    dataset_revision: result.dataset_revision ?? 'no_revision_available',
    task_name: result.task_name,
    mteb_version: result.mteb_version ?? null,
    scores: Object.fromEntries(
      Object.entries(result.scores ?? {}).map(([split, subsets]) => [
        split,
        subsets.map((subset) =>
          subset.languages.length > 0
            ? subset
            : { ...subset, languages: languages?.(result.task_name, subset.hf_subset) ?? [] },
        ),
      ]),
    ),
    evaluation_time: result.evaluation_time ?? null,
    kg_co2_emissions: result.kg_co2_emissions ?? null,
    date: result.date,
    strata: result.strata,
  }
  await writeModelMeta(place)
  await writeWhole(path, `${JSON.stringify(document, null, 2)}\n`)
  await rm(failurePath(place, result.task_name), { force: true })
  return 'imported'
}

type Candidate = Awaited<ReturnType<typeof listResults>>[number]

/** Files in the folder itself. */
async function sideBySide(folder: string, options: ImportOptions): Promise<Candidate[]> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.json') && name !== metaFile && !name.startsWith('.'))
    .sort()
  return looseResults(folder, names, options)
}

/** Their model is named by the file, by `model_meta.json` next to it, or by the caller. */
async function looseResults(folder: string, names: readonly string[], options: ImportOptions): Promise<Candidate[]> {
  if (names.length === 0) return []
  const meta = readModelMeta(folder)
  const candidates: Candidate[] = []
  for (const name of names) {
    const quality = await qualityIn(join(folder, name), options)
    const found = quality ?? (await readResult(join(folder, name), options))
    if (found === undefined) continue
    const own = found.result?.strata
    const model = quality?.model ?? own?.model ?? meta?.model ?? options.model
    const task = found.result?.task_name ?? basename(name, '.json')
    const revision = own?.revision ?? meta?.revision ?? options.revision ?? 'no_revision_available'
    const representation = own?.representation ?? meta?.representation ?? defaultRepresentation
    if (model === undefined) {
      const problem =
        found.fault ??
        fault('result.invalid', {
          place: found.path,
          what: 'the result does not name its model',
          hint: 'name the model: --models org/name',
        })
      candidates.push({ path: found.path, fault: problem, model: '?', revision, representation, task })
    } else candidates.push({ ...found, model, revision, representation, task })
  }
  return candidates
}

/** An older evaluation of static embeddings, under the name that the caller gives its model; undefined for another file. */
async function qualityIn(
  path: string,
  { model, legacyScore }: ImportOptions,
): Promise<(Found & { readonly model: string | undefined }) | undefined> {
  try {
    const raw = parsePythonJson(await readFile(path, 'utf8'), path)
    if (!isQuality(raw)) return undefined
    const { model: own, result } = readQuality(raw, path, legacyScore)
    return { path, result, model: model ?? own }
  } catch (error) {
    const problem = asFault(error, 'format.json', path)
    // any other file's fault comes from the reader of results
    return problem.code === 'result.invalid' ? { path, fault: problem, model } : undefined
  }
}

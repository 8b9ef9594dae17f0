/** Converts result files of older mteb versions to today's schema, as mteb's own loader does. */
import type { Scores } from '#core'
import { isObject } from '#files/formats'
import { invalid } from './invalid.ts'
import { compareVersions, earliestVersion } from './versions.ts'

type Fields = Record<string, unknown>

/** Nested scores of STS, pairs and clustering, and today's prefix of their names. */
const nested = new Map([
  ['cos_sim', 'cosine'],
  ['cosine', 'cosine'],
  ['manhattan', 'manhattan'],
  ['euclidean', 'euclidean'],
  ['dot', 'dot'],
  ['max', 'max'],
  ['similarity', 'similarity'],
])

const renamedTasks = new Map([
  ['NorwegianParliament', 'NorwegianParliamentClassification'],
  ['CMedQAv2', 'CMedQAv2-reranking'],
  ['CMedQAv1', 'CMedQAv1-reranking'],
  ['8TagsClustering', 'EightTagsClustering'],
  ['PPC', 'PpcPC'],
])

/**
 * Before 1.11: splits on the same level as the other keys, metrics below them, by language or not. Languages are not in
 * these files and stay empty. The task determines the main score; it is null when that is unknown.
 */
export function fromBefore111(raw: Fields, place: string, mainScore?: (task: string) => string | undefined): Fields {
  const { mteb_dataset_name: name, dataset_revision: revision, mteb_version: version, ...splits } = raw
  if (typeof name !== 'string') throw invalid(place, 'no mteb_dataset_name', name)
  const task = renamedTasks.get(name) ?? name
  let seconds = 0
  const scores: Fields = {}
  const bySubset = Object.values(splits).some(
    (split) =>
      isObject(split) &&
      Object.entries(split).some(([key, value]) => isObject(value) && key !== 'v_measures' && !nested.has(key)),
  )
  for (const [split, content] of Object.entries(splits)) {
    if (!isObject(content)) continue
    const { evaluation_time: time, ...rest } = content
    if (typeof time === 'number') seconds += time
    const subsets = bySubset
      ? Object.entries(rest).filter(([, metrics]) => isObject(metrics))
      : [['default', rest] as const]
    scores[split] = subsets.map(([subset, metrics]) => oldSubset(subset, metrics as Fields, mainScore?.(task)))
  }
  return { task_name: task, dataset_revision: revision, mteb_version: version, scores, evaluation_time: seconds }
}

function oldSubset(subset: string, metrics: Fields, main: string | undefined): Fields {
  const flat = flatten(metrics)
  const score = flat['main_score'] ?? (main === undefined ? null : flat[main])
  return { ...flat, main_score: typeof score === 'number' ? score : null, hf_subset: subset, languages: [] }
}

/** Files before 1.12.48 may nest the scores of pairs: `max: { ap }` → `max_ap`. */
export function withFlatPairScores(scores: Scores, version: unknown): Scores {
  if (!mayNest(version)) return scores
  return Object.fromEntries(
    Object.entries(scores).map(([split, subsets]) => [
      split,
      subsets.map((subset) => flatten(subset) as typeof subset),
    ]),
  )
}

function mayNest(version: unknown): boolean {
  if (last.version !== version) {
    const written = earliestVersion(version)
    last = { version, nests: written !== undefined && compareVersions(written, '1.12.48') < 0 }
  }
  return last.nests
}

/** Files of a folder mostly have one version. */
let last: { version: unknown; nests: boolean } = { version: undefined, nests: false }

function flatten(metrics: Fields): Fields {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]): [string, unknown][] => {
      const prefix = nested.get(name)
      return prefix !== undefined && isObject(value)
        ? Object.entries(value).map(([inner, score]) => [`${prefix}_${inner}`, score])
        : [[name, value]]
    }),
  )
}

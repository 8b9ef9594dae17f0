/**
 * The JSON of an evaluation of static embeddings (October 2025): six scores without contrasts, and their weighted sum.
 * Kept under the name of the older score, next to nothing that it could be mistaken for.
 */
import { bracketNearest } from '#core'
import { isObject } from '#files/formats'
import { invalid } from './invalid.ts'
import type { StoredResult } from './document.ts'

const partNames = [
  'semantic_similarity',
  'topic_clustering',
  'multilingual_alignment',
  'instruction_awareness',
  'conversational_understanding',
  'code_understanding',
] as const

export type QualityParts = readonly [number, number, number, number, number, number]

/** The weighted sum of the parts, in the order of their names. */
export type QualityScore = (parts: QualityParts) => number

/** Name of the task in the ledger. */
export const qualityTask = 'LegacyQuality'

export interface QualityFile {
  /** As the file names it: often a path of another machine. */
  readonly model: string | undefined
  readonly result: StoredResult
}

/** Difference that rounding to seven digits can make. */
const tolerance = 1e-6

export function isQuality(raw: unknown): raw is Record<string, unknown> {
  return isObject(raw) && 'overall_quality' in raw
}

/** Throws `result.invalid` for another number of parts, and for an overall score that is not their weighted sum. */
export function readQuality(
  raw: Readonly<Record<string, unknown>>,
  place: string,
  score: QualityScore | undefined,
): QualityFile {
  const { model, overall_quality: overall, individual_scores: individual } = raw
  if (!isObject(individual)) throw invalid(place, 'no individual_scores: its overall score cannot be checked', overall)
  const unknown = Object.keys(individual).find((name) => !partNames.some((own) => own === name))
  if (unknown !== undefined)
    throw invalid(
      `${place} › individual_scores`,
      `no part of the score is called so${bracketNearest(unknown, partNames)}`,
      unknown,
    )
  const part = (name: (typeof partNames)[number]): number => {
    const value = individual[name]
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw invalid(`${place} › ${name}`, 'not a score', value)
  }
  const parts: QualityParts = [
    part('semantic_similarity'),
    part('topic_clustering'),
    part('multilingual_alignment'),
    part('instruction_awareness'),
    part('conversational_understanding'),
    part('code_understanding'),
  ]
  if (score === undefined) throw invalid(place, 'its overall score cannot be checked', overall)
  const sum = score(parts)
  if (typeof overall !== 'number' || !(Math.abs(overall - sum) <= tolerance))
    throw invalid(`${place} › overall_quality`, `not the weighted sum of its parts, which is ${sum}`, overall)
  const values = Object.fromEntries(partNames.map((name, i) => [name, parts[i]]))
  return {
    model: typeof model === 'string' && model !== '' ? model : undefined,
    result: {
      task_name: qualityTask,
      scores: {
        test: [{ main_score: sum, hf_subset: 'default', languages: [], legacy_score: sum, ...values }],
      },
    },
  }
}

/**
 * One answer: a model, seen through a representation, asked a task. A failure has the same shape and a reason. mteb 2.x
 * schema with one key of ours.
 */
import type { FaultCode } from './fault.ts'

/**
 * Metrics of one (split, subset). Values are in [0,1] unless the metric says otherwise; null stands for an undefined
 * value.
 */
export type SubsetScores = {
  main_score: number | null
  hf_subset: string
  languages: readonly string[]
  [metric: string]: unknown
}

/** Split name → one entry per subset, always chosen by name. */
export type Scores = Record<string, SubsetScores[]>

/** Settings that may move a score; they are part of the fingerprint. */
export interface ResultSettings {
  pooling?: string
  maxLength?: number
  prompt?: string | null
  dtype?: string
  finalNorm?: 'native' | 'always'
  [name: string]: unknown
}

export interface Provenance {
  status: 'ok' | 'failed'
  code?: FaultCode | undefined
  reason?: string | undefined
  /** As in the result path: `org/name`, or the folder's name and hash. */
  model: string
  revision: string
  representation: string
  /** Whose numbers these are; a name that the task's family of protocols owns, such as `mteb-2`. */
  profile: string
  settings: ResultSettings
  /**
   * SHA-256 over everything that can move the score (tensors, tokenizer, settings, data revision); results are reused
   * only when equal.
   */
  fingerprint: string
  /**
   * What the fingerprint is made of. Results without it were kept before config.json and all of a model's settings were
   * part of it, and are not reused.
   */
  fingerprint_version?: number
  version: string
  seconds: number
  /** Splits that were asked of several tasks, and that the data of this one do not have. */
  lacks?: readonly string[] | undefined
  /** What looks implausible, or was done otherwise than asked: shown, never acted upon. */
  notices?: readonly string[] | undefined
  /** Mean of the main score over all parts, and over those in English alone; null where there is none. */
  means?: { readonly all: number | null; readonly english: number | null } | undefined
}

export interface Result {
  task_name: string
  dataset_revision?: string | undefined
  mteb_version?: string | undefined
  evaluation_time?: number | undefined
  kg_co2_emissions?: null | undefined
  /** Epoch seconds when it was finished, as mteb 2.x writes. */
  date?: number | undefined
  scores?: Scores | undefined
  strata: Provenance
}

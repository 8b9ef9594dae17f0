/** A result as its scores alone, so that a hundred thousand of them take up a hundred megabytes. */
import type { Provenance, Scores } from '#core'
import type { StoredResult } from './document.ts'

/** One string for all that are equal: most results of a folder have the same names. */
export type Sharer = (text: string) => string

export function sharer(): Sharer {
  const known = new Map<string, string>()
  return (text) => {
    const same = known.get(text)
    if (same !== undefined) return same
    known.set(text, text)
    return text
  }
}

/** What tables of results are made of; the file has the rest. */
export function scoresAlone(
  { task_name, scores, mteb_version, evaluation_time, strata }: StoredResult,
  shared: Sharer,
): StoredResult {
  return {
    task_name: shared(task_name),
    ...(scores === undefined ? {} : { scores: mainScores(scores, shared) }),
    mteb_version: mteb_version === undefined ? undefined : shared(mteb_version),
    ...(strata === undefined ? { evaluation_time } : { strata: provenance(strata, shared) }),
  }
}

function provenance({ settings, ...strata }: Provenance, shared: Sharer): Provenance {
  const { combination } = settings
  return {
    status: strata.status,
    ...(strata.code === undefined ? {} : { code: strata.code }),
    ...(strata.reason === undefined ? {} : { reason: shared(strata.reason) }),
    model: shared(strata.model),
    revision: shared(strata.revision),
    representation: shared(strata.representation),
    profile: strata.profile,
    version: shared(strata.version),
    seconds: strata.seconds,
    fingerprint: '',
    settings: combination === undefined ? none : { combination },
  }
}

const none = {}

function mainScores(scores: Scores, shared: Sharer): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, subsets]) => [
      shared(split),
      subsets.map(({ hf_subset, languages, main_score, higher_is_better, subfield }) => ({
        hf_subset: shared(hf_subset),
        languages: languages.map(shared),
        main_score,
        ...(higher_is_better === undefined ? {} : { higher_is_better }),
        ...(subfield === undefined ? {} : { subfield }),
      })),
    ]),
  )
}

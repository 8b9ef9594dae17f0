/**
 * Run, reuse or refuse: mteb 2.26's overwrite strategies, and Strata's rule that only a result with an equal
 * fingerprint is the same result.
 */
import type { StoredResult } from './document.ts'
import { fingerprintVersion } from './fingerprint.ts'
import type { Found } from './find-results.ts'

/**
 * `always`: run and replace. `never`: run only where there is no file; an incomplete one, or one made from other
 * inputs, is neither used nor replaced. `only-missing`: run missing tasks, or the missing (split, subset)s of one.
 * `only-cache`: never run.
 */
export const overwriteStrategies = ['always', 'never', 'only-missing', 'only-cache'] as const
export type OverwriteStrategy = (typeof overwriteStrategies)[number]

/** Split → subsets. */
export type Selection = Readonly<Record<string, readonly string[]>>

export interface Wanted {
  readonly fingerprint: string
  /** Parts to score; without it, any finished result is complete. */
  readonly selection?: Selection
}

export interface Reuse {
  readonly run: boolean
  /**
   * The stored result is part of the answer: all of it when nothing is run, otherwise the part that `missing` is merged
   * into.
   */
  readonly reuse: boolean
  /** Shown in plans and logs. When the task is neither run nor reused, it says why the task is refused. */
  readonly reason: string
  /** Parts still to score; undefined means all of them. */
  readonly missing?: Selection
}

/** `found` is the return value of `findResult`, or its result. */
export function reuse(
  found: Found | StoredResult | undefined,
  { fingerprint, selection }: Wanted,
  strategy: OverwriteStrategy,
): Reuse {
  const result = found !== undefined && 'path' in found ? found.result : found
  const run = (reason: string): Reuse => ({ run: true, reuse: false, reason })
  const refuse = (reason: string): Reuse => ({ run: false, reuse: false, reason })
  if (strategy === 'always') return run('overwrite strategy is always')
  if (found === undefined || result?.strata?.status === 'failed') {
    const reason =
      result?.strata === undefined ? 'no result yet' : `failed before (${result.strata.code ?? 'internal'})`
    return strategy === 'only-cache' ? refuse(`${reason}, and overwrite strategy is only-cache`) : run(reason)
  }
  const unusable = whyNot(found, result, fingerprint)
  if (unusable !== undefined)
    return strategy === 'only-missing' ? run(unusable) : refuse(`${unusable}, and overwrite strategy is ${strategy}`)
  const missing = selection === undefined ? {} : missingOf(result, selection)
  if (Object.keys(missing).length === 0) return { run: false, reuse: true, reason: 'same inputs' }
  const reason = `missing ${Object.entries(missing)
    .map(([split, subsets]) => `${split}: ${subsets.join(', ')}`)
    .join('; ')}`
  return strategy === 'only-missing'
    ? { run: true, reuse: true, reason, missing }
    : refuse(`${reason}, and overwrite strategy is ${strategy}`)
}

function whyNot(
  found: Found | StoredResult,
  result: StoredResult | undefined,
  fingerprint: string,
): string | undefined {
  if (result === undefined)
    return `the existing file cannot be used (${'fault' in found ? (found.fault?.message ?? '') : ''})`
  if (result.strata === undefined) return 'the existing result has no fingerprint: another program wrote it'
  if (result.strata.fingerprint_version !== fingerprintVersion)
    return `the existing result was written by strata ${result.strata.version}, whose fingerprint left out settings that can move a score, such as config.json`
  if (result.strata.fingerprint !== fingerprint) return 'the existing result was made from other inputs'
  return undefined
}

function missingOf(result: StoredResult | undefined, selection: Selection): Selection {
  return Object.fromEntries(
    Object.entries(selection).flatMap(([split, subsets]) => {
      const there = new Set(result?.scores?.[split]?.map(({ hf_subset: subset }) => subset))
      const missing = subsets.filter((subset) => !there.has(subset))
      return missing.length === 0 ? [] : [[split, missing]]
    }),
  )
}

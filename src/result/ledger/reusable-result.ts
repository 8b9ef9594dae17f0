/** A finished result that need not be computed again. */
import type { StoredResult } from './document.ts'
import { findResult } from './find-results.ts'
import type { ResultPlace } from './paths.ts'
import { reuse } from './reuse.ts'

/** The finished result for these inputs, if the folder has one. */
export async function reusableResult(
  place: ResultPlace,
  task: string,
  fingerprint: string,
): Promise<StoredResult | undefined> {
  const found = await findResult(place, task)
  return reuse(found, { fingerprint }, 'only-missing').run ? undefined : found?.result
}

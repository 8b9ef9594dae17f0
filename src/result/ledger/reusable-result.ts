/** A finished result that need not be made again. */
import type { StoredResult } from './document.ts'
import { findResult } from './find-results.ts'
import type { ResultPlace } from './paths.ts'
import { reuse } from './reuse.ts'

/** The result of these inputs, if it lies there finished: what is asked again reuses it. */
export async function reusableResult(
  place: ResultPlace,
  task: string,
  fingerprint: string,
): Promise<StoredResult | undefined> {
  const found = await findResult(place, task)
  return reuse(found, { fingerprint }, 'only-missing').run ? undefined : found?.result
}

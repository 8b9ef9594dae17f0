/** Models by reference, each in a process of its own, timed in turn. */
import { type CallOptions, fault } from '#core'
import { type Measurable, measureSpeed } from './measure-speed.ts'
import { startMeasured } from './measured-process.ts'
import type { MeasuredRequest } from './open-measured.ts'
import type { Speed } from './speed.ts'

export interface MeasuredModels extends CallOptions {
  readonly models: readonly { readonly reference: string; readonly representation: string }[]
  readonly texts: { readonly name: string; readonly texts: readonly string[] }
  /** Texts per call. */
  readonly batches: readonly number[]
  readonly rounds: number
  /** Threads of the engine, for the record; `options` has them for the models. */
  readonly threads: number
  readonly options: MeasuredRequest['options']
  readonly onNotice?: ((line: string) => void) | undefined
}

/**
 * Rows in the order of the models. Nothing is read from the vector cache or written to it. Throws what opening and
 * encoding throw, `usage.value` for a batch size beyond the number of texts.
 */
export async function measureModels({
  models,
  texts: { name, texts },
  batches,
  rounds,
  threads,
  options,
  ...call
}: MeasuredModels): Promise<Speed> {
  const beyond = batches.find((batch) => batch > texts.length)
  if (beyond !== undefined)
    throw fault('usage.value', {
      place: '--batch',
      what: 'a call cannot have more texts than there are',
      seen: beyond,
      wanted: `at most ${texts.length}`,
      hint: 'give smaller sizes, or more texts with --texts',
    })
  const started: Measurable[] = models.map(({ reference, representation }) =>
    startMeasured({ reference, representation, texts, options }, { signal: call.signal, onNotice: call.onNotice }),
  )
  const rows = await measureSpeed(started, { batches, rounds, ...call })
  return { texts: { name, count: texts.length }, rounds, threads, rows }
}

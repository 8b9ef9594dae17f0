/** Models timed in turn, A B A B, so that what else the machine does falls on all of them. */
import type { CallOptions } from '#core'
import { type Measured, type Opened, type Round, sizeMeasured } from './speed.ts'

/** A model that can be timed; each call waits for the previous one. */
export interface Measurable {
  open(): Promise<Opened>
  /** One pass over all texts. */
  round(batch: number): Promise<Round>
  /** Peak memory in bytes. */
  close(): Promise<number>
  /** Ends it whatever it does. */
  stop(): void
}

export interface MeasureOptions extends CallOptions {
  /** Texts per call. */
  readonly batches: readonly number[]
  readonly rounds: number
}

/**
 * Opens the models one after the other; then every batch size has one round that does not count and `rounds` that do,
 * each model once per round. Throws what the models throw; all of them have ended then.
 */
export async function measureSpeed(
  models: readonly Measurable[],
  { batches, rounds, signal, onProgress }: MeasureOptions,
): Promise<Measured[]> {
  const total = models.length * batches.length * (rounds + 1)
  let done = 0
  const timed = async (model: Measurable, batch: number): Promise<Round> => {
    signal?.throwIfAborted()
    const round = await model.round(batch)
    onProgress?.({ stage: 'time', done: ++done, total, unit: 'runs' })
    return round
  }
  try {
    const opened: Opened[] = []
    for (const model of models) opened.push(await model.open())
    const found = models.map(() => new Map<number, Round[]>(batches.map((batch) => [batch, []])))
    for (let round = 0; round <= rounds; round++)
      for (const batch of batches)
        for (const [at, model] of models.entries()) {
          const one = await timed(model, batch)
          // the first one warms up
          if (round > 0) found[at]?.get(batch)?.push(one)
        }
    const measured: Measured[] = []
    for (const [at, model] of models.entries()) {
      const [own, sizes] = [opened[at], found[at]]
      if (own === undefined || sizes === undefined) continue
      measured.push({
        ...own,
        name: `${own.model}#${own.representation}`,
        peakBytes: await model.close(),
        sizes: [...sizes].map(([batch, list]) => sizeMeasured(batch, list)),
      })
    }
    return measured
  } finally {
    for (const model of models) model.stop()
  }
}

/** Prompts in batches: longest first, a fixed number per request, a fixed number of requests at once. */
import type { CallOptions } from '#core'
import { inParallel } from '#files/hub'

export interface Sending<Answer> extends CallOptions {
  readonly concurrent: number
  readonly batchSize: number
  readonly stage: string
  /** Requests that are not asked again. */
  readonly isKnown?: ((index: number) => boolean) | undefined
  readonly onAnswer?: ((index: number, answer: Answer) => void) | undefined
}

/**
 * `order` holds indices of requests; `ask` answers some of them. Throws what it throws; earlier answers have been
 * reported.
 */
export async function sendBatches<Answer>(
  order: readonly number[],
  ask: (indices: readonly number[], signal: AbortSignal) => Promise<readonly Answer[]>,
  { concurrent, batchSize, stage, isKnown = () => false, onAnswer, signal, onProgress }: Sending<Answer>,
): Promise<Answer[]> {
  const open = order.filter((index) => !isKnown(index))
  const batches = Array.from({ length: Math.ceil(open.length / batchSize) }, (_, i) =>
    open.slice(i * batchSize, (i + 1) * batchSize),
  )
  const answers: Answer[] = []
  let done = order.length - open.length
  await inParallel(batches, concurrent, signal, async (batch, stop) => {
    const found = await ask(batch, stop)
    batch.forEach((index, i) => {
      const answer = found[i] as Answer
      answers[index] = answer
      onAnswer?.(index, answer)
    })
    onProgress?.({ stage, done: (done += batch.length), total: order.length, unit: 'texts' })
  })
  signal?.throwIfAborted()
  return answers
}

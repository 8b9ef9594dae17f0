/** Metrics of tokens, text by text: at most one batch of token states is in memory, whatever the size of the corpus. */
import { type CallOptions, fault, type Matrix64 } from '#core'
import { checkFinite, type Corpus, tokenBatches } from '#experiment/encode'
import { choosePrompt, type Model, stateOutput, statesOf, tokensOf } from '#model/checkpoint'
import type { TokenMetric } from '#representation/metrics'
import type { LayerValue } from './layer-value.ts'
import { makeIntervals, meanOfValues } from './mean-of-values.ts'

/** [layers][metrics]: the mean over the texts that have a value, with its interval; undefined where none has. */
export async function tokenMetrics(
  model: Model,
  { texts }: Corpus,
  metrics: readonly TokenMetric[],
  { seed = 42, signal, onProgress }: CallOptions & { readonly seed?: number } = {},
): Promise<(LayerValue | undefined)[][]> {
  const layers = Array.from({ length: statesOf(model).count }, (_, h) => h)
  const tokens = tokensOf(model)
  const prompt = choosePrompt(model.prompts)
  const means = layers.map(() => metrics.map(() => meanOfValues()))
  let done = 0
  for (const batchTexts of tokenBatches(texts)) {
    if (signal?.aborted === true)
      throw fault('run.cancelled', { place: model.name, what: 'cancelled', cause: signal.reason })
    const batch = await tokens.batch(batchTexts, { prompt, side: 'right' })
    // the reference's last state may be the normed one
    const outputs = await tokens.run({ batch, states: layers, lastState: model.settings.finalNorm === 'native' })
    for (const h of layers) {
      const output = stateOutput(outputs, h, model.name)
      const width = output.dims[2] ?? 0
      for (let row = 0; row < batch.rows; row++) {
        const real = batch.attentionMask
          .subarray(row * batch.cols, (row + 1) * batch.cols)
          .reduce((sum, mask) => sum + mask, 0)
        const from = row * batch.cols * width
        const states = output.data.subarray(from, from + real * width)
        checkFinite(`h${h}`, states, batchTexts.slice(row, row + 1))
        const own: Matrix64 = { rows: real, width, data: Float64Array.from(states) }
        for (const [at, metric] of metrics.entries()) means[h]?.[at]?.add(await metric.of(own))
      }
    }
    onProgress?.({ stage: 'token metrics', done: (done += batchTexts.length), total: texts.length, unit: 'texts' })
  }
  const intervals = makeIntervals(means.flat(), { seed }).values()
  return means.map((row) =>
    row.map((mean) => {
      const [value, interval] = [mean.value(), intervals.next().value]
      return value === undefined ? undefined : { value, interval }
    }),
  )
}

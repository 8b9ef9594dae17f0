/** Layer × layer matrices for people. */
import { decimals, quantity } from '#core'
import { asText } from '#result/report'
import type { SimilarityReport } from '#experiment/similarity'

export function similarityLines({
  model,
  against,
  dataset,
  num_samples,
  sample_size,
  trials,
  metrics,
  num_layers,
  representations = [],
}: SimilarityReport): string[] {
  const whose = against === null ? model : `${model} (rows) and ${against.model} (columns)`
  const how =
    trials === 1
      ? `all ${quantity(num_samples, 'text')}`
      : `${quantity(trials, 'sample')} of ${sample_size.toLocaleString('en')} of ${quantity(num_samples, 'text')}`
  return Object.entries(metrics).flatMap(([title, { mean, std }]) => {
    const named = (at: number): string => representations[at - num_layers] ?? `h${at}`
    const widest = Math.max(...std.flat())
    const spread = trials === 1 ? '' : `, sd at most ${widest.toPrecision(2)}`
    const rows = mean.map((row, h) => [named(h), ...row.map((value) => decimals(value, 3))])
    const columns = ['', ...(mean[0] ?? []).map((_, h) => (against === null ? named(h) : `h${h}`))].map((heading) => ({
      title: heading,
      number: heading !== '',
    }))
    return [`${title} of ${whose} on ${dataset}: ${how}${spread}`, ...asText({ columns, rows }), '']
  })
}

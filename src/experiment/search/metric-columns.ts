/** Every metric of a file of metrics, one by one. */
import { featuresIn, metricDocuments } from './metric-features.ts'
import { recordedMetrics } from './recorded.ts'

export interface MetricColumn {
  readonly name: string
  readonly of: (checkpoint: string, layer: string) => number | undefined
}

/**
 * From published rows, every metric in the scaling that arms use; from documents of `strata metrics`, every metric.
 * Throws what reading the file throws.
 */
export async function metricColumns(
  path: string,
  options: { model?: string | undefined; corpus?: string | undefined } = {},
): Promise<MetricColumn[]> {
  const columns = await Promise.all(
    featuresIn(await metricDocuments(path)).map(async (feature) => {
      const of = await recordedMetrics(path, { ...options, features: [feature] })
      return { name: feature.name, of: (checkpoint: string, layer: string) => of(checkpoint, layer)?.[0] }
    }),
  )
  return columns
}

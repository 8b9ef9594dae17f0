/** Every metric of a file of metrics, one by one. */
import { metricNumber } from './metric-number.ts'
import { defaultFeatures, type Feature, metricDocuments, recordedMetrics } from './recorded.ts'
import { isObject } from '#files/formats'

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

/** The scaling that arms use, where the metric has it. */
function scalingIn(values: unknown): string {
  const names = isObject(values) ? Object.keys(values) : []
  return names.find((name) => name === 'logNlogD') ?? names[0] ?? 'logNlogD'
}

function featuresIn(documents: readonly Record<string, unknown>[]): Feature[] {
  const named = new Map<string, Feature>()
  for (const { layers, metric, values } of documents) {
    if (typeof metric === 'string' && !named.has(metric)) {
      const known = defaultFeatures.find(({ recorded }) => recorded === metric)
      named.set(metric, known ?? { name: metric, recorded: metric, scaling: scalingIn(values) })
    }
    if (!isObject(layers)) continue
    for (const metrics of Object.values(layers))
      if (isObject(metrics))
        for (const [name, value] of Object.entries(metrics))
          if (metricNumber(value) !== undefined && !named.has(name))
            named.set(name, { name, recorded: name, scaling: 'logNlogD' })
  }
  return [...named.values()]
}

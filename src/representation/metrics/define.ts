/** Metrics of the user's own: checked in shape when they are defined, named in every failure when they run. */
import { declare, fault, type Matrix64, type PluginSource, runPlugin } from '#core'
import type { Metric, MetricValue } from './metric.ts'

/** A metric as a plug-in writes it. */
export type MetricDefinition<M extends Metric = Metric> = M extends Metric
  ? Omit<M, 'reference'> & Partial<Pick<M, 'reference'>>
  : never

/**
 * A metric for a file that `--plugin` names; `strata metrics --metrics` then takes its name. `of` gives a finite number,
 * or one per variant: for `kind` `pooled` of the vectors of all texts [texts × width], for `tokens` of one text's tokens
 * [tokens × width] (the mean over all texts counts), for `views` of several views of the same texts. Throws
 * `plugin.invalid` for a field that is missing or of another type.
 *
 * @example
 * ```ts
 * import { defineMetric } from 'strata-lm/plugin'
 *
 * export const largest = defineMetric({
 *   name: 'largest',
 *   kind: 'pooled',
 *   rows: 'raw',
 *   of: ({ data }) => Math.max(...data),
 * })
 * console.log(largest.name, largest.kind) // → largest pooled
 * ```
 */
export function defineMetric(metric: MetricDefinition): Metric {
  const wrong = (what: string, seen: unknown, wanted: string): never => {
    throw fault('plugin.invalid', { place: `metric ${metric.name}`, what, seen, wanted })
  }
  if (!/^[a-z][a-z0-9_]*$/.test(metric.name))
    wrong('its name', metric.name, 'small letters, digits and _, a letter first')
  const { kind } = metric
  if (!['pooled', 'tokens', 'views'].includes(kind)) wrong('kind', kind, 'pooled, tokens or views')
  if (kind === 'pooled' && !['unit', 'raw'].includes(metric.rows)) wrong('rows', metric.rows, 'unit or raw')
  if (kind === 'views' && !['two', 'many'].includes(metric.views)) wrong('views', metric.views, 'two or many')
  if (typeof metric.of !== 'function') wrong('of', typeof metric.of, 'a function')
  return declare('metric', { reference: '', ...metric })
}

/** The same metric; whatever it throws, and values that are no finite numbers, name the plug-in. */
export function guarded(metric: Metric, { path }: PluginSource): Metric {
  const place = `${path} › ${metric.name}`
  const checked = async (work: () => unknown): Promise<MetricValue> => {
    const value = await runPlugin(place, async () => work())
    checkValue(value, place)
    return value
  }
  switch (metric.kind) {
    case 'pooled':
      return { ...metric, of: (vectors: Matrix64) => checked(() => metric.of(vectors)) }
    case 'views':
      return { ...metric, of: (views: readonly Matrix64[]) => checked(() => metric.of(views)) }
    case 'tokens':
      return {
        ...metric,
        async of(tokens: Matrix64) {
          const value = await runPlugin(place, async () => metric.of(tokens))
          if (value !== undefined) checkValue(value, place)
          return value
        },
      }
    default:
      return metric satisfies never
  }
}

function checkValue(value: unknown, place: string): asserts value is MetricValue {
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    for (const [variant, inner] of Object.entries(value)) checkValue(inner, `${place} › ${variant}`)
    return
  }
  throw fault('plugin.failed', {
    place,
    what: 'its value is no finite number, nor finite numbers by variant',
    seen: typeof value === 'number' ? String(value) : value,
  })
}

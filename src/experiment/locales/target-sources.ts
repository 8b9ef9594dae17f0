/** Sources of many targets from one table. */
import { type LocaleTable, sourceWeights, type TargetSources, type WeightOptions, within } from './weights.ts'

export interface TargetSourcesOptions extends WeightOptions {
  /** References by locale: only these may be sources. */
  readonly models: ReadonlyMap<string, string>
}

/** Sources by target, as `sourceWeights` chooses them among the locales that have models. Throws what it throws. */
export function targetSources(
  table: LocaleTable,
  targets: readonly string[],
  { models, ...options }: TargetSourcesOptions,
): TargetSources {
  const among = within(table, [...models.keys()])
  return new Map(targets.map((target) => [target, sourceWeights(among, target, options)]))
}

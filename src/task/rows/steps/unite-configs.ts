/** Several configs of the data set, one below the other. */
import type { ConfigPart, StepKind } from './step.ts'

export interface UniteConfigs {
  /** The splits they are united in; every other split is the one of the first config alone. */
  readonly splits: readonly string[]
  readonly configs: readonly ConfigPart[]
}

/** The first step of a task, if any: it is obeyed where the rows are read. */
export const uniteConfigs: StepKind<UniteConfigs> = {
  before: (wanted) => wanted,
  apply: (splits) => splits,
  configRead: (_, { configs }) => configs[0]?.config,
  configsRead: ({ splits, configs }, split) => (splits.includes(split) ? configs : configs.slice(0, 1)),
}

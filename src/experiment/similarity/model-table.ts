/** What tables of models share: names, values, models that cannot be opened. */
import { asFault, type CallOptions, type Fault, fault } from '#core'

/** Similarities of models to models, by the names that the caller has for them. */
export interface ModelTable {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
  /** [targets × sources]: the larger, the nearer; a model with itself: 1. */
  readonly values: readonly (readonly number[])[]
}

export interface ModelTableOptions extends CallOptions {
  /** Names of the rows, each of which needs a model. */
  readonly targets: readonly string[]
  /** Rows for all models: how similar they are to each other. Default: false. */
  readonly square?: boolean | undefined
  /** Folder of this program's caches: of the values that are known, and of hashes of weights. */
  readonly cache: string
  /** Hears of a model that cannot be opened. The table goes without it; a target without its model is refused. */
  readonly onMissing?: ((reference: string, reason: Fault) => void) | undefined
}

/**
 * What `look` finds for each model, one after the other, without those that cannot be opened. Throws `usage.value` for a
 * target without a model that can.
 */
export async function eachModel<Found>(
  models: ReadonlyMap<string, string>,
  { targets, signal, onMissing }: Pick<ModelTableOptions, 'targets' | 'signal' | 'onMissing'>,
  look: (reference: string) => Promise<Found>,
): Promise<ReadonlyMap<string, Found>> {
  for (const target of targets) if (!models.has(target)) throw withoutModel(target, undefined)
  const found = new Map<string, Found>()
  for (const [name, reference] of models) {
    try {
      found.set(name, await look(reference))
    } catch (error) {
      signal?.throwIfAborted()
      const reason = asFault(error, 'internal', reference)
      if (targets.includes(name)) throw withoutModel(name, reason)
      onMissing?.(reference, reason)
    }
  }
  return found
}

function withoutModel(target: string, reason: Fault | undefined): Error {
  return fault('usage.value', {
    place: target,
    what: 'has no model of its own, and only a model can be compared with models',
    seen: reason?.message,
    hint: 'name one in --models, or leave the target out of --locales; --similarity uriel compares languages',
    cause: reason,
  })
}

/** The targets, and with `square` the others behind them. */
export function chooseRows(
  { targets, square = false }: ModelTableOptions,
  names: readonly string[],
): readonly string[] {
  return square ? [...targets, ...names.filter((name) => !targets.includes(name))] : targets
}

/** The table of `value`, with 1 for a model and itself. */
export function toTable(
  targets: readonly string[],
  sources: readonly string[],
  value: (target: string, source: string) => number,
): ModelTable {
  return {
    targets,
    sources,
    values: targets.map((target) => sources.map((source) => (source === target ? 1 : value(target, source)))),
  }
}

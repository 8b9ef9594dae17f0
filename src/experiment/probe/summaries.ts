/** Seeds become a mean, controls become selectivities: the reported numbers of a data set and a layer. */
import { meanOfAll, populationDeviation } from '#core'
import type { DescriptionLength, ProbeControl, ProbeScores } from '#task/probing'
import type { ProbeUnit } from './units.ts'

export interface LayerSummary {
  readonly layer: number
  /** Mean of the main score over seeds; null where a seed has none. */
  readonly score: number | null
  readonly deviation: number | null
  readonly seeds: Readonly<Record<string, number | null>>
  readonly scores: ProbeScores
  readonly seen: ProbeScores | undefined
  readonly unseen: ProbeScores | undefined
  readonly mdl:
    | { readonly bits: number | null; readonly compression: number | null; readonly original_compression: number }
    | undefined
  /** Score on the unchanged data minus the score under a control (Hewitt & Liang 2019), by seed and then the mean. */
  readonly controls: Readonly<
    Partial<Record<ProbeControl, { readonly score: number | null; readonly selectivity: number | null }>>
  >
  readonly instances: number
  readonly dropped: number
}

/**
 * One summary per layer of the outcomes of one data set: the mean over seeds, its deviation, and the selectivity – the
 * score minus the score under a control.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { openProbeData, runProbe, summariesOf } from 'strata-lm/probing'
 *
 * const model = await openModel('assets/models/stories260K')
 * const { dataSets } = await runProbe(model, await openProbeData('blimp:blimp'), {
 *   layers: [0, 5],
 *   seeds: [1],
 *   controls: ['randomization'],
 *   settings: { profile: 'corrected', probe: 'linear', mdl: false, portion: 1 },
 *   outputFolder: 'out',
 * })
 * for (const { layer, instances } of summariesOf(dataSets[0]?.units ?? [])) console.log(layer, instances)
 * // → 0 40
 * // → 5 40
 * await model.close()
 * ```
 */
export function summariesOf(units: readonly ProbeUnit[]): LayerSummary[] {
  const layers = [...new Set(units.map(({ layer }) => layer))].sort((a, b) => a - b)
  return layers.flatMap((layer) => {
    const own = units.filter((unit) => unit.layer === layer)
    const plain = own.filter(({ control }) => control === 'none')
    const [first] = plain
    return first === undefined ? [] : [summaryOf(layer, first, plain, own)]
  })
}

function summaryOf(
  layer: number,
  first: ProbeUnit,
  plain: readonly ProbeUnit[],
  own: readonly ProbeUnit[],
): LayerSummary {
  const scores = plain.map(({ outcome }) => outcome.score)
  const score = meanOfAll(scores)
  const controls = [...new Set(own.map(({ control }) => control))].filter((control) => control !== 'none')
  const lengths = plain.flatMap(({ outcome: { mdl } }) => mdl ?? [])
  return {
    layer,
    score,
    deviation:
      score === null
        ? null
        : populationDeviation(
            scores.map((value) => value ?? 0),
            score,
          ),
    seeds: Object.fromEntries(plain.map(({ seed, outcome }) => [seed, outcome.score])),
    scores: meanScores(plain.map(({ outcome }) => outcome)) ?? {},
    seen: meanScores(plain.map(({ outcome }) => outcome.seen)),
    unseen: meanScores(plain.map(({ outcome }) => outcome.unseen)),
    mdl: lengths.length === 0 ? undefined : meanLength(lengths),
    controls: Object.fromEntries(
      controls.map((control) => {
        const others = own.filter((unit) => unit.control === control)
        const differences = others.map(({ seed, outcome }) =>
          less(plain.find((one) => one.seed === seed)?.outcome.score, outcome.score),
        )
        return [
          control,
          { score: meanOfAll(others.map(({ outcome }) => outcome.score)), selectivity: meanOfAll(differences) },
        ]
      }),
    ),
    instances: first.instances,
    dropped: first.dropped,
  }
}

function less(a: number | null | undefined, b: number | null): number | null {
  return a === null || a === undefined || b === null ? null : a - b
}

function meanScores(all: readonly (ProbeScores | undefined)[]): ProbeScores | undefined {
  const there = all.filter((one) => one !== undefined)
  if (there.length === 0) return undefined
  if (there[0]?.pearson !== undefined) return { pearson: meanOfAll(there.map(({ pearson = null }) => pearson)) }
  return {
    macro_f1: meanOfAll(there.map(({ macro_f1 = null }) => macro_f1)) ?? undefined,
    accuracy: meanOfAll(there.map((one) => one.accuracy ?? null)) ?? undefined,
  }
}

function meanLength(lengths: readonly DescriptionLength[]): LayerSummary['mdl'] {
  return {
    bits: meanOfAll(lengths.map(({ bits }) => bits)),
    compression: meanOfAll(lengths.map(({ compression }) => compression)),
    original_compression: meanOfAll(lengths.map(({ original }) => original.compression)) ?? 0,
  }
}

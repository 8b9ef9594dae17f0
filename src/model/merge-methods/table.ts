/** Every merge method Strata knows. Config checks, help, docs and the contract suite derive from this list. */
import { findEntry, declaredKind, openTable, type PluginSource } from '#core'
import { guarded } from './define.ts'
import type { MergeMethod } from './method.ts'
import { arceeFusion } from './arcee-fusion.ts'
import { breadcrumbs } from './breadcrumbs.ts'
import { breadcrumbsTies } from './breadcrumbs-ties.ts'
import { consensusTa } from './consensus-ta.ts'
import { dareLinear } from './dare-linear.ts'
import { dareTies } from './dare-ties.ts'
import { della } from './della.ts'
import { dellaLinear } from './della-linear.ts'
import { emr } from './emr.ts'
import { fisher } from './fisher.ts'
import { isoC } from './iso-c.ts'
import { isoCts } from './iso-cts.ts'
import { karcher } from './karcher.ts'
import { knotsTies } from './knots-ties.ts'
import { linear } from './linear.ts'
import { lines } from './lines.ts'
import { magmax } from './magmax.ts'
import { moe } from './moe.ts'
import { modelStock } from './model-stock.ts'
import { multislerp } from './multislerp.ts'
import { nearswap } from './nearswap.ts'
import { nuslerp } from './nuslerp.ts'
import { passthrough } from './passthrough.ts'
import { pcb } from './pcb.ts'
import { ram } from './ram.ts'
import { ramplusTl } from './ramplus-tl.ts'
import { regmean } from './regmean.ts'
import { sce } from './sce.ts'
import { slerp } from './slerp.ts'
import { svc } from './svc.ts'
import { tallMasks } from './tall-masks.ts'
import { taskArithmetic } from './task-arithmetic.ts'
import { ties } from './ties.ts'
import { tsvM } from './tsv-m.ts'

/**
 * Every merge method by name, with its parameters and their defaults, how many models it takes, whether it needs a
 * base, and the paper or program that it follows.
 *
 * @example
 * ```ts
 * import { mergeMethods } from 'strata-lm/merge'
 *
 * const { base, parameters } = mergeMethods.ties
 * console.log(base, Object.keys(parameters))
 * // → required [ 'weight', 'density', 'normalize', 'rescale', 'lambda', 'int8_mask' ]
 * ```
 */
export const mergeMethods = {
  linear,
  slerp,
  nuslerp,
  multislerp,
  karcher,
  task_arithmetic: taskArithmetic,
  ties,
  dare_linear: dareLinear,
  dare_ties: dareTies,
  della,
  della_linear: dellaLinear,
  breadcrumbs,
  breadcrumbs_ties: breadcrumbsTies,
  model_stock: modelStock,
  nearswap,
  sce,
  arcee_fusion: arceeFusion,
  ram,
  ramplus_tl: ramplusTl,
  passthrough,
  moe,
  fisher,
  regmean,
  tsv_m: tsvM,
  iso_c: isoC,
  iso_cts: isoCts,
  pcb,
  emr,
  magmax,
  consensus_ta: consensusTa,
  tall_masks: tallMasks,
  lines,
  knots_ties: knotsTies,
  svc,
} as const satisfies Record<string, MergeMethod>

export type MergeMethodName = keyof typeof mergeMethods

/** Strata's own, and those of plug-ins. */
export const mergeMethodTable = openTable<MergeMethod>('merge method', mergeMethods)

/** A merge method by its name, of a plug-in too. Throws `usage.value` with the nearest name. */
export function mergeMethodNamed(name: string, place = 'merge_method'): MergeMethod {
  return findEntry(mergeMethodTable, name, place)
}

/** Adds the merge methods among a plug-in's exports: `mergeMethodNamed` finds them from then on. Returns their names. */
export function addMergeMethods(exports: Readonly<Record<string, unknown>>, source: PluginSource): string[] {
  const found = [...new Set(Object.values(exports))].filter(
    (value) => declaredKind(value) === 'merge method',
  ) as MergeMethod[]
  for (const method of found) mergeMethodTable.add(guarded(method, source), source)
  return found.map(({ name }) => name)
}

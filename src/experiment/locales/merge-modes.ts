/** Merge methods as modes of a study: with settings of their papers, or of mergekit's documentation, as recipes. */
import type { SourceWeight } from './weights.ts'

/** One document of a recipe, as `strata merge` reads it. */
export type RecipeDocument = Readonly<Record<string, unknown>>

/** A source whose model is known. */
export interface WeightedModel extends SourceWeight {
  /** Reference of its model. */
  readonly model: string
}

interface MergeMode {
  /** Whether the method merges changes to a common ancestor. */
  readonly ofTaskVectors: boolean
  /** Parameters of a source of weight `weight` among `count`; without it, the method takes no weights. */
  readonly ofSource?: (weight: number, count: number) => RecipeDocument
  readonly shared?: RecipeDocument
  /** Smallest number of sources. Default: 1. */
  readonly fewest?: number
  /** Whether the method takes two models and folds in one source after the other. */
  readonly isFolded?: boolean
}

/** Scale of a sum of task vectors (Ilharco et al. 2023). */
const scaleOfSum = 0.4

/** Weights of 1 on average, where a method adds task vectors up. */
const asSum = (weight: number, count: number): number => weight * count

/**
 * Densities: the largest fifth (Yadav et al. 2023), half at random (Yu et al. 2024, Deep et al. 2024), nine tenths
 * without the largest hundredth (mergekit's example of breadcrumbs), the tenth that varies most (Wan et al. 2024). The
 * scale of `magmax` is that of its authors' script; LiNeS tunes β, which is 1 here: from the mean of the task vectors in
 * the first layer to twice the mean in the last. `svc` calibrates the sum that `task_arithmetic` makes.
 */
const modes = {
  task_arithmetic: {
    ofTaskVectors: true,
    ofSource: (weight, count) => ({ weight: asSum(weight, count) }),
    shared: { lambda: scaleOfSum },
  },
  ties: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.2 }), shared: { normalize: true } },
  dare_ties: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.5 }), shared: { normalize: true } },
  dare_linear: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.5 }) },
  della: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.5 }), shared: { normalize: true } },
  della_linear: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.5 }) },
  breadcrumbs: {
    ofTaskVectors: true,
    ofSource: (weight, count) => ({ weight: asSum(weight, count), density: 0.9, gamma: 0.01 }),
    shared: { lambda: scaleOfSum },
  },
  breadcrumbs_ties: {
    ofTaskVectors: true,
    ofSource: (weight) => ({ weight, density: 0.9, gamma: 0.01 }),
    shared: { normalize: true },
  },
  lines: { ofTaskVectors: true, ofSource: (weight) => ({ weight }), shared: { alpha: 1, beta: 1 } },
  knots_ties: { ofTaskVectors: true, ofSource: (weight) => ({ weight, density: 0.2 }), shared: { normalize: true } },
  svc: { ofTaskVectors: true, ofSource: (weight, count) => ({ weight: scaleOfSum * asSum(weight, count) }) },
  multislerp: { ofTaskVectors: false, ofSource: (weight) => ({ weight }) },
  slerp: { ofTaskVectors: false, ofSource: (weight) => ({ weight }), isFolded: true },
  nuslerp: { ofTaskVectors: true, ofSource: (weight) => ({ weight }), isFolded: true },
  karcher: { ofTaskVectors: false },
  model_stock: { ofTaskVectors: true, fewest: 2 },
  sce: { ofTaskVectors: true, shared: { select_topk: 0.1 } },
  pcb: { ofTaskVectors: true, shared: { density: 0.2 } },
  magmax: { ofTaskVectors: true, shared: { scale: 0.5 } },
  emr: { ofTaskVectors: true },
  consensus_ta: { ofTaskVectors: true, shared: { lambda_mask: 0.4, k: 2, alpha: scaleOfSum }, fewest: 2 },
  ram: { ofTaskVectors: true },
  ramplus_tl: { ofTaskVectors: true },
  tsv_m: { ofTaskVectors: true },
  iso_c: { ofTaskVectors: true },
  iso_cts: { ofTaskVectors: true },
} as const satisfies Readonly<Record<string, MergeMode>>

export type MergeModeName = keyof typeof modes

/** Modes that are a merge method by its own name. */
export const mergeModes = Object.keys(modes) as readonly MergeModeName[]

export function isMergeMode(name: string): name is MergeModeName {
  return Object.hasOwn(modes, name)
}

/** Undefined for the other modes. */
export function mergeModeNamed(name: string): MergeMode | undefined {
  return isMergeMode(name) ? modes[name] : undefined
}

/**
 * The recipe of a mode: one document, or – where sources are folded in one at a time – several, the last of which is
 * the merge.
 */
export function mergeRecipe(
  method: MergeModeName,
  sources: readonly WeightedModel[],
  base: string | undefined,
): RecipeDocument | readonly RecipeDocument[] {
  const { ofTaskVectors, ofSource, shared, isFolded = false }: MergeMode = modes[method]
  if (isFolded) return foldedRecipe(sources, stepOf(method, base))
  return {
    merge_method: method,
    base_model: ofTaskVectors ? base : undefined,
    models: sources.map(({ model, weight }) => ({ model, parameters: ofSource?.(weight, sources.length) })),
    parameters: shared,
    dtype: 'float32',
  }
}

/** What a fold has merged so far, or the source that it adds. */
interface Part {
  readonly model: string
  readonly weight: number
}

type Step = (merged: Part, added: Part) => RecipeDocument

/** `t` is the share of the added source: merginguriel gives it that of the others (t = merged ÷ both). */
function stepOf(method: MergeModeName, base: string | undefined): Step {
  if (method === 'slerp')
    return (merged, added) => ({
      merge_method: method,
      base_model: merged.model,
      models: [{ model: added.model }],
      parameters: { t: added.weight / (merged.weight + added.weight) },
      dtype: 'float32',
    })
  return (...parts) => ({
    merge_method: method,
    base_model: base,
    models: parts.map(({ model, weight }) => ({ model, parameters: { weight } })),
    dtype: 'float32',
  })
}

/** The heaviest source first. A single source is left as it is. */
function foldedRecipe(sources: readonly WeightedModel[], step: Step): readonly RecipeDocument[] {
  const [first, ...others] = sources.toSorted((a, b) => b.weight - a.weight)
  if (first === undefined || others.length === 0) {
    const models = sources.map(({ model }) => ({ model, parameters: { weight: 1 } }))
    return [{ merge_method: 'linear', models, dtype: 'float32' }]
  }
  const documents: RecipeDocument[] = []
  let merged: Part = first
  for (const [k, added] of others.entries()) {
    const name = k === others.length - 1 ? undefined : `first_${k + 2}`
    documents.push({ name, ...step(merged, added) })
    merged = { model: name ?? '', weight: merged.weight + added.weight }
  }
  return documents
}

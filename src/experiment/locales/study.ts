/** A study as data: for every target its own model, its merges as recipes, and the sources they are made of. */
import { fault, quantity, suggestion } from '#core'
import {
  isMergeMode,
  mergeModeNamed,
  mergeModes,
  mergeRecipe,
  type RecipeDocument,
  type WeightedModel,
} from './merge-modes.ts'
import {
  type LocaleTable,
  sourceWeights,
  type SourceWeight,
  type TargetSources,
  type WeightOptions,
  within,
} from './weights.ts'

/** Ways in which the sources of a target answer together, each by itself. */
const votes = ['majority', 'weighted_majority', 'soft_vote', 'weighted_logits'] as const

/** Weighted means of sources that are not those of the study: by syntax, from a file, by accuracy. */
const otherWeightings = ['uriel', 'manual', 'real'] as const

/** Where the weights of a mode come from. `similarity`: those of the study, for every mode without its own. */
export type Weighting = 'similarity' | (typeof otherWeightings)[number]

/** `baseline`: the model of the target itself; the others are merges of its sources, or their votes. */
export const studyModes = [
  'baseline',
  'similarity',
  ...otherWeightings,
  'average',
  ...mergeModes,
  'fisher',
  'regmean',
  ...votes,
] as const
export type StudyMode = (typeof studyModes)[number]

export interface StudyOptions extends WeightOptions {
  /** References by locale. */
  readonly models: ReadonlyMap<string, string>
  readonly targets: readonly string[]
  readonly modes: readonly StudyMode[]
  readonly table: LocaleTable
  /** Sources by target that are not chosen from the table here. A mode with a weighting of its own needs one. */
  readonly weightings?: Readonly<Partial<Record<Weighting, TargetSources | undefined>>> | undefined
  /** The common ancestor, for merges of task vectors. */
  readonly base?: string | undefined
  /** Folder of the files of moments that `fisher` and `regmean` read. */
  readonly momentsFolder?: string | undefined
}

/** Section `locales` of an experiment file: by target, models by type and sources by locale. */
export type StudyLocales = Record<
  string,
  {
    models: Record<string, string>
    sources: Record<string, { model: string; weight: number }>
  }
>

/** A file that a recipe names, to be computed from a model and texts of its locale. */
export interface StudyMoments {
  readonly kind: 'fisher' | 'gram'
  readonly locale: string
  readonly model: string
  readonly path: string
}

export interface Study {
  readonly locales: StudyLocales
  /** Recipes by path, as `strata merge` reads them: one document each, or several. */
  readonly recipes: ReadonlyMap<string, RecipeDocument | readonly RecipeDocument[]>
  /** Weights of the sources of each recipe, by its path; all of a recipe sum to 1. */
  readonly shares: ReadonlyMap<string, readonly Pick<SourceWeight, 'source' | 'weight'>[]>
  /** By kind, then in the order in which sources are first named. */
  readonly moments: readonly StudyMoments[]
}

/**
 * The study of the targets, in their order. Weights are those of `sourceWeights` over the locales that have models; an
 * average has the same sources. A merge is named as merginguriel names its folder: `similarity_merge_sq-AL`. Throws
 * `usage.value` where a target has no source or fewer than a mode needs, where a mode needs a base and none is given, and
 * where nothing would be done for a target.
 */
export function makeStudy(options: StudyOptions): Study {
  const { models, targets, modes, table, weightings = {}, base, momentsFolder = 'moments', ...weighting } = options
  const needing = modes.find((mode) => mergeModeNamed(mode)?.ofTaskVectors === true)
  if (needing !== undefined && base === undefined)
    throw fault('usage.value', {
      place: needing,
      what: 'is a merge of task vectors and needs the common ancestor of the models',
      hint: 'name it with --base-model',
    })
  const among = within(table, [...models.keys()])
  const recipes = new Map<string, RecipeDocument | readonly RecipeDocument[]>()
  const shares = new Map<string, Pick<SourceWeight, 'source' | 'weight'>[]>()
  const locales: StudyLocales = {}
  for (const target of targets) {
    const merges = modes.filter((mode) => mode !== 'baseline')
    const weights = new Map([...new Set(merges.map(weightingOf))].map((by) => [by, sourcesOf(target, by)] as const))
    const own = models.get(target)
    const entry: StudyLocales[string] = { models: {}, sources: {} }
    if (modes.includes('baseline') && own !== undefined) entry.models['baseline'] = own
    for (const mode of merges) {
      const path = `recipes/${mode}_${isVote(mode) ? 'of' : 'merge'}_${target}.yml`
      const sources = weights.get(weightingOf(mode)) ?? []
      refuseFew(mode, target, sources)
      const named = sources.map((source) => ({ ...source, model: models.get(source.source) ?? source.source }))
      recipes.set(path, recipeOf(mode, named, { base, momentsFolder }))
      shares.set(
        path,
        sources.map(({ source, weight }) => ({ source, weight: isEqual(mode) ? 1 / sources.length : weight })),
      )
      entry.models[mode] = path
    }
    // the sources that are scored: one mean per target
    const [first = []] = weights.values()
    for (const { source, weight } of weights.get('similarity') ?? first)
      entry.sources[source] = { model: models.get(source) ?? source, weight }
    if (Object.keys(entry.models).length === 0)
      throw fault('usage.value', { place: target, what: 'has no model of its own, and no merge is asked for' })
    locales[target] = entry
  }
  return { locales, recipes, shares, moments: momentsOf(locales, { modes, momentsFolder }) }

  function sourcesOf(target: string, by: Weighting): readonly SourceWeight[] {
    const given = weightings[by]
    if (given !== undefined || by !== 'similarity')
      return asGiven(target, given?.get(target) ?? [], { models, includeTarget: weighting.includeTarget })
    const chosen = sourceWeights(among, target, weighting)
    if (chosen.length === 0)
      throw fault('usage.value', {
        place: target,
        what: 'these weights leave it no source',
        hint: 'leave --similarity sinkhorn-legacy out, or give a larger --top-k',
      })
    return chosen
  }
}

function weightingOf(mode: StudyMode): Weighting {
  return otherWeightings.find((one) => one === mode) ?? 'similarity'
}

/** Throws `usage.value` for a target without sources or among them, and for a source that has no model. */
function asGiven(
  target: string,
  sources: readonly SourceWeight[],
  { models, includeTarget = false }: Pick<StudyOptions, 'models' | 'includeTarget'>,
): readonly SourceWeight[] {
  if (sources.length === 0) throw fault('usage.value', { place: target, what: 'no weights are given for this target' })
  for (const { source } of sources) {
    if (!models.has(source))
      throw fault('usage.value', {
        place: target,
        what: `its source ${source} has no model`,
        seen: [...models.keys()].join(', '),
        hint: suggestion(source, [...models.keys()]),
      })
    if (source === target && !includeTarget)
      throw fault('usage.value', {
        place: target,
        what: 'is one of its own sources',
        hint: 'add --include-target, or give its weight to others',
      })
  }
  return sources
}

function isVote(mode: StudyMode): boolean {
  return votes.some((one) => one === mode)
}

/** Whether all sources have one weight. */
function isEqual(mode: StudyMode): boolean {
  const merge = mergeModeNamed(mode)
  if (merge !== undefined) return merge.ofSource === undefined
  return mode === 'average' || mode === 'fisher' || mode === 'regmean'
}

function refuseFew(mode: StudyMode, target: string, sources: readonly SourceWeight[]): void {
  const { fewest = 1 } = mergeModeNamed(mode) ?? {}
  if (sources.length >= fewest) return
  throw fault('usage.value', {
    place: `${mode} for ${target}`,
    what: `needs at least ${quantity(fewest, 'source')}`,
    seen: sources.map(({ source }) => source).join(', '),
    hint: 'give a larger --top-k, or leave the mode out',
  })
}

/** Fisher information and Gram matrices weigh sources of equal weight. */
function recipeOf(
  mode: Exclude<StudyMode, 'baseline'>,
  sources: readonly WeightedModel[],
  { base, momentsFolder }: Pick<StudyOptions, 'base'> & { readonly momentsFolder: string },
): RecipeDocument | readonly RecipeDocument[] {
  const listed = (parametersOf: (source: WeightedModel) => object): object[] =>
    sources.map((source) => ({ model: source.model, parameters: parametersOf(source) }))
  const share = 1 / sources.length
  if (isMergeMode(mode)) return mergeRecipe(mode, sources, base)
  switch (mode) {
    case 'similarity':
    case 'uriel':
    case 'manual':
    case 'real':
      return { merge_method: 'linear', models: listed(({ weight }) => ({ weight })), dtype: 'float32' }
    case 'average':
      return { merge_method: 'linear', models: listed(() => ({ weight: share })), dtype: 'float32' }
    case 'fisher':
    case 'regmean': {
      const kind = momentKinds[mode]
      return {
        merge_method: mode,
        models: listed(({ source }) => ({ weight: share, [kind]: momentsPath(momentsFolder, source, kind) })),
        dtype: 'float32',
      }
    }
    case 'majority':
    case 'weighted_majority':
    case 'soft_vote':
    case 'weighted_logits':
      return { ensemble_method: mode, models: sources.map(({ model, weight }) => ({ model, weight })) }
    default:
      return mode satisfies never
  }
}

const momentKinds = { fisher: 'fisher', regmean: 'gram' } as const

function momentsPath(folder: string, locale: string, kind: StudyMoments['kind']): string {
  return `${folder}/${locale}.${kind}.safetensors`
}

function momentsOf(
  locales: StudyLocales,
  { modes, momentsFolder }: Pick<StudyOptions, 'modes'> & { readonly momentsFolder: string },
): StudyMoments[] {
  const sources = new Map(Object.values(locales).flatMap((entry) => Object.entries(entry.sources)))
  const kinds = Object.entries(momentKinds).flatMap(([mode, kind]) => (modes.some((one) => one === mode) ? [kind] : []))
  return kinds.flatMap((kind) =>
    [...sources].map(([locale, { model }]) => ({
      kind,
      locale,
      model,
      path: momentsPath(momentsFolder, locale, kind),
    })),
  )
}

/** Targets by the flags of merginguriel: a filter, then a first one by name or place, then a number. */
export function targetsBetween(
  all: readonly string[],
  { startFrom = '0', most }: { readonly startFrom?: string | undefined; readonly most?: number | undefined },
): readonly string[] {
  const at = /^\d+$/.test(startFrom) ? Number(startFrom) : all.indexOf(startFrom)
  if (at < 0 || at >= all.length)
    throw fault('usage.value', {
      place: '--start-from',
      what: 'no such locale among the chosen ones',
      seen: startFrom,
      wanted: `a name, or a place from 0 to ${all.length - 1}`,
      hint: suggestion(startFrom, all),
    })
  return all.slice(at, most === undefined ? undefined : at + most)
}

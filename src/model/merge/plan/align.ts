/**
 * Which tensors of which inputs make which tensor of the output: names, layers, tied heads – from headers alone, for
 * any architecture.
 */
import { fault, type ModelHeaders, type TensorInfo } from '#core'
import { type MergeMethod, mergeMethodNamed } from '#model/merge-methods'
import type { Recipe, RecipeModule, Slice, SliceSource } from '../recipe/recipe.ts'
import { layerPosition, type Settings } from '../recipe/settings.ts'
import { layerCounts, roleByName, type TensorRole, tensorRoles } from '#model/architectures'

/** One tensor of one input. */
export interface TensorUse {
  /** Position among the plan's inputs. */
  readonly input: number
  readonly info: TensorInfo
}

/** An input's part in one output tensor, with the settings that speak about it. */
export interface AlignedUse extends TensorUse {
  readonly parameters: Settings
}

export interface AlignedTensor {
  /** Output name. */
  readonly name: string
  readonly role: TensorRole
  readonly base: TensorUse | undefined
  readonly uses: readonly AlignedUse[]
  /** Position of its layer in its slice; 0 outside the layers. */
  readonly t: number
  /** Layer of the output, and how many there are. */
  readonly layer: { readonly index: number; readonly count: number } | undefined
  readonly slice: Slice
  readonly module: RecipeModule
}

export interface Alignment {
  readonly tensors: readonly AlignedTensor[]
  /** Layers of the output by prefix; undefined where no layer was rearranged. */
  readonly layers: ReadonlyMap<string, number>
  readonly notes: readonly string[]
}

/** Throws `tensor.missing`, `usage.value` (layer ranges, number of inputs, a base that the method needs). */
export function align(recipe: Recipe, inputs: readonly ModelHeaders[]): Alignment {
  const method = mergeMethodNamed(recipe.method)
  const position = new Map(inputs.map(({ model }, i) => [model, i]))
  const roleOf = tensorRoles(inputs[0]?.config ?? {}, inputs[0]?.tensors.names() ?? [])
  const scope: Scope = { recipe, method, inputs, position, roleOf, notes: new Set() }
  const tensors: AlignedTensor[] = []
  const layers = new Map<string, number>()
  for (const [name, module] of Object.entries(recipe.modules)) {
    for (const tensor of moduleTensors(name, module, layers, scope)) tensors.push(tensor)
  }
  if (tensors.length === 0) throw fault('tensor.missing', { place: 'recipe', what: 'no tensor is left to merge' })
  return { tensors, layers, notes: [...scope.notes] }
}

interface Scope {
  readonly recipe: Recipe
  readonly method: MergeMethod
  readonly inputs: readonly ModelHeaders[]
  readonly position: ReadonlyMap<string, number>
  /** Merged models have one architecture: the first one's roles are everybody's. */
  readonly roleOf: (name: string) => TensorRole
  readonly notes: Set<string>
}

/** A slice's sources, together with the base. */
interface SliceModels {
  readonly slice: Slice
  readonly sources: readonly SliceSource[]
  readonly base: SliceSource | undefined
}

function* moduleTensors(
  moduleName: string,
  module: RecipeModule,
  layers: Map<string, number>,
  scope: Scope,
): Generator<AlignedTensor> {
  const groups = module.slices.map((slice) => modelsOfSlice(slice, module, scope))
  const [first] = groups
  const last = groups.at(-1)
  if (first === undefined || last === undefined) return
  const ranged = module.slices.some(({ sources }) => sources.some(({ layers }) => layers !== undefined))
  const inModule = (name: string): boolean => moduleName === '' || name.split('.').slice(0, 2).includes(moduleName)
  const counts = layerCounts(namesOf(first, scope).filter(inModule))
  const prefixes = [...counts.keys()]
  if (ranged && prefixes.length > 1) {
    throw fault('usage.value', {
      place: 'slices',
      what: 'the model has several stacks of layers',
      seen: prefixes,
      hint: 'say which under modules:',
    })
  }
  for (const name of outsideNames(first, last, scope).filter(inModule)) {
    const group = scope.roleOf(name).side === 'after' ? last : first
    const tensor = aligned(
      name,
      group,
      (source) => outsideUse(name, source, scope),
      { t: 0, layer: undefined, module, moduleName },
      scope,
    )
    if (tensor) yield tensor
  }
  if (ranged) yield* slicedLayers(groups, prefixes[0] ?? '', { module, moduleName }, layers, scope)
  else yield* wholeLayers(first, counts, inModule, { module, moduleName }, scope)
}

/** Every layer from the same layer of each input. */
function* wholeLayers(
  group: SliceModels,
  counts: ReadonlyMap<string, number>,
  inModule: (name: string) => boolean,
  { module, moduleName }: NamedModule,
  scope: Scope,
): Generator<AlignedTensor> {
  for (const name of namesOf(group, scope)) {
    const found = scope.roleOf(name).layer
    if (found === undefined || !inModule(name)) continue
    const count = counts.get(found.prefix) ?? 1
    const layer = { index: found.layer, count }
    const where = { t: layerPosition(found.layer, count), layer, module, moduleName }
    const tensor = aligned(name, group, (source) => infoOf(name, source, scope), where, scope)
    if (tensor) yield tensor
  }
}

/** Output layers counted through the slices; each from the layer its range says. */
function* slicedLayers(
  groups: readonly SliceModels[],
  prefix: string,
  { module, moduleName }: NamedModule,
  layers: Map<string, number>,
  scope: Scope,
): Generator<AlignedTensor> {
  const lengths = groups.map((group) => sliceLength(group, prefix, scope))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  layers.set(prefix, total)
  let index = 0
  for (const [s, group] of groups.entries()) {
    const length = lengths[s] ?? 0
    for (let j = 0; j < length; j++, index++) {
      const rests = new Set(
        group.sources.flatMap((source) =>
          scope.inputs[inputOf(source, scope)]!.tensors.names().flatMap((name) => {
            const found = scope.roleOf(name).layer
            return found?.prefix === prefix && found.layer === (source.layers?.[0] ?? 0) + j ? [found.rest] : []
          }),
        ),
      )
      const where = { t: layerPosition(j, length), layer: { index, count: total }, module, moduleName }
      for (const rest of rests) {
        const use = (source: SliceSource): TensorInfo | undefined =>
          infoOf(`${prefix}${(source.layers?.[0] ?? 0) + j}${rest}`, source, scope)
        const tensor = aligned(`${prefix}${index}${rest}`, group, use, where, scope)
        if (tensor) yield tensor
      }
    }
  }
}

function sliceLength({ sources }: SliceModels, prefix: string, scope: Scope): number {
  const lengths = sources.map((source) => {
    const count = layerCounts(scope.inputs[inputOf(source, scope)]!.tensors.names()).get(prefix) ?? 0
    const [from, to] = source.layers ?? [0, count]
    if (to > count)
      throw fault('usage.value', {
        place: `${source.model}: layer_range`,
        what: 'the model has fewer layers',
        seen: [from, to],
        wanted: `at most ${count}`,
      })
    return to - from
  })
  const [length = 0] = lengths
  if (lengths.some((own) => own !== length))
    throw fault('usage.value', {
      place: 'slices',
      what: 'the sources of a slice take different numbers of layers',
      seen: lengths,
    })
  return length
}

interface NamedModule {
  readonly module: RecipeModule
  readonly moduleName: string
}

interface Where extends NamedModule {
  readonly t: number
  readonly layer: AlignedTensor['layer']
}

/** One output tensor, or undefined for one that some input may lack. */
function aligned(
  name: string,
  { slice, sources, base }: SliceModels,
  find: (source: SliceSource) => TensorInfo | undefined,
  where: Where,
  scope: Scope,
): AlignedTensor | undefined {
  const role = scope.roleOf(name)
  const found = sources.map((source) => ({ source, info: find(source) }))
  const baseInfo = base === undefined ? undefined : find(base)
  const lacking = found.filter(({ info }) => info === undefined).map(({ source }) => source.model)
  if (base !== undefined && baseInfo === undefined) lacking.push(base.model)
  if (lacking.length > 0) {
    // Older files store buffers that newer code computes.
    if (role.kind === 'buffer') return undefined
    throw fault('tensor.missing', {
      place: `${lacking.join(', ')} › ${name}`,
      what: 'lacks a tensor that the other inputs have',
      hint: 'merge models of one architecture, or leave the tensor out of the slices',
    })
  }
  return {
    name,
    role,
    base: baseInfo === undefined || base === undefined ? undefined : { input: inputOf(base, scope), info: baseInfo },
    uses: found.flatMap(({ source, info }) =>
      info === undefined ? [] : [{ input: inputOf(source, scope), info, parameters: source.parameters }],
    ),
    t: where.t,
    layer: where.layer,
    slice,
    module: where.module,
  }
}

/**
 * Sources besides the base, and the base, by the method's role for it. A source that is the base has no task vector of
 * its own and is left out, with a note.
 */
function modelsOfSlice(slice: Slice, module: RecipeModule, { recipe, method, notes }: Scope): SliceModels {
  const named = slice.base ?? recipe.base
  const { sources } = slice
  const listed = sources.find(({ model }) => model === named)
  const base: SliceSource | undefined =
    named === undefined ? undefined : (listed ?? { model: named, layers: sources[0]?.layers, parameters: {} })
  const place = `merge_method ${recipe.method}`
  switch (method.base) {
    case 'required':
    case 'optional': {
      if (base === undefined && method.base === 'required')
        throw fault('usage.value', { place, what: 'this method needs a base_model' })
      const others = sources.filter((source) => source !== listed)
      if (listed !== undefined && method.inputs[1] !== 1)
        notes.add(`${listed.model} is the base and one of the models: its own difference is zero, so it takes no part`)
      checkCount(others.length, method, place)
      return { slice, sources: others, base }
    }
    case 'input': {
      // An unlisted base joins where nothing has to be said about it, or all that has to be is said of everybody.
      const said = (key: string): boolean =>
        [slice.parameters, module.parameters, recipe.parameters].some((level) => (level[key] ?? null) !== null)
      const joins =
        base !== undefined &&
        listed === undefined &&
        Object.entries(method.parameters).every(
          ([key, { scope, fallback }]) => scope === 'shared' || fallback !== undefined || said(key),
        )
      if (base !== undefined && listed === undefined && !joins)
        notes.add(`${base.model} is not one of the models, and no parameter mentions it: it takes no part`)
      const all = joins ? [...sources, base] : sources
      checkCount(all.length, method, place)
      return { slice, sources: all, base: undefined }
    }
    case 'none':
      checkCount(sources.length, method, place)
      return { slice, sources, base: undefined }
    default:
      return method.base satisfies never
  }
}

function checkCount(count: number, { inputs: [least, most], base }: MergeMethod, place: string): void {
  if (count >= least && count <= most) return
  const range = most === Infinity ? `at least ${least}` : `${least} to ${most}`
  const wanted = least === most ? `${least}` : range
  throw fault('usage.value', {
    place,
    what: 'has the wrong number of models',
    seen: count,
    wanted: base === 'required' ? `${wanted} besides the base` : wanted,
  })
}

function inputOf({ model }: SliceSource, { position }: Scope): number {
  const at = position.get(model)
  if (at === undefined) throw fault('internal', { place: model, what: 'a model of the recipe was not opened' })
  return at
}

function infoOf(name: string, source: SliceSource, scope: Scope): TensorInfo | undefined {
  return scope.inputs[inputOf(source, scope)]?.tensors.info(name)
}

/** A head that a tied model does not store is its embedding. */
function outsideUse(name: string, source: SliceSource, scope: Scope): TensorInfo | undefined {
  const own = infoOf(name, source, scope)
  if (own !== undefined || scope.roleOf(name).kind !== 'head') return own
  const tensors = scope.inputs[inputOf(source, scope)]?.tensors
  const embedding = tensors?.names().find((one) => scope.roleOf(one).kind === 'token-embedding')
  if (embedding !== undefined)
    scope.notes.add(
      `${source.model} ties ${name} to ${embedding}: the embedding stands in for it, and the output stores both`,
    )
  return embedding === undefined ? undefined : tensors?.info(embedding)
}

/** Names of all parts of a group, the first one's order first. */
function namesOf({ sources, base }: SliceModels, scope: Scope): string[] {
  return [
    ...new Set(
      [...sources, ...(base ? [base] : [])].flatMap(
        (source) => scope.inputs[inputOf(source, scope)]?.tensors.names() ?? [],
      ),
    ),
  ]
}

function outsideNames(first: SliceModels, last: SliceModels, scope: Scope): string[] {
  const beside = (group: SliceModels, side: TensorRole['side']): string[] =>
    namesOf(group, scope).filter((name) => scope.roleOf(name).side === side)
  const taken = new Set([...beside(first, 'before'), ...beside(last, 'after')])
  // In the order that names give: it is part of a plan's hash.
  const ordered = (groups: readonly SliceModels[], side: TensorRole['side']): string[] =>
    [...new Set(groups.flatMap((group) => namesOf(group, scope)))].filter(
      (name) => taken.has(name) && roleByName(name).side === side,
    )
  return [...ordered([first, last], 'before'), ...ordered([last, first], 'after')]
}

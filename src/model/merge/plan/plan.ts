/**
 * A merge before its first byte: every output tensor with its inputs, parameters, type and size. A pure value that can
 * be printed and that the engine obeys.
 */
import {
  type ModelHeaders,
  type Dtype,
  dtypeBytes,
  elementCount,
  fault,
  findPlugin,
  suggestion,
  type TensorInfo,
  type TensorSource,
} from '#core'
import { align, type AlignedTensor, type AlignedUse, type Alignment } from './align.ts'
import {
  type Compat,
  type MergeMethod,
  type ParameterSpec,
  type ParameterValue,
  mergeMethodNamed,
} from '#model/merge-methods'
import type { MergeDtype, Recipe } from '../recipe/recipe.ts'
import { settingAt, type Settings } from '../recipe/settings.ts'
import { hasVocabularyRows, type TensorRole, vocabularyRows } from '#model/architectures'
import { tensorRows, type VocabularyPlan } from './vocabulary.ts'

export interface Operand {
  /** Position among the plan's models, and behind them its further sources. */
  readonly input: number
  readonly info: TensorInfo
  /** As the file has it, where rows are found by token: they are read into the type that holds all models' rows. */
  readonly stored?: TensorInfo
}

export type Values = Readonly<Record<string, ParameterValue | null>>

export interface PlannedTensor {
  readonly name: string
  /** Where it stands in the model: before its layers, within them, after them. */
  readonly side: TensorRole['side']
  readonly shape: readonly number[]
  /** As it will be stored. */
  readonly dtype: Dtype
  /** `same`: whole numbers, copied when all inputs agree. */
  readonly work: 'merge' | 'copy' | 'same'
  readonly base: Operand | undefined
  readonly operands: readonly Operand[]
  readonly shared: Values
  /** One record an operand. */
  readonly perModel: readonly Values[]
  /** Further tensor of each operand (a Fisher diagonal, a Gram matrix); empty for methods that know none. */
  readonly extras: readonly (Operand | undefined)[]
  readonly layer: { readonly index: number; readonly count: number } | undefined
  /** Its rows are the vocabulary's, found by token. */
  readonly byToken: boolean
}

/**
 * Every tensor that is read for one of the output: the base first, then the inputs, then what comes along with them.
 */
export function operandsOf({ base, operands, extras }: Pick<PlannedTensor, 'base' | 'operands' | 'extras'>): Operand[] {
  return [...(base === undefined ? [] : [base]), ...operands, ...extras.filter((extra) => extra !== undefined)]
}

export interface MergePlan {
  readonly method: string
  readonly compat: Compat
  readonly seed: number
  /** Models' references, in the order that operands count. */
  readonly inputs: readonly string[]
  /** Sources that are no models, counted on behind them: Fisher diagonals, Gram matrices, routers. */
  readonly further: readonly string[]
  /** Position of the base among them. */
  readonly base: number | undefined
  /** Inputs are rounded to this type before anything else. */
  readonly dtype: MergeDtype | undefined
  readonly tensors: readonly PlannedTensor[]
  readonly vocabulary: VocabularyPlan | undefined
  /** Layers of the output by prefix, where slices rearrange them. */
  readonly layers: Alignment['layers']
  readonly notes: readonly string[]
}

export interface PlanOptions {
  compat?: Compat | undefined
  seed?: number | undefined
  /** Rows by token, when the recipe asks for a tokenizer. */
  vocabulary?: VocabularyPlan | undefined
  /** Files of further tensors that parameters name, each `name` as there. */
  further?: readonly TensorSource[] | undefined
}

/**
 * Checks a recipe against the headers of its inputs, one per model in the order of the recipe, and plans every tensor
 * of the output; nothing is read but headers. Throws `tensor.missing`, `tensor.shape`, `tensor.dtype`, `usage.value` (a
 * parameter that is missing or not a number, a number of models that the method cannot take).
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { openMergeFile, parseRecipes, planMerge } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * const [recipe] = parseRecipes(await readFile('recipe.yml', 'utf8'), 'recipe.yml')
 * const plan = planMerge(recipe!, opened.inputs)
 * console.log(plan.method, plan.tensors.length) // → linear 47
 * await opened.close()
 * ```
 */
export function planMerge(
  recipe: Recipe,
  inputs: readonly ModelHeaders[],
  { compat = 'exact', seed = 0, vocabulary, further = [] }: PlanOptions = {},
): MergePlan {
  const method = mergeMethodNamed(recipe.method)
  const { tensors: aligned, layers, notes } = align(recipe, inputs)
  const named = recipe.base ?? aligned.find(({ base }) => base !== undefined)?.slice.base
  const base = inputs.findIndex(({ model }) => model === named)
  const planning: Planning = { recipe, method, compat, inputs, vocabulary, further }
  const tensors = aligned.map((tensor) => planned(tensor, planning))
  return {
    method: recipe.method,
    compat,
    seed,
    inputs: inputs.map(({ model }) => model),
    further: further.map(({ name }) => name),
    base: base < 0 ? undefined : base,
    dtype: recipe.dtype,
    tensors,
    vocabulary,
    layers,
    notes: [...notes, ...(vocabulary === undefined ? [] : unknownRows(tensors, vocabulary))],
  }
}

/** Throws `usage.value` for a token whose source a tensor is not made of. */
function unknownRows(tensors: readonly PlannedTensor[], vocabulary: VocabularyPlan): string[] {
  return tensors.flatMap((tensor) => {
    if (!tensor.byToken) return []
    const models = operandsOf(tensor).map(({ input }) => input)
    const { unknown } = tensorRows(vocabulary, models, tensor.name)
    return unknown === 0
      ? []
      : [`${tensor.name}: ${unknown} tokens of the output are in no model it is made of, their rows are zero`]
  })
}

/** What every tensor is planned by. */
interface Planning extends Pick<PlanOptions, 'vocabulary'> {
  readonly recipe: Recipe
  readonly method: MergeMethod
  readonly compat: Compat
  readonly inputs: readonly ModelHeaders[]
  readonly further: readonly TensorSource[]
}

function planned(tensor: AlignedTensor, planning: Planning): PlannedTensor {
  const { recipe, method, compat, inputs, vocabulary } = planning
  const { name, role, base, uses, layer } = tensor
  const found = uses.map(({ input, info }): Operand => ({ input, info }))
  const all = base === undefined ? found : [base, ...found]
  const byToken =
    vocabulary !== undefined &&
    all.every(({ input, info }) => hasVocabularyRows(role, info.shape, vocabularyRows(inputs[input]?.config ?? {})))
  const shape = byToken
    ? [vocabulary.rows, ...sameShape(tensor, all.map(withoutRows), inputs)]
    : sameShape(tensor, all, inputs)
  const types = all.map(({ info }) => info.dtype)
  const whole = types.filter((dtype) => !isFloat(dtype))
  if (whole.length > 0 && whole.length < types.length) {
    throw fault('tensor.dtype', {
      place: name,
      what: 'floating point in some inputs, whole numbers in others',
      seen: types,
    })
  }
  const read =
    recipe.dtype ?? (isBaseType(method, compat, byToken) && base !== undefined ? base.info.dtype : promoted(types))
  const asRows = (operand: Operand): Operand =>
    byToken ? { ...operand, info: { ...operand.info, dtype: read }, stored: operand.info } : operand
  const dtype = recipe.outDtype ?? method.storedAs?.(compat) ?? read
  const shared = sharedValues(tensor, recipe, method)
  const perModel = uses.map((use) => valuesOf(use, tensor, recipe, method))
  const lone =
    all.length === 1 &&
    findPlugin(method) === undefined &&
    method.streaming === 'elementwise' &&
    method.base === 'none' &&
    [shared, ...perModel].every(isUnset)
  const changed = lone && !byToken && dtype === types[0] ? 'copy' : 'merge'
  return {
    name,
    side: role.side,
    shape,
    dtype: whole.length > 0 ? (types[0] ?? 'I64') : dtype,
    work: whole.length > 0 ? 'same' : changed,
    base: base === undefined ? undefined : asRows(base),
    operands: found.map(asRows),
    shared,
    perModel,
    extras: method.extra === undefined ? [] : uses.map((use) => extraOf(use, tensor, planning)),
    layer,
    byToken,
  }
}

/**
 * 0.1.4 takes everything into the type of a base that the method needs, 0.1.5 into one that holds all; rows by token
 * have that one in both.
 */
function isBaseType({ base }: MergeMethod, compat: Compat, byToken: boolean): boolean {
  return base === 'required' && compat !== 'exact' && !byToken
}

/** The tensor of the file that a model's parameter `fisher` or `gram` names. */
function extraOf(
  { parameters, info }: AlignedUse,
  { t, slice, module }: AlignedTensor,
  { recipe, method: { extra }, further, inputs: { length: models } }: Planning,
): Operand | undefined {
  if (extra === undefined) return undefined
  const file = firstGiven(
    [parameters, slice.parameters, module.parameters, recipe.parameters],
    extra.kind,
    info.name,
    t,
  )
  if (file === null) return undefined
  const at = further.findIndex(({ name }) => name === file)
  const found = further[at]?.info(extra.delivery === 'block' ? info.name : `${info.name}.${extra.kind}`)
  if (found !== undefined && extra.delivery === 'block' && found.shape.join() !== info.shape.join()) {
    throw fault('tensor.shape', {
      place: `${String(file)} › ${found.name}`,
      what: 'the shape does not fit the weight',
      seen: found.shape,
      wanted: info.shape,
    })
  }
  return found === undefined ? undefined : { input: models + at, info: found }
}

function withoutRows({ input, info }: Operand): Operand {
  return { input, info: { ...info, shape: info.shape.slice(1) } }
}

function isUnset(values: Values): boolean {
  return Object.values(values).every((value) => value === null)
}

function sameShape(
  { name, role }: AlignedTensor,
  operands: readonly Operand[],
  inputs: readonly ModelHeaders[],
): readonly number[] {
  const [first, ...others] = operands
  if (first === undefined) throw fault('internal', { place: name, what: 'a tensor without inputs' })
  const other = others.find(({ info }) => info.shape.join() !== first.info.shape.join())
  if (other === undefined) return first.info.shape
  const vocabulary = inputs.map(({ config }) => vocabularyRows(config)).find((size) => size !== undefined)
  throw fault('tensor.shape', {
    place: `${inputs[other.input]?.model ?? ''} › ${other.info.name}`,
    what: 'the shape does not fit the other inputs',
    seen: other.info.shape,
    wanted: first.info.shape,
    hint: hasVocabularyRows(role, first.info.shape, vocabulary)
      ? 'vocabularies differ: set tokenizer_source: union'
      : 'only models of one shape can be merged',
  })
}

function isFloat(dtype: Dtype): boolean {
  return dtype.startsWith('F') || dtype === 'BF16'
}

/** The narrowest type that holds all: two kinds of 16 bits meet in float32. */
function promoted(types: readonly Dtype[]): Dtype {
  const distinct = [...new Set(types)]
  const [only] = distinct
  if (distinct.length === 1 && only !== undefined) return only
  return distinct.includes('F64') ? 'F64' : 'F32'
}

/**
 * A required value that no level gives stops the plan; a level whose conditions match nothing leaves the word to the
 * next.
 */
function valuesOf(
  { parameters, info, input }: AlignedUse,
  { t, slice, module }: AlignedTensor,
  recipe: Recipe,
  method: MergeMethod,
): Values {
  const levels = [parameters, slice.parameters, module.parameters, recipe.parameters]
  const place = `input ${input + 1} › ${info.name}`
  return resolved(method, 'model', levels, { name: info.name, t, place })
}

function sharedValues({ name, t, slice, module }: AlignedTensor, recipe: Recipe, method: MergeMethod): Values {
  const levels = [slice.parameters, module.parameters, recipe.parameters]
  return resolved(method, 'shared', levels, { name, t, place: name })
}

function resolved(
  method: MergeMethod,
  scope: ParameterSpec['scope'],
  levels: readonly Settings[],
  { name, t, place }: { readonly name: string; readonly t: number; readonly place: string },
): Values {
  return Object.fromEntries(
    Object.entries(method.parameters)
      .filter(([, spec]) => spec.scope === scope)
      .map(([key, spec]) => {
        const given = firstGiven(levels, key, name, t)
        const value = given ?? spec.fallback
        if (value === undefined)
          throw fault('usage.value', {
            place,
            what: `${method.name} needs the parameter ${key}`,
            hint: `parameters: {${key}: …}`,
          })
        return [key, checked(value, spec, `${place} › ${key}`)]
      }),
  )
}

function firstGiven(levels: readonly Settings[], key: string, name: string, t: number): ParameterValue | null {
  for (const level of levels) {
    const setting = level[key]
    const value = setting === undefined ? null : settingAt(setting, name, t, key)
    if (value !== null) return value
  }
  return null
}

/** Truth values count as 1 and 0 where a number is wanted, numbers as truth values where a flag is. */
function checked(value: ParameterValue | null, { kind, words }: ParameterSpec, place: string): ParameterValue | null {
  if (value === null) return null
  switch (kind) {
    case 'number': {
      const number = typeof value === 'boolean' ? Number(value) : value
      if (typeof number === 'number' && Number.isFinite(number)) return number
      throw fault('usage.value', { place, what: 'not a number', seen: value })
    }
    case 'flag':
      if (typeof value === 'boolean') return value
      if (value === 0 || value === 1) return value === 1
      if (typeof value === 'string') return value
      throw fault('usage.value', { place, what: 'neither true nor false', seen: value })
    case 'word':
      if (words !== undefined && !words.includes(String(value)))
        throw fault('usage.value', { place, what: 'no such word', seen: value, hint: suggestion(String(value), words) })
      if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
      throw fault('usage.value', { place, what: 'not a word', seen: value })
    default:
      return kind satisfies never
  }
}

/**
 * Bytes that a merge reads – every input once – and writes.
 *
 * @example
 * ```ts
 * import { openMergeFile, planBytes } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * console.log(planBytes(opened.plan)) // → { read: 2080256, written: 1040128 }
 * await opened.close()
 * ```
 */
export function planBytes({ tensors }: MergePlan): { read: number; written: number } {
  let [read, written] = [0, 0]
  for (const tensor of tensors) {
    const { shape, dtype } = tensor
    for (const { info } of operandsOf(tensor)) read += info.byteLength
    written += elementCount(shape) * dtypeBytes(dtype)
  }
  return { read, written }
}

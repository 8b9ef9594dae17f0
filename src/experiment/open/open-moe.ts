/**
 * From a mixture's configuration to its models, opened as far as their headers, its routers, and the plan that joins
 * them.
 */
import { basename, extname } from 'node:path'
import { decimals, fault, type ModelHeaders, type OnProgress, type TensorSource } from '#core'
import {
  conditionNumbers,
  type Gates,
  gateTensors,
  memorySource,
  missingBiases,
  type MoeOutline,
  type MoeRecipe,
  outlineMoe,
  parseMoeRecipe,
  planMoe,
  type PlanOptions,
  readsPrompts,
  type Recipe,
} from '#model/merge'
import { readConfig } from './config-of.ts'
import { makeGates } from './moe-gates.ts'
import { listOrigins } from './origins.ts'
import type { MergeInput, OpenedMerge, Resolve } from './opened-merge.ts'

export interface MoeOptions {
  /** Accepts experts that only further training can make different. */
  untrained?: boolean | undefined
  /** Only the plan is needed: no prompt is read. */
  planOnly?: boolean | undefined
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/** Above this condition number a router's rows are too similar; mergekit-moe's threshold. */
const wellConditioned = 5

/**
 * Throws what reading the configuration, opening its models, running the base's prompts and planning throw; every model
 * is closed again then.
 */
export async function openMoe(
  text: string,
  path: string,
  resolve: Resolve,
  options: PlanOptions & MoeOptions = {},
): Promise<OpenedMerge> {
  const { compat = 'exact', seed = 0, planOnly = false } = options
  const recipe = parseMoeRecipe(text, path, { untrained: options.untrained === true })
  const inputs: MergeInput[] = []
  const close = async (): Promise<void> => {
    await Promise.all(inputs.map(({ tensors }) => tensors.close()))
  }
  try {
    for (const model of new Set([
      recipe.base,
      ...[...recipe.experts, ...recipe.shared].map((expert) => expert.model),
    ])) {
      const parts = await resolve.model(model)
      const { body, tensors } = parts
      inputs.push({ model, tensors, files: body, origins: listOrigins(parts), config: await readConfig(body) })
    }
    const [donor] = inputs
    if (donor === undefined) throw fault('internal', { place: path, what: 'the mixture has no models' })
    const outline = outlineMoe(recipe, inputs, path)
    const gates = planOnly
      ? undefined
      : await makeGates(outline, () => resolve.model(recipe.base), { ...options, mode: recipe.gateMode, seed })
    const routers = routerSource(outline, recipe, donor, gates)
    const plan = planMoe(recipe, outline, inputs, routers, { compat, seed })
    const notes = [...plan.notes, ...(gates === undefined ? [] : await alikeNotes(recipe, outline, gates))]
    return {
      recipe: asRecipe(recipe),
      recipeFile: 'mergekit_moe_config.yml',
      stem: basename(path, extname(path)),
      plan: { ...plan, notes },
      config: outline.config,
      inputs,
      further: [routers],
      donor,
      joined: undefined,
      chatTemplate: undefined,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function routerSource(
  outline: MoeOutline,
  recipe: MoeRecipe,
  base: ModelHeaders,
  gates: Gates | undefined,
): TensorSource {
  const { width } = outline
  return memorySource(`routers (${recipe.gateMode})`, [
    ...gateTensors(outline, recipe).map(({ name, layer, from, to, shape }) => ({
      name,
      shape,
      values: gates?.[layer]?.slice(from * width, to * width),
    })),
    ...missingBiases(outline, base).map(({ name, shape }) => ({
      name,
      shape,
      values: new Float32Array(shape[0] ?? 0),
    })),
  ])
}

async function alikeNotes({ gateMode }: MoeRecipe, { gated }: MoeOutline, gates: Gates): Promise<string[]> {
  const numbers = await conditionNumbers(gates, gated.length)
  const alike = numbers.flatMap((number, layer) => (number > wellConditioned ? [layer] : []))
  if (alike.length === 0 || gated.length === 1) return []
  const some = alike.length === 1 ? `layer ${alike[0]}` : `layers ${alike.slice(0, 8).join(', ')}`
  const which = alike.length === numbers.length ? 'all layers' : `${some}${alike.length > 8 ? ' …' : ''}`
  const worst = Math.max(...numbers)
  const why = readsPrompts(gateMode) ? 'the prompts may be too similar' : 'the random numbers are too similar'
  return [
    `the routers of ${which} hardly separate the experts (condition number up to ${Number.isFinite(worst) ? decimals(worst, 1) : 'infinity'}): ${why}, and some experts will rarely be chosen`,
  ]
}

/** The parts of a recipe that the output's card and folder need. */
function asRecipe({ base, experts, shared, dtype, text }: MoeRecipe): Recipe {
  const sources = [...experts, ...shared].map(({ model }) => ({ model, layers: undefined, parameters: {} }))
  return {
    name: undefined,
    method: 'moe',
    base,
    modules: { '': { slices: [{ sources, base: undefined, parameters: {} }], parameters: {} } },
    parameters: {},
    dtype,
    outDtype: undefined,
    tokenizer: undefined,
    chatTemplate: undefined,
    text,
  }
}

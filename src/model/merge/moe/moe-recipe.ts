/**
 * A mixture of experts as its author means it: mergekit-moe's configuration, checked as far as it can be without its
 * models.
 */
import { fault, suggestion } from '#core'
import { locateYaml, parseWith, parseYaml, zod, type Zod } from '#files/formats'
import { dtypeNamed, type MergeDtype } from '../recipe/dtype-names.ts'
import { referenceSchema } from '../recipe/reference-schema.ts'

/**
 * Where a router's rows come from: hidden states of prompts (last token, or the mean over tokens), token embeddings of
 * prompts, the seed.
 */
export const gateModes = ['hidden', 'hidden_avg', 'hidden_last', 'cheap_embed', 'random', 'uniform_random'] as const
export type GateMode = (typeof gateModes)[number]

export interface Expert {
  /** Whose feed-forward layers. */
  readonly model: string
  readonly positive: readonly string[]
  readonly negative: readonly string[]
  /** Standard deviation of Gaussian noise on its weights. */
  readonly noiseScale: number | undefined
  /** Factor on what it adds to the residual stream: its `down_proj`. */
  readonly residualScale: number | undefined
}

export interface MoeRecipe {
  /** Whose everything else. */
  readonly base: string
  readonly experts: readonly Expert[]
  /** Always on. */
  readonly shared: readonly Expert[]
  readonly gateMode: GateMode
  readonly expertsPerToken: number
  readonly dtype: MergeDtype | undefined
  /** Output family, by the beginning of its name. */
  readonly architecture: string | undefined
  /** As written. */
  readonly text: string
}

/** Whether a configuration is one of these: it has `experts`. */
export function isMoeRecipe(text: string, place: string): boolean {
  if (!/^["']?experts["']?\s*:/m.test(text)) return false
  const value = parseYaml(text, place)
  return typeof value === 'object' && value !== null && 'experts' in value
}

export interface MoeCheck {
  /** Accepts experts that are all the same model, which only training can tell apart. */
  untrained?: boolean
}

/**
 * Throws `usage.value` with line and column: an unknown key, too few experts, missing prompts, prompts or models that
 * are the same for all.
 */
export function parseMoeRecipe(text: string, place: string, { untrained = false }: MoeCheck = {}): MoeRecipe {
  const raw = parseWith(schema(), text, 'yaml', place)
  const at = (...path: PropertyKey[]): string => locateYaml(text, place, path)
  const gateMode = gateModes.find((mode) => mode === raw.gate_mode)
  if (gateMode === undefined) {
    throw fault('usage.value', {
      place: at('gate_mode'),
      what: 'no such gate_mode',
      seen: raw.gate_mode,
      hint: suggestion(raw.gate_mode, gateModes),
    })
  }
  const { experts_per_token: expertsPerToken } = raw
  const experts = raw.experts.map(expertOf)
  const shared = raw.shared_experts.map(expertOf)
  if (experts.length < expertsPerToken) {
    throw fault('usage.value', {
      place: at('experts'),
      what: 'fewer experts than each token uses',
      seen: experts.length,
      wanted: `at least ${expertsPerToken} (experts_per_token)`,
    })
  }
  if (readsPrompts(gateMode)) checkPrompts(experts, at)
  if (new Set(shared.map(({ positive }) => positive.length > 0)).size > 1)
    throw fault('usage.value', {
      place: at('shared_experts'),
      what: 'some shared experts have prompts, others none',
      wanted: 'prompts for all of them or for none',
    })
  if (!untrained && new Set(experts.map(({ model }) => model)).size === 1) {
    throw fault('usage.value', {
      place: at('experts'),
      what: 'all experts are the same model: the output is that model at a higher cost',
      hint: 'to train it afterwards, give --i-understand-this-is-not-useful-without-training',
    })
  }
  return {
    base: raw.base_model,
    experts,
    shared,
    gateMode,
    expertsPerToken,
    dtype: dtypeNamed(raw.dtype, at('dtype')),
    architecture: raw.architecture,
    text: text.trim(),
  }
}

export function readsPrompts(mode: GateMode): boolean {
  return mode !== 'random' && mode !== 'uniform_random'
}

function checkPrompts(experts: readonly Expert[], at: (...path: PropertyKey[]) => string): void {
  const bare = experts.findIndex(({ positive }) => positive.length === 0)
  if (bare >= 0)
    throw fault('usage.value', {
      place: at('experts', bare),
      what: 'the expert has no positive_prompts',
      hint: 'give it texts of the kind it should handle',
    })
  const asked = new Set(experts.map(({ positive, negative }) => JSON.stringify([positive, negative])))
  if (asked.size === 1)
    throw fault('usage.value', {
      place: at('experts'),
      what: 'all experts have the same prompts: no router could tell them apart',
      hint: 'give each expert its own prompts',
    })
}

type RawExpert = ReturnType<ReturnType<typeof makeSchema>['parse']>['experts'][number]

function expertOf({
  source_model: model,
  positive_prompts: positive,
  negative_prompts: negative,
  noise_scale: noise,
  residual_scale: residual,
}: RawExpert): Expert {
  return { model, positive, negative, noiseScale: noise ?? undefined, residualScale: residual ?? undefined }
}

let made: ReturnType<typeof makeSchema> | undefined

function schema(): ReturnType<typeof makeSchema> {
  made ??= makeSchema(zod())
  return made
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
function makeSchema(z: Zod) {
  const model = referenceSchema(z)
  const prompts = z
    .array(z.string())
    .nullish()
    .transform((given) => given ?? [])
  const expert = z.strictObject({
    source_model: model,
    positive_prompts: prompts,
    negative_prompts: prompts,
    noise_scale: z.number().min(0).nullish(),
    residual_scale: z.number().nullish(),
  })
  const text = z
    .string()
    .nullish()
    .transform((given) => given ?? undefined)
  return z.strictObject({
    base_model: model,
    experts: z.array(expert).min(1),
    shared_experts: z
      .array(expert)
      .nullish()
      .transform((given) => given ?? []),
    gate_mode: z.string().default('hidden'),
    experts_per_token: z.number().int().min(1).default(2),
    dtype: text,
    architecture: text,
  })
}

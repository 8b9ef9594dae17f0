/** PEFT's adapter_config.json, as far as merged weights depend on it. */
import { fault } from '#core'
import {
  describeUnread,
  fieldOf,
  flagOf,
  isObject,
  type JsonFields,
  optionalObjectOf,
  wrongField,
} from '#files/formats'

export interface LoraConfig {
  readonly bias: 'none' | 'all' | 'lora_only'
  readonly fanInFanOut: boolean
  /** The head follows the token table: what PEFT adds to one it adds to the other, whatever its targets say. */
  readonly ensuresTie: boolean
  /** Whether a module may have been adapted; undefined target modules leave that to the tensors. */
  isTarget(module: string): boolean
  /** Whether a tensor belongs to a module that was trained whole. */
  isSaved(tensor: string): boolean
  rank(module: string): number
  /** Factor of B·A: alpha / r, with rank-stabilised LoRA alpha / √r (Kalajdzievski 2023). */
  scale(module: string): number
}

/** Faults: `config.value` for a field of the wrong type, `config.unsupported` for what plain LoRA cannot express. */
export function readLoraConfig(config: unknown, place: string): LoraConfig {
  if (!isObject(config)) throw fault('config.value', { place, what: 'adapter config is not an object' })
  refuseUnsupported(config, place)
  const fields: JsonFields = { place, fields: config }
  const [rank, alpha] = [positive(fields, 'r', 8), positive(fields, 'lora_alpha', 8)]
  const [ranks, alphas] = [patterns(fields, 'rank_pattern'), patterns(fields, 'alpha_pattern')]
  const targets = names(fields, 'target_modules')
  const saved = names(fields, 'modules_to_save') ?? []
  const stabilised = flagOf(fields, 'use_rslora', false)
  const bias = fieldOf(config, 'bias') ?? 'none'
  if (bias !== 'none' && bias !== 'all' && bias !== 'lora_only')
    throw wrongField(place, 'bias', bias, 'none, all or lora_only')
  const rankOf = (module: string): number => lookUp(ranks, module) ?? rank
  return {
    bias,
    fanInFanOut: flagOf(fields, 'fan_in_fan_out', false),
    ensuresTie: flagOf(fields, 'ensure_weight_tying', false),
    isTarget: (module) => targets === undefined || endsWithOne(module, targets),
    isSaved: (tensor) => saved.some((name) => `.${tensor}`.includes(`.${name}.`)),
    rank: rankOf,
    scale: (module) => (lookUp(alphas, module) ?? alpha) / (stabilised ? Math.sqrt(rankOf(module)) : rankOf(module)),
  }
}

/** Fields of PEFT 0.21 that are read, or that say how an adapter was trained. */
const known = {
  read:
    'peft_type base_model_name_or_path revision r lora_alpha rank_pattern alpha_pattern target_modules ' +
    'modules_to_save use_rslora bias fan_in_fan_out ensure_weight_tying init_lora_weights',
  training:
    'task_type inference_mode auto_mapping peft_version lora_dropout exclude_modules layers_to_transform ' +
    'layers_pattern loftq_config eva_config corda_config lora_ga_config velora_config monteclora_config ' +
    'megatron_config megatron_core qalora_group_size runtime_config lora_bias',
} as const

/** What plain LoRA cannot express. */
const beyond = [
  'use_dora',
  'use_qalora',
  'use_bdlora',
  'kasa_config',
  'layer_replication',
  'target_parameters',
  'trainable_token_indices',
  'alora_invocation_tokens',
  'arrow_config',
]

/** A line for the fields of an adapter_config.json that are not followed: every PEFT version adds some. */
export function unreadLoraFields(config: unknown, place: string): string[] {
  if (!isObject(config)) return []
  return describeUnread({ place, fields: config }, [...known.read.split(' '), ...known.training.split(' '), ...beyond])
}

function refuseUnsupported(config: Record<string, unknown>, place: string): void {
  const type = config['peft_type']
  if (typeof type !== 'string' || type.toUpperCase() !== 'LORA') {
    throw fault('config.unsupported', {
      place,
      what: 'adapter is not LoRA',
      seen: type ?? 'no peft_type',
      wanted: 'peft_type LORA',
      hint: 'merge it into its base model with PEFT and open the result',
    })
  }
  for (const key of beyond) {
    const value = config[key]
    const set = Array.isArray(value) ? value.length > 0 : Boolean(value)
    if (set)
      throw fault('config.unsupported', {
        place,
        what: `${key} is not supported`,
        hint: 'merge it into its base model with PEFT and open the result',
      })
  }
  // These initialisations also change the base weights, by a decomposition that is not stored.
  const start = config['init_lora_weights']
  if (typeof start === 'string' && /^(pissa|olora|corda|loftq|lora_ga)/i.test(start)) {
    throw fault('config.unsupported', {
      place,
      what: `init_lora_weights ${start} changes the base weights`,
      hint: 'convert it to a plain LoRA with PEFT (path_initial_model_for_weight_conversion)',
    })
  }
}

interface Pattern {
  matches: RegExp
  value: number
}

/** PEFT matches `(.*\.)?(key)$` from the start of a module's name; the first key that fits counts. */
function patterns(config: JsonFields, key: string): Pattern[] {
  const { place, fields } = optionalObjectOf(config, key) ?? { place: config.place, fields: {} }
  return Object.entries(fields).map(([pattern, entry]) => {
    if (typeof entry !== 'number' || !(entry > 0) || !Number.isFinite(entry))
      throw wrongField(place, pattern, entry, 'a positive number')
    return { matches: compile(pattern, place), value: entry }
  })
}

/**
 * Only patterns whose backtracking stays small: at most two quantifiers besides PEFT's own, none on a group, over names
 * of bounded length.
 */
function compile(pattern: string, place: string): RegExp {
  const quantifiers = pattern.match(/[*+?{]/g)?.length ?? 0
  if (pattern.length > 500 || quantifiers > 2 || /\)[*+?{]/.test(pattern) || /\(\?|\\[1-9]/.test(pattern)) {
    throw fault('config.unsupported', { place, what: 'pattern is too complex', seen: pattern })
  }
  try {
    return new RegExp(`^(?:.*\\.)?(?:${pattern})$`)
  } catch (error) {
    throw fault('config.value', { place, what: 'not a regular expression', seen: pattern, cause: error })
  }
}

/** Names of modules; two or three times what any model has. */
const LONGEST_MODULE = 256

function lookUp(list: readonly Pattern[], module: string): number | undefined {
  return module.length > LONGEST_MODULE ? undefined : list.find(({ matches }) => matches.test(module))?.value
}

function positive({ place, fields }: JsonFields, key: string, absent: number): number {
  const value = fieldOf(fields, key) ?? absent
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw wrongField(place, key, value, 'a positive number')
  return value
}

/** A list of module names; a string (regular expression, `all-linear`) says nothing that the tensors do not say. */
function names({ place, fields }: JsonFields, key: string): string[] | undefined {
  const value = fieldOf(fields, key) ?? undefined
  if (value === undefined || typeof value === 'string') return undefined
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw wrongField(place, key, value, 'a list of module names')
  return value
}

function endsWithOne(module: string, names: readonly string[]): boolean {
  return names.some((name) => module === name || module.endsWith(`.${name}`))
}

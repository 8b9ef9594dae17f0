/** How a model is read: the user's options first, then the folder's settings, then the defaults of decisions. */
import { deviceName, fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Tokenizer } from '#model/tokenizer'
import { type Arithmetic, shortNames, type ModelOptions, type ModelSettings, type PoolingName } from '#model/passes'
import { type AdapterChoice, chooseAdapter } from './adapter-choice.ts'
import type { ModelRule } from './model-rules.ts'
import type { ModulesSpec } from './modules.ts'
import type { PromptChoice } from './prompts.ts'

/** Longest input when neither user nor folder says: encoders, decoders. */
const defaultLength = { encoder: 512, decoder: 2048 } as const

export interface Read {
  readonly settings: ModelSettings
  readonly prompts: PromptChoice
  /** Settings that differ from the folder's own, as they appear in a representation's name (`len128`). */
  readonly overrides: readonly string[]
}

export interface ReadFrom {
  readonly spec: ModelSpec
  readonly modules: ModulesSpec | undefined
  readonly tokenizer: Tokenizer | undefined
  readonly rule: ModelRule | undefined
  readonly adapters?: AdapterChoice | undefined
  readonly arithmetic: Arithmetic
  readonly place: string
}

export function readSettings(
  { spec, modules, tokenizer, rule, adapters, arithmetic, place }: ReadFrom,
  options: ModelOptions,
): Read {
  const ownLength = lengthOf(spec, modules, tokenizer)
  const maxLength = options.maxLength ?? ownLength
  if (spec.maxTokens !== undefined && maxLength > spec.maxTokens) {
    throw fault('usage.value', {
      place: `${place} › max length`,
      what: 'longer than the positions of the model',
      seen: maxLength,
      wanted: `at most ${spec.maxTokens}`,
    })
  }
  const late = lateOf(modules, options)
  const { pooling, splade, isOwn } = choosePooling(modules, options)
  const ownNorm = spec.final.norm ? 'always' : 'native'
  const finalNorm = spec.final.norm ? (options.finalNorm ?? ownNorm) : ownNorm
  const dtype = shortNames[arithmetic.type]
  const device = deviceName(options.device ?? 'cpu')
  const adapter = chooseAdapter(adapters)
  const { includePrompt = true, lowerCase = false } = {
    ...modules,
    ...(rule?.includePrompt === undefined ? {} : { includePrompt: rule.includePrompt }),
  }
  return {
    settings: {
      pooling,
      maxLength,
      finalNorm,
      includePrompt,
      lowerCase,
      chat: options.chat === true,
      ...(options.normalize === true ? { normalize: true } : {}),
      ...(adapter === undefined ? {} : { adapter }),
      dtype,
      engine: arithmetic.version === undefined ? undefined : `${arithmetic.engine} ${arithmetic.version}`,
      device,
      native: 'transformers-5',
      similarity: modules?.similarity ?? 'cosine',
      ...late,
      ...splade,
    },
    prompts: { ...promptsOf(modules, adapters === undefined ? rule : undefined, options), adapters },
    overrides: [
      ...(isOwn ? [] : pooling),
      ...numbered('first', options.layers),
      ...numbered('len', maxLength === ownLength ? undefined : maxLength),
      ...(finalNorm === ownNorm ? [] : [finalNorm]),
      ...promptWords(options),
      ...(options.adapter === undefined ? [] : [`adapter-${options.adapter}`]),
      ...(options.chat === true ? ['chat'] : []),
      ...(options.normalize === true ? ['unit'] : []),
      ...(options.architecture === undefined ? [] : [`as-${options.architecture}`]),
      ...arithmeticName({ dtype, device }, arithmetic),
    ],
  }
}

function numbered(word: string, value: number | undefined): readonly string[] {
  return value === undefined ? [] : [`${word}${value}`]
}

/** The lengths of both sides, and of an expansion, end with that of the caller. */
function lateOf(
  modules: ModulesSpec | undefined,
  { pooling, maxLength: most = Infinity }: ModelOptions,
): Pick<ModelSettings, 'lateInteraction'> {
  const own = modules?.lateInteraction
  if (own === undefined || pooling !== undefined) return {}
  if (most === Infinity) return { lateInteraction: own }
  const { query = most, document = most } = own.lengths
  return {
    lateInteraction: {
      ...own,
      lengths: { query: Math.min(query, most), document: Math.min(document, most) },
      ...(own.expansion && { expansion: { ...own.expansion, length: Math.min(own.expansion.length, most) } }),
    },
  }
}

/** The folder's pooling, or the user's, which makes an encoder of a model that weighs words. */
function choosePooling(
  modules: ModulesSpec | undefined,
  { pooling: named }: ModelOptions,
): Pick<ModelSettings, 'pooling'> & { readonly splade: Pick<ModelSettings, 'splade'>; readonly isOwn: boolean } {
  const own: readonly PoolingName[] = modules?.pooling ?? ['mean']
  if (named !== undefined) return { pooling: [named], splade: {}, isOwn: isPooled(modules) && named === own.join() }
  const { pooling = 'max', logs = 1 } = modules?.splade ?? {}
  return { pooling: own, splade: modules?.splade === undefined ? {} : { splade: { pooling, logs } }, isOwn: true }
}

/** Weights of words, or a vector per token, are not what a pooling of states gives. */
function isPooled(modules: ModulesSpec | undefined): boolean {
  return modules?.splade === undefined && modules?.lateInteraction === undefined
}

/** On the processor each of the other types exists in one engine only: their names imply it. */
function arithmeticName(
  { dtype, device }: Pick<ModelSettings, 'dtype' | 'device'>,
  { engine }: Arithmetic,
): readonly string[] {
  const place = device === 'cpu' ? [] : [device]
  if (dtype !== 'f32') return [...place, dtype]
  return engine === 'openvino' ? ['openvino'] : place
}

/**
 * The folder's value, or otherwise the longest that tokenizer and positions allow, capped at the default for plain
 * transformers.
 */
function lengthOf(spec: ModelSpec, modules: ModulesSpec | undefined, tokenizer: Tokenizer | undefined): number {
  if (modules?.maxLength !== undefined) return modules.maxLength
  const usual = spec.causal ? defaultLength.decoder : defaultLength.encoder
  const most = Math.min(spec.maxTokens ?? Infinity, tokenizer?.modelMaxLength ?? Infinity)
  if (modules === undefined) return Math.min(usual, most)
  return Number.isFinite(most) ? most : defaultLength.decoder
}

/** Prompts of the folder, what mteb does with a model of this name, and what the caller says about them. */
export function promptsOf(
  modules: ModulesSpec | undefined,
  rule: ModelRule | undefined,
  { prompt, promptName }: Pick<ModelOptions, 'prompt' | 'promptName'>,
): PromptChoice {
  return {
    prompts: modules?.prompts ?? {},
    defaultName: modules?.defaultPromptName,
    rule,
    literal: prompt,
    name: promptName,
  }
}

/** Prompts of the caller, as they stand in a representation's name. */
export function promptWords({ prompt, promptName }: Pick<ModelOptions, 'prompt' | 'promptName'>): readonly string[] {
  return [prompt, promptName].flatMap((text) => (text === undefined ? [] : [`prompt-${shortText(text)}`]))
}

/** A prompt as part of a file name: its first letters and digits, and a checksum against look-alikes. */
function shortText(text: string): string {
  let checksum = 0
  for (const letter of text) checksum = (Math.imul(checksum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return `${text.replace(/[^A-Za-z0-9]+/g, '').slice(0, 12)}${checksum.toString(16)}`
}

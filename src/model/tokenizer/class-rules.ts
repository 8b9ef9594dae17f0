/**
 * What a tokenizer class overrides in its tokenizer.json, from tokenizer_config.json and its own defaults (transformers
 * 4.57).
 */
import type { TokenizerClass } from './classes.ts'
import type { Component, TemplatePiece } from './components.ts'
import type { Definition } from './definition.ts'

type Config = Readonly<Record<string, unknown>>

/** The definition as the class would use it. */
export function applyClass(definition: Definition, kind: TokenizerClass, config: Config): Definition {
  return {
    ...definition,
    normalizer:
      kind.normalizer === undefined
        ? definition.normalizer
        : syncNormalizer(definition.normalizer, kind.normalizer, config),
    preTokenizer: syncPrefixSpace(definition.preTokenizer, kind, config),
    postProcessor:
      kind.roberta === undefined ? definition.postProcessor : syncOffsets(definition.postProcessor, kind, config),
  }
}

/**
 * The template of classes that build their own from `add_bos_token` and `add_eos_token`; undefined for others. Ids by
 * `idOf`, which knows the added tokens.
 */
export function endsTemplate(
  kind: TokenizerClass,
  config: Config,
  special: Readonly<Record<string, string>>,
  idOf: (token: string) => number | undefined,
): Component | undefined {
  if (kind.ends === undefined) return undefined
  const bos = flagOf(config, 'add_bos_token', kind.ends.bos) ? special['bos_token'] : undefined
  const eos = flagOf(config, 'add_eos_token', kind.ends.eos) ? special['eos_token'] : undefined
  const around = (id: 'A' | 'B', typeId: number): readonly TemplatePiece[] => [
    ...(bos === undefined ? [] : [{ SpecialToken: { id: bos, type_id: typeId } }]),
    { Sequence: { id, type_id: typeId } },
    ...(eos === undefined ? [] : [{ SpecialToken: { id: eos, type_id: typeId } }]),
  ]
  const tokens = [bos, eos].flatMap((token) =>
    token === undefined ? [] : [[token, { ids: [idOf(token) ?? 0] }] as const],
  )
  return {
    type: 'TemplateProcessing',
    single: around('A', 0),
    pair: [...around('A', 0), ...around('B', 1)],
    special_tokens: Object.fromEntries(tokens),
  }
}

export function flagOf(config: Config, name: string, fallback: boolean): boolean {
  const value = config[name]
  return typeof value === 'boolean' ? value : fallback
}

/** `strip_accents: null` means as `lowercase` says. */
export function accentsOf(config: Config): boolean | null {
  const value = config['strip_accents']
  return typeof value === 'boolean' ? value : null
}

function syncNormalizer(normalizer: Component | null, kind: 'bert' | 'mpnet', config: Config): Component | null {
  if (normalizer?.type !== 'BertNormalizer') return normalizer
  return {
    ...normalizer,
    lowercase: flagOf(config, 'do_lower_case', true),
    strip_accents: accentsOf(config),
    ...(kind === 'bert' && { handle_chinese_chars: flagOf(config, 'tokenize_chinese_chars', true) }),
  }
}

function syncPrefixSpace(preTokenizer: Component | null, kind: TokenizerClass, config: Config): Component | null {
  if (preTokenizer?.type !== 'ByteLevel') return preTokenizer
  // LlamaTokenizer hands on "not said" instead of its default, and nothing changes.
  const silent = kind.name === 'LlamaTokenizer' && typeof config['add_prefix_space'] !== 'boolean'
  return silent ? preTokenizer : { ...preTokenizer, add_prefix_space: prefixSpace(kind, config) }
}

export function prefixSpace(kind: TokenizerClass, config: Config): boolean {
  return flagOf(config, 'add_prefix_space', kind.addPrefixSpace ?? false)
}

function syncOffsets(processor: Component | null, kind: TokenizerClass, config: Config): Component | null {
  if (processor === null || !('trim_offsets' in processor)) return processor
  return {
    ...processor,
    add_prefix_space: prefixSpace(kind, config),
    trim_offsets: flagOf(config, 'trim_offsets', true),
  }
}

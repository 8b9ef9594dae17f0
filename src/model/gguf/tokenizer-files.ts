/**
 * The tokenizer in a GGUF file as tokenizer.json and tokenizer_config.json. What the metadata leaves open – how text is
 * cut, normalizers – is what transformers (integrations/gguf) and the models' own tokenizers do.
 */
import { fault } from '#core'
import { plainBpe, recoverMerges } from '#model/tokenizer'
import type { Metadata } from './metadata.ts'

type Component = Readonly<Record<string, unknown>>

interface Vocabulary {
  readonly metadata: Metadata
  readonly tokens: readonly string[]
  readonly types: readonly number[]
  /** `gemma3_text` and the like. */
  readonly modelType: string
}

interface Parts {
  readonly model: Component
  readonly normalizer: Component | null
  readonly pre_tokenizer: Component | null
  readonly decoder: Component
  /** Added in front, and at the end, where the file does not say. */
  readonly ends: readonly [bos: boolean, eos: boolean]
}

/** Empty where the file has no vocabulary. Throws `config.unsupported` for kinds of tokenizers that are not read. */
export function tokenizerFiles(metadata: Metadata, modelType: string): [string, string][] {
  const tokens = metadata.optionalTexts('tokenizer.ggml.tokens')
  if (tokens === undefined) return []
  const types = metadata.optionalNumbers('tokenizer.ggml.token_type') ?? []
  const vocabulary = { metadata, tokens, types, modelType }
  const parts = partsOf(vocabulary)
  const special = specialTokens(metadata, tokens)
  const template = metadata.optionalText('tokenizer.chat_template')
  const file = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(vocabulary),
    normalizer: parts.normalizer,
    pre_tokenizer: parts.pre_tokenizer,
    post_processor: endsTemplate(metadata, special, parts),
    decoder: parts.decoder,
    model: parts.model,
  }
  const config = {
    // a class of transformers would change what the file says
    tokenizer_class: 'PreTrainedTokenizerFast',
    ...Object.fromEntries(Object.entries(special).map(([name, { token }]) => [name, token])),
    ...(template === undefined ? {} : { chat_template: template }),
  }
  return [
    ['tokenizer.json', JSON.stringify(file)],
    ['tokenizer_config.json', JSON.stringify(config)],
  ]
}

function partsOf(vocabulary: Vocabulary): Parts {
  const { metadata } = vocabulary
  const kind = metadata.text('tokenizer.ggml.model')
  switch (kind) {
    case 'gpt2':
      return byteLevel(vocabulary)
    case 'llama':
      return sentencePiece(vocabulary)
    case 'bert':
      return wordPiece(vocabulary)
    default:
      throw fault('config.unsupported', {
        place: `${metadata.place} › tokenizer.ggml.model`,
        what: 'tokenizers of this kind are not read from GGUF files',
        seen: kind,
        wanted: 'gpt2, llama, bert',
      })
  }
}

/** Numbers of `llama_token_type`. */
const [control, userDefined] = [3, 4]

function addedTokens({ tokens, types }: Vocabulary): Component[] {
  return tokens.flatMap((content, id) => {
    const type = types[id]
    if ((type !== control && type !== userDefined) || content === '') return []
    return {
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: type === control,
    }
  })
}

interface SpecialToken {
  readonly token: string
  readonly id: number
}

const specialKeys = {
  bos_token: ['bos_token_id'],
  eos_token: ['eos_token_id'],
  unk_token: ['unknown_token_id'],
  pad_token: ['padding_token_id'],
  // llama.cpp spells it so
  sep_token: ['seperator_token_id', 'separator_token_id'],
  cls_token: ['cls_token_id'],
  mask_token: ['mask_token_id'],
} as const

type SpecialTokens = Partial<Record<keyof typeof specialKeys, SpecialToken>>

function specialTokens(metadata: Metadata, tokens: readonly string[]): SpecialTokens {
  return Object.fromEntries(
    Object.entries(specialKeys).flatMap(([name, keys]) => {
      const id = keys.flatMap((key) => metadata.optionalCount(`tokenizer.ggml.${key}`) ?? [])[0]
      if (id === undefined) return []
      const token = tokens[id]
      if (token !== undefined) return [[name, { token, id }]]
      throw fault('config.value', {
        place: `${metadata.place} › ${name}`,
        what: 'a special token that is not in the vocabulary',
        seen: id,
        wanted: `below ${tokens.length}`,
      })
    }),
  )
}

/** Special tokens around a text. */
function endsTemplate(metadata: Metadata, special: SpecialTokens, { ends, model }: Parts): Component | null {
  const isBert = model['type'] === 'WordPiece'
  const first = isBert ? (special.cls_token ?? special.bos_token) : special.bos_token
  const last = isBert ? (special.sep_token ?? special.eos_token) : special.eos_token
  const bos = (metadata.optionalFlag('tokenizer.ggml.add_bos_token') ?? ends[0]) ? first : undefined
  const eos = (metadata.optionalFlag('tokenizer.ggml.add_eos_token') ?? ends[1]) ? last : undefined
  const of = (one: SpecialToken | undefined, type_id: number): Component[] =>
    one === undefined ? [] : [{ SpecialToken: { id: one.token, type_id } }]
  const around = (id: 'A' | 'B', type: number, opens: boolean): Component[] => [
    ...(opens ? of(bos, type) : []),
    { Sequence: { id, type_id: type } },
    ...of(eos, type),
  ]
  if (bos === undefined && eos === undefined) return null
  return {
    type: 'TemplateProcessing',
    single: around('A', 0, true),
    pair: [...around('A', 0, true), ...around('B', 1, !isBert)],
    special_tokens: Object.fromEntries(
      [bos, eos].flatMap((one) =>
        one === undefined ? [] : [[one.token, { id: one.token, ids: [one.id], tokens: [one.token] }]],
      ),
    ),
  }
}

function vocabOf(tokens: readonly string[]): Record<string, number> {
  return Object.fromEntries(tokens.map((token, id) => [token, id]))
}

const bpe = { type: 'BPE', ...plainBpe } as const

const contractions = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)`
const rest = String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
const capitals = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const smalls = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const before = String.raw`[^\r\n\p{L}\p{N}]?`
const symbols = String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

interface Cut {
  readonly regex?: string
  /** Each digit is a word of its own before anything else. */
  readonly digits?: true
  /** A word of the vocabulary is taken whole, whatever the merges say. */
  readonly whole?: true
  readonly nfc?: true
  readonly bos?: true
}

const llama3: Cut = { regex: String.raw`${contractions}|${before}\p{L}+|\p{N}{1,3}|${rest}`, whole: true, bos: true }
const qwen2: Cut = { regex: String.raw`${contractions}|${before}\p{L}+|\p{N}|${rest}`, nfc: true }
const tekken: Cut = {
  regex: String.raw`${before}${capitals}*${smalls}+|${before}${capitals}+${smalls}*|\p{N}|${symbols}`,
  whole: true,
}
const gpt4o: Cut = {
  regex: String.raw`${before}${capitals}*${smalls}+${contractions}?|${before}${capitals}+${smalls}*${contractions}?|\p{N}{1,3}|${symbols}`,
}
const digits: Cut = { digits: true }

/** By `tokenizer.ggml.pre`: what llama.cpp knows to be cut alike. */
const cuts: Readonly<Record<string, Cut>> = {
  'gpt-2': {},
  'phi-2': {},
  'jina-es': {},
  'jina-de': {},
  smollm: digits,
  starcoder: digits,
  refact: digits,
  'command-r': digits,
  llama3,
  'llama-v3': llama3,
  'llama-bpe': llama3,
  falcon3: llama3,
  pixtral: llama3,
  qwen2,
  'deepseek-r1-qwen': qwen2,
  megrez: qwen2,
  tekken,
  'gpt-4o': gpt4o,
  llama4: gpt4o,
}

function byteLevel({ metadata, tokens }: Vocabulary): Parts {
  const pre = metadata.optionalText('tokenizer.ggml.pre')
  const cut = pre !== undefined && Object.hasOwn(cuts, pre) ? cuts[pre] : undefined
  if (cut === undefined)
    throw fault('config.unsupported', {
      place: `${metadata.place} › tokenizer.ggml.pre`,
      what: 'how this tokenizer cuts text is not known',
      seen: pre ?? 'none',
      wanted: Object.keys(cuts).join(', '),
      hint: 'take the checkpoint that it was made from',
    })
  const merges = metadata.optionalTexts('tokenizer.ggml.merges')
  if (merges === undefined)
    throw fault('config.value', { place: `${metadata.place} › tokenizer.ggml.merges`, what: 'is missing' })
  const level = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: cut.regex === undefined }
  const first = [
    ...(cut.digits ? [{ type: 'Digits', individual_digits: true }] : []),
    ...(cut.regex === undefined
      ? []
      : [{ type: 'Split', pattern: { Regex: cut.regex }, behavior: 'Isolated', invert: false }]),
  ]
  return {
    model: { ...bpe, ignore_merges: cut.whole === true, vocab: vocabOf(tokens), merges },
    normalizer: cut.nfc ? { type: 'NFC' } : null,
    pre_tokenizer: first.length === 0 ? level : { type: 'Sequence', pretokenizers: [...first, level] },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    ends: [cut.bos === true, false],
  }
}

const space = '▁'
const [spaces, spaced] = [
  { type: 'Replace', pattern: { String: ' ' }, content: space },
  { type: 'Replace', pattern: { String: space }, content: ' ' },
]

/** SentencePiece's BPE with bytes for what it does not know. */
function sentencePiece({ metadata, tokens, modelType }: Vocabulary): Parts {
  const isGemma = modelType.startsWith('gemma')
  // Gemma's runs of spaces stand as spaces in the file
  const words = isGemma ? tokens.map((token) => (/^ +$/.test(token) ? space.repeat(token.length) : token)) : tokens
  const scores = metadata.optionalNumbers('tokenizer.ggml.scores')
  const given = metadata.optionalTexts('tokenizer.ggml.merges')
  // the order of Gemma's tokens is that of its merges; its scores are not
  const ranks = isGemma ? words.map((_, id) => -id) : scores
  if (given === undefined && ranks?.length !== words.length)
    throw fault('config.value', {
      place: `${metadata.place} › tokenizer.ggml.scores`,
      what: 'not a score per token',
      seen: scores?.length ?? 'none',
      wanted: words.length,
    })
  const unknown = words[metadata.optionalCount('tokenizer.ggml.unknown_token_id') ?? 0]
  const prefix = metadata.optionalFlag('tokenizer.ggml.add_space_prefix') ?? true
  const ownPrefix = isGemma ? false : prefix
  const decoders = [spaced, { type: 'ByteFallback' }, { type: 'Fuse' }]
  const strip = { type: 'Strip', content: ' ', start: 1, stop: 0 }
  return {
    model: {
      ...bpe,
      unk_token: unknown ?? null,
      fuse_unk: true,
      byte_fallback: true,
      vocab: vocabOf(words),
      merges: given ?? recoverMerges(words, ranks ?? []),
    },
    ...spacing(modelType, ownPrefix),
    decoder: { type: 'Sequence', decoders: ownPrefix ? [...decoders, strip] : decoders },
    ends: [true, false],
  }
}

function spacing(modelType: string, prefix: boolean): Pick<Parts, 'normalizer' | 'pre_tokenizer'> {
  if (modelType.startsWith('gemma'))
    return {
      normalizer: spaces,
      pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithPrevious', invert: false },
    }
  if (modelType === 'phi3')
    return {
      normalizer: { type: 'Sequence', normalizers: [...(prefix ? [{ type: 'Prepend', prepend: space }] : []), spaces] },
      pre_tokenizer: null,
    }
  return {
    normalizer: null,
    pre_tokenizer: {
      type: 'Metaspace',
      replacement: space,
      prepend_scheme: prefix ? 'first' : 'never',
      split: false,
    },
  }
}

/**
 * BERT's: llama.cpp writes words with the sign of a space in front, and what continues a word without `##`. Whether
 * words are lower-cased is not stored: a vocabulary with capitals is of a model that keeps them.
 */
function wordPiece({ metadata, tokens, types }: Vocabulary): Parts {
  const words = tokens.map((token, id) => {
    if (types[id] === control || /^\[.+\]$/.test(token)) return token
    return token.startsWith(space) ? token.slice(space.length) : `##${token}`
  })
  const unknown = words[metadata.count('tokenizer.ggml.unknown_token_id')]
  const isCased = words.some((word) => /^(?:##)?[A-Z]/.test(word))
  return {
    model: {
      type: 'WordPiece',
      unk_token: unknown ?? '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: vocabOf(words),
    },
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: !isCased,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    ends: [true, true],
  }
}

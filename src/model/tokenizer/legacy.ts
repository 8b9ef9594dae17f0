/**
 * Vocabularies from before tokenizer.json: WordPiece's vocab.txt, byte-level BPE's vocab.json with merges.txt, as
 * transformers 4.57 converts them; SentencePiece's `.model` files.
 */
import { fault, type RepoFiles } from '#core'
import type { ByteBpeWay, TokenizerClass, WordPieceWay } from './classes.ts'
import { accentsOf, flagOf, prefixSpace } from './class-rules.ts'
import { toCodePoint } from './code-points.ts'
import type { Component } from './components.ts'
import { invalid } from './checks.ts'
import { type Definition, parse } from './definition.ts'
import { findSentencePiece, readFromSentencePiece } from './sentencepiece.ts'
import { contentOf, type Settings } from './settings.ts'
import { plainBpe, readIds, readMerges } from './vocabulary-model.ts'

/**
 * Unpadded, untruncated, no added tokens yet: those come from the settings. Faults: `tokenizer.missing` when the files
 * there are of another kind.
 */
export async function readLegacy(files: RepoFiles, kind: TokenizerClass, settings: Settings): Promise<Definition> {
  if (kind.codePoints === true) return readCodePoints(kind, settings, files.name)
  const hasWordPiece = await files.has('vocab.txt')
  const hasBpe = (await files.has('vocab.json')) && (await files.has('merges.txt'))
  const unnamed = settings.tokenizerClass === undefined && kind.modelTypes === undefined
  const { wordPiece, byteBpe } = unnamed ? ({ wordPiece: 'bert', byteBpe: 'gpt2' } as const) : kind
  if (wordPiece !== undefined && hasWordPiece) return readWordPiece(files, wordPiece, kind, settings)
  if (byteBpe !== undefined && hasBpe) return readByteBpe(files, byteBpe, kind, settings)
  const model = await findSentencePiece(files, kind)
  if (model !== undefined) return readFromSentencePiece(files, model, kind, settings)
  throw await missing(files, kind)
}

/** Characters between [CLS] and [SEP], whose names are characters too; tokens are of one type. */
function readCodePoints(kind: TokenizerClass, settings: Settings, place: string): Definition {
  const ends = (['cls_token', 'sep_token'] as const).map((name) => {
    const content = specialToken(name, kind, settings)
    const id = toCodePoint(content)
    if (id === undefined) throw invalid(`${place} › ${name}`, 'is not one character', content)
    return { content, id }
  })
  const [cls = '', sep = ''] = ends.map(({ content }) => content)
  const single = [token(cls, 0), text('A', 0), token(sep, 0)]
  const ids = Object.fromEntries(ends.map(({ content, id }) => [content, id]))
  return {
    ...bare,
    postProcessor: template(single, [...single, text('B', 0), token(sep, 0)], ids),
    model: { type: 'CodePoints' },
  }
}

async function readWordPiece(
  files: RepoFiles,
  way: WordPieceWay,
  kind: TokenizerClass,
  settings: Settings,
): Promise<Definition> {
  const place = `${files.name} › vocab.txt`
  const lines = (await files.text('vocab.txt')).replace(/\r\n?/g, '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  // A token that stands twice has its last id.
  const vocab = readIds(Object.fromEntries(lines.map((token, index) => [token, index])), place)
  const special = (name: string): string => specialToken(name, kind, settings)
  const idOf = (name: string): number => needed(vocab, special(name), place)
  const [cls, sep] = [special('cls_token'), special('sep_token')]
  const clsType = way === 'funnel' ? 2 : 0
  const single = [token(cls, clsType), text('A', 0), token(sep, 0)]
  const between = way === 'mpnet' ? [token(sep, 0)] : []
  needed(vocab, special('unk_token'), place)
  return {
    ...bare,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: flagOf(settings.config, 'tokenize_chinese_chars', true),
      strip_accents: accentsOf(settings.config),
      lowercase: flagOf(settings.config, 'do_lower_case', true),
    },
    preTokenizer: { type: 'BertPreTokenizer' },
    postProcessor: template(single, [...single, ...between, text('B', 1), token(sep, 1)], {
      [cls]: idOf('cls_token'),
      [sep]: idOf('sep_token'),
    }),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      vocab,
      unk_token: special('unk_token'),
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  }
}

async function readByteBpe(
  files: RepoFiles,
  way: ByteBpeWay,
  kind: TokenizerClass,
  settings: Settings,
): Promise<Definition> {
  const place = `${files.name} › vocab.json`
  const vocab = readIds(parse(await files.text('vocab.json'), place), place)
  const lines = (await files.text('merges.txt'))
    .split(/\r\n?|\n/)
    .filter((line, index) => line !== '' && !(index === 0 && line.startsWith('#version')))
  const special = (name: string): string => specialToken(name, kind, settings)
  const idOf = (name: string): number => needed(vocab, special(name), place)
  const byteLevel: Component = {
    type: 'ByteLevel',
    add_prefix_space: prefixSpace(kind, settings.config),
    trim_offsets: true,
    use_regex: true,
  }
  const merges = readMerges(lines, vocab, '', `${files.name} › merges.txt`)
  const definition = byteBpe(byteLevel, vocab, merges)
  switch (way) {
    case 'roberta': {
      const [cls, sep] = (['cls_token', 'sep_token'] as const).map((name) => [special(name), idOf(name)])
      const processor: Component = {
        type: 'RobertaProcessing',
        sep,
        cls,
        add_prefix_space: prefixSpace(kind, settings.config),
        trim_offsets: true,
      }
      return { ...definition, postProcessor: processor }
    }
    case 'deberta': {
      const single = [token('[CLS]', 0), text('A', 0), token('[SEP]', 0)]
      const ids = { '[CLS]': needed(vocab, '[CLS]', place), '[SEP]': needed(vocab, '[SEP]', place) }
      return { ...definition, postProcessor: template(single, [...single, text('B', 1), token('[SEP]', 1)], ids) }
    }
    case 'blenderbot': {
      const eos = special('eos_token')
      return {
        ...definition,
        postProcessor: template([text('A', 0), token(eos, 0)], [text('A', 0), text('B', 1)], {
          [eos]: idOf('eos_token'),
        }),
      }
    }
    case 'qwen2': {
      const split: Component = { type: 'Split', pattern: { Regex: qwen2Split }, behavior: 'Isolated', invert: false }
      const preTokenizer: Component = { type: 'Sequence', pretokenizers: [split, { ...byteLevel, use_regex: false }] }
      return { ...definition, normalizer: { type: 'NFC' }, preTokenizer }
    }
    case 'clip':
      return clip(
        definition,
        [special('bos_token'), idOf('bos_token')],
        [special('eos_token'), idOf('eos_token')],
        special('unk_token'),
      )
    case 'gpt2': {
      if (!flagOf(settings.config, 'add_bos_token', false)) return definition
      const bos = special('bos_token')
      const single = [token(bos, 0), text('A', 0)]
      return { ...definition, postProcessor: template(single, [...single, text('B', 1)], { [bos]: idOf('bos_token') }) }
    }
    default:
      return way satisfies never
  }
}

function byteBpe(
  byteLevel: Component,
  vocab: ReturnType<typeof readIds>,
  merges: ReturnType<typeof readMerges>,
): Definition {
  return {
    ...bare,
    preTokenizer: byteLevel,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      vocab,
      merges,
      ...plainBpe,
    },
  }
}

const qwen2Split = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
const clipSplit = String.raw`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`

function clip(definition: Definition, cls: readonly unknown[], sep: readonly unknown[], unknown: string): Definition {
  if (definition.model.type !== 'BPE') return definition
  const spaces: Component = { type: 'Replace', pattern: { Regex: String.raw`\s+` }, content: ' ' }
  const split: Component = { type: 'Split', pattern: { Regex: clipSplit }, behavior: 'Removed', invert: true }
  const byteLevel: Component = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true }
  return {
    ...definition,
    normalizer: { type: 'Sequence', normalizers: [{ type: 'NFC' }, spaces, { type: 'Lowercase' }] },
    preTokenizer: { type: 'Sequence', pretokenizers: [split, byteLevel] },
    postProcessor: { type: 'RobertaProcessing', sep, cls, add_prefix_space: false, trim_offsets: false },
    model: { ...definition.model, end_of_word_suffix: '</w>', unk_token: unknown },
  }
}

const bare = {
  addedTokens: [],
  normalizer: null,
  preTokenizer: null,
  postProcessor: null,
  decoder: null,
  fixed: {},
} as const

function specialToken(name: string, kind: TokenizerClass, settings: Settings): string {
  const given = settings.special[name]
  return given === undefined || given === null ? (kind.special?.[name] ?? unnamedSpecial[name] ?? '') : contentOf(given)
}

/** A vocab.txt without any config is BERT's. */
const unnamedSpecial: Readonly<Record<string, string>> = {
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  bos_token: '<|endoftext|>',
}

function needed(vocab: Readonly<Record<string, number>>, token: string, place: string): number {
  const id = Object.hasOwn(vocab, token) ? vocab[token] : undefined
  if (id === undefined) throw invalid(place, 'a special token is not in the vocabulary', token)
  return id
}

function token(id: string, typeId: number) {
  return { SpecialToken: { id, type_id: typeId } }
}

function text(id: 'A' | 'B', typeId: number) {
  return { Sequence: { id, type_id: typeId } }
}

function template(
  single: readonly unknown[],
  pair: readonly unknown[],
  ids: Readonly<Record<string, number>>,
): Component {
  return {
    type: 'TemplateProcessing',
    single,
    pair,
    special_tokens: Object.fromEntries(Object.entries(ids).map(([token, id]) => [token, { ids: [id] }])),
  }
}

/** Vocabularies that need a program of their own to be read. */
const unreadable: readonly { readonly matches: RegExp; readonly what: string }[] = [
  {
    matches: /(^|\/)(spiece|spm|sentencepiece\.bpe|tokenizer|source|vocab)\.(model|spm)$/,
    what: 'a SentencePiece model',
  },
  { matches: /\.tiktoken$|(^|\/)(tekken|tiktoken)\.(json|model)$/, what: 'a tiktoken vocabulary' },
  { matches: /(^|\/)(vocab\.txt|vocab\.json|merges\.txt|bpe\.codes)$/, what: 'a vocabulary of another kind' },
]

async function missing(files: RepoFiles, kind: TokenizerClass) {
  const names = await files.list()
  const found = unreadable.flatMap(({ matches, what }) =>
    names.filter((name) => matches.test(name)).map((name) => ({ name, what })),
  )[0]
  const named = kind.name === 'PreTrainedTokenizer' ? '' : ` (${kind.name})`
  return fault('tokenizer.missing', {
    place: files.name,
    what: found === undefined ? `no tokenizer${named}` : `no tokenizer.json, only ${found.what}${named}`,
    seen: found?.name ?? names.slice(0, 12),
    wanted: 'tokenizer.json, or vocab.txt, or vocab.json with merges.txt',
    hint: 'make one with transformers: AutoTokenizer.from_pretrained(name).save_pretrained(folder)',
  })
}

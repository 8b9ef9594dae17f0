/** Definitions from SentencePiece `.model` files, as transformers 5.24's tokenizer classes build them. */
import type { RepoFiles } from '#core'
import { invalid } from './checks.ts'
import { flagOf } from './class-rules.ts'
import type { TokenizerClass } from './classes.ts'
import type { Component, TemplatePiece } from './components.ts'
import type { AddedToken, Definition } from './definition.ts'
import { recoverMerges } from './recovered-merges.ts'
import { type Piece, readSentencePiece, type SentencePieceFile } from './sentencepiece-file.ts'
import { contentOf, type Settings } from './settings.ts'
import { plainBpe } from './vocabulary-model.ts'

/** Names that such files have. */
const names = ['tokenizer.model', 'spiece.model', 'sentencepiece.bpe.model', 'spm.model', 'sentencepiece.model']
/** Those of the largest vocabularies in use have 5 MB. */
const largestFile = 64 * 2 ** 20

type Entry = readonly [string, number]

interface Way {
  readonly kind: SentencePieceFile['kind']
  /** Vocabulary from the pieces of a unigram file. */
  readonly vocabulary: (pieces: readonly Entry[]) => readonly Entry[]
  readonly unknown: number
  readonly ends: readonly [first: string | undefined, last: string]
  /** How the second of two texts begins, and its type. */
  readonly pair: { readonly again: boolean; readonly type: number }
}

const plain = (pieces: readonly Entry[]): readonly Entry[] => pieces
const sentinels = Array.from({ length: 100 }, (_, i): Entry => [`<extra_id_${99 - i}>`, 0])
const t5: Way = {
  kind: 'unigram',
  vocabulary: (pieces) => [...pieces, ...sentinels],
  unknown: 2,
  ends: [undefined, 'eos_token'],
  pair: { again: false, type: 0 },
}

const ways: Readonly<Record<string, Way>> = {
  T5Tokenizer: t5,
  MT5Tokenizer: t5,
  XLMRobertaTokenizer: {
    kind: 'unigram',
    // fairseq's order in place of the file's <unk>, <s>, </s>
    vocabulary: (pieces) => [['<s>', 0], ['<pad>', 0], ['</s>', 0], ['<unk>', 0], ...pieces.slice(3), ['<mask>', 0]],
    unknown: 3,
    ends: ['bos_token', 'eos_token'],
    pair: { again: true, type: 0 },
  },
  AlbertTokenizer: {
    kind: 'unigram',
    vocabulary: plain,
    unknown: 1,
    ends: ['cls_token', 'sep_token'],
    pair: { again: false, type: 1 },
  },
}

/** The file's path, where the class is one that is read from it. */
export async function findSentencePiece(files: RepoFiles, { name }: TokenizerClass): Promise<string | undefined> {
  if (name !== 'LlamaTokenizer' && !Object.hasOwn(ways, name)) return undefined
  for (const path of names) if (await files.has(path)) return path
  return undefined
}

/** Throws `tokenizer.invalid`. */
export async function readFromSentencePiece(
  files: RepoFiles,
  path: string,
  kind: TokenizerClass,
  settings: Settings,
): Promise<Definition> {
  const place = `${files.name} › ${path}`
  const file = readSentencePiece(await files.bytes(path, largestFile), place)
  const way = Object.hasOwn(ways, kind.name) ? ways[kind.name] : undefined
  const wanted = way?.kind ?? 'bpe'
  if (file.kind !== wanted) throw invalid(place, `not the kind of model that ${kind.name} has`, file.kind, wanted)
  return way === undefined ? readBpe(file, settings) : readUnigram(file, way, { kind, settings, place })
}

/** LLaMA's: bytes for what has no piece, a space in front. */
function readBpe({ pieces }: SentencePieceFile, { config }: Settings): Definition {
  const tokens = pieces.map(({ text }) => text)
  const prefix = flagOf(config, 'add_prefix_space', true)
  const first = flagOf(config, 'legacy', false) ? 'always' : 'first'
  const strip: Component = { type: 'Strip', content: ' ', start: 1, stop: 0 }
  const spaced: Component = { type: 'Replace', pattern: { String: space }, content: ' ' }
  return {
    addedTokens: addedTokens(pieces),
    normalizer: null,
    preTokenizer: { ...metaspace, prepend_scheme: prefix ? first : 'never', split: false },
    postProcessor: null,
    decoder: {
      type: 'Sequence',
      decoders: [spaced, { type: 'ByteFallback' }, { type: 'Fuse' }, ...(prefix ? [strip] : [])],
    },
    fixed: {},
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: recoverMerges(tokens),
      ...plainBpe,
      fuse_unk: true,
      byte_fallback: true,
    },
  }
}

const space = '▁'
const metaspace = { type: 'Metaspace', replacement: space } as const

interface Context {
  readonly kind: TokenizerClass
  readonly settings: Settings
  readonly place: string
}

function readUnigram({ pieces, charsmap }: SentencePieceFile, way: Way, context: Context): Definition {
  const { kind, settings, place } = context
  const vocab = way.vocabulary(pieces.map(({ text, score }) => [text, score] as const))
  if (vocab.length <= way.unknown) throw invalid(place, 'no piece for the unknown')
  const first = flagOf(settings.config, 'add_prefix_space', true) ? 'always' : 'never'
  const parts: Component[] = [
    ...(kind.name === 'AlbertTokenizer' ? albertNormalizers(settings.config) : []),
    ...(charsmap === undefined ? [] : [{ type: 'Precompiled', precompiled_charsmap: charsmap }]),
  ]
  const spaces: Component = { ...metaspace, prepend_scheme: first, split: true }
  return {
    addedTokens: addedTokens(pieces),
    normalizer: parts.length === 0 ? null : { type: 'Sequence', normalizers: parts },
    preTokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, spaces] },
    postProcessor: endsOf(vocab, way, context),
    decoder: spaces,
    fixed: {},
    model: { type: 'Unigram', vocab, unk_id: way.unknown, byte_fallback: false },
  }
}

function albertNormalizers(config: Settings['config']): Component[] {
  const quotes = ['``', "''"].map((String): Component => ({ type: 'Replace', pattern: { String }, content: '"' }))
  return [
    ...quotes,
    ...(flagOf(config, 'keep_accents', false) ? [] : [{ type: 'NFKD' }, { type: 'StripAccents' }]),
    ...(flagOf(config, 'do_lower_case', true) ? [{ type: 'Lowercase' }] : []),
  ]
}

function endsOf(vocab: readonly Entry[], { ends, pair }: Way, { kind, settings, place }: Context): Component {
  const ids = new Map(vocab.map(([token], id) => [token, id]))
  const tokenOf = (name: string): readonly [string, number] => {
    const given = settings.special[name]
    const token = given === undefined || given === null ? (kind.special?.[name] ?? '') : contentOf(given)
    const id = ids.get(token)
    if (id === undefined) throw invalid(place, 'a special token is not in the vocabulary', token)
    return [token, id]
  }
  const [first, last] = [ends[0] === undefined ? undefined : tokenOf(ends[0]), tokenOf(ends[1])]
  const mark = ([id]: readonly [string, number], type_id: number): TemplatePiece => ({ SpecialToken: { id, type_id } })
  const single: TemplatePiece[] = [
    ...(first === undefined ? [] : [mark(first, 0)]),
    { Sequence: { id: 'A', type_id: 0 } },
    mark(last, 0),
  ]
  const second: TemplatePiece[] = [
    ...(pair.again ? [mark(last, 0)] : []),
    { Sequence: { id: 'B', type_id: pair.type } },
    mark(last, pair.type),
  ]
  const used = first === undefined ? [last] : [first, last]
  return {
    type: 'TemplateProcessing',
    single,
    pair: [...single, ...second],
    special_tokens: Object.fromEntries(used.map(([token, id]) => [token, { ids: [id] }])),
  }
}

/** Control pieces are special; those that a user defined are kept whole. */
function addedTokens(pieces: readonly Piece[]): AddedToken[] {
  return pieces.flatMap(({ text, type }) =>
    type === 3 || type === 4
      ? [{ content: text, single_word: false, lstrip: false, rstrip: false, normalized: false, special: type === 3 }]
      : [],
  )
}

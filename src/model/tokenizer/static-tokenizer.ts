/**
 * The tokenizer of a static table: a model's own without the tokens that only wrap a text, with words of the user's.
 * Rules and order are those of model2vec 0.10: of the added tokens the unknown and the padding token stay, ids close up,
 * new words follow the old tokens, and those of several words follow them.
 */
import { fault } from '#core'
import type { Component, TemplateProcessing } from './components.ts'
import type { AddedToken, Definition } from './definition.ts'
import { openDefinition } from './load.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { TableModel } from './vocabulary-model.ts'
import { orderedTokens, withoutTokens, withWords } from './vocabulary-edit.ts'

export interface StaticTokenizer {
  /** tokenizer.json */
  readonly json: unknown
  /** In the order of their ids. */
  readonly tokens: readonly string[]
  /** Id in the model of each token; undefined for a word that is no token of the model. */
  readonly modelIds: readonly (number | undefined)[]
  /** Id of the token that stands for what the vocabulary lacks; encoders leave it out. */
  readonly unknownId: number | undefined
  /** Ids that the model puts before and after a single token. */
  readonly around: { readonly before: readonly number[]; readonly after: readonly number[] }
  readonly counts: VocabularyCounts
}

/** What became of the tokens and of the user's words. */
export interface VocabularyCounts {
  /** Tokens that wrap a text, and other added ones: left out. */
  readonly wrapping: number
  /** Left out by the pattern. */
  readonly matched: number
  readonly words: number
  readonly severalWords: number
  readonly duplicates: number
  readonly empty: number
}

export interface StaticTokenizerOptions {
  /** A token that it matches from its first character is left out. */
  remove?: RegExp | undefined
  words?: readonly string[] | undefined
  /** Tokens of a text that are read at most. */
  maxLength: number
}

/** Throws `usage.value` where no token is left, and what the native tokenizer throws for a text. */
export async function staticTokenizer(
  tokenizer: Tokenizer,
  { remove, words = [], maxLength }: StaticTokenizerOptions,
): Promise<StaticTokenizer> {
  const definition = withPrefixSpace(tokenizer.definition)
  const whole = definition.model
  if (whole.type === 'CodePoints')
    throw fault('config.unsupported', { place: tokenizer.name, what: 'every character is a token: there is no table' })
  const around = findEnds(tokenizer.definition.postProcessor)
  const unknown = tokenizer.specialTokens['unk_token'] ?? findUnknown(whole)
  const padding = tokenizer.specialTokens['pad_token'] ?? definition.fixed.padToken
  const stays = (token: string): boolean => token === unknown || token === padding
  const wrapping = new Set(definition.addedTokens.map(({ content }) => content).filter((token) => !stays(token)))
  const ends = new Set(tokenizer.tokens([...around.before, ...around.after]))
  const candidates = allTokens(tokenizer).filter((token) => !wrapping.has(token) || ends.has(token))
  const needed = whole.type === 'WordPiece' || whole.type === 'WordLevel' ? unknown : undefined
  const matches = (token: string): boolean => remove !== undefined && token !== needed && startsBy(remove, token)
  const matched = candidates.filter(matches)
  const sorted = await sortWords(words, { definition, place: tokenizer.name, known: new Set(candidates), matches })
  const gone = new Set([...wrapping, ...matched, ...sorted.replaced])
  const left = candidates.filter((token) => !gone.has(token))
  if (left.length + sorted.single.length + sorted.several.length === 0)
    throw fault('usage.value', { place: tokenizer.name, what: 'the pattern leaves no token', seen: remove?.source })
  const own = withoutTokens(whole, left, unknown)
  const { model, added } = withWords(own, sorted.single, sorted.several)
  const tokens = orderedTokens(model)
  const ids = new Map(tokens.map((token, id) => [token, id]))
  const padId = padding === undefined ? undefined : ids.get(padding)
  return {
    json: {
      version: '1.0',
      truncation: { direction: 'Right', max_length: maxLength, strategy: 'LongestFirst', stride: 0 },
      // A fixed length of 0 names the token without padding anything.
      padding:
        padId === undefined
          ? null
          : {
              strategy: { Fixed: 0 },
              direction: 'Right',
              pad_to_multiple_of: null,
              pad_id: padId,
              pad_type_id: 0,
              pad_token: padding,
            },
      added_tokens: addedTokens([padding, unknown], sorted.several, { ids, before: definition.addedTokens }),
      normalizer: definition.normalizer,
      pre_tokenizer: definition.preTokenizer,
      post_processor: null,
      decoder: definition.decoder,
      model,
    },
    tokens,
    modelIds: tokens.map((token) =>
      (wrapping.has(token) && !ends.has(token)) || added.has(token) ? undefined : tokenizer.tokenId(token),
    ),
    unknownId: ids.get(findUnknown(model) ?? ''),
    around,
    counts: {
      wrapping: wrapping.size,
      matched: matched.filter((token) => !wrapping.has(token)).length + sorted.matched,
      words: sorted.single.length,
      severalWords: sorted.several.length,
      duplicates: sorted.duplicates,
      empty: sorted.empty,
    },
  }
}

/** Every token once, by its id. */
function allTokens(tokenizer: Tokenizer): string[] {
  const found: string[] = []
  // ids may have gaps, never more of them than there are tokens in the files in use
  for (let id = 0; found.length < tokenizer.vocabularySize && id < 2 * tokenizer.vocabularySize + 1024; id++) {
    const [token] = tokenizer.tokens([id])
    if (token !== undefined) found.push(token)
  }
  return found
}

/** As Python's `re.match`: from the first character. */
function startsBy(pattern: RegExp, token: string): boolean {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}y`).test(token)
}

/** A byte-level splitter takes the first word of a text as any other: with a space in front. */
function withPrefixSpace(definition: Definition): Definition {
  const spaced = (component: Component | null): Component | null => {
    if (component?.type === 'ByteLevel') return { ...component, add_prefix_space: true }
    const parts = component?.['pretokenizers']
    return component !== null && Array.isArray(parts)
      ? { ...component, pretokenizers: (parts as readonly Component[]).map(spaced) }
      : component
  }
  return { ...definition, preTokenizer: spaced(definition.preTokenizer) }
}

/** The first and the last special token of the template for a single text. A sequence of processors counts as none. */
function findEnds(processor: Component | null): StaticTokenizer['around'] {
  if (processor?.type === 'BertProcessing' || processor?.type === 'RobertaProcessing') {
    const [cls, sep] = [processor['cls'], processor['sep']] as (readonly [string, number])[]
    return { before: cls === undefined ? [] : [cls[1]], after: sep === undefined ? [] : [sep[1]] }
  }
  if (processor?.type !== 'TemplateProcessing') return { before: [], after: [] }
  const { single, special_tokens: special } = processor as unknown as TemplateProcessing
  const idsOf = (piece: TemplateProcessing['single'][number] | undefined): readonly number[] =>
    piece !== undefined && 'SpecialToken' in piece ? (special[piece.SpecialToken.id]?.ids ?? []) : []
  return { before: idsOf(single[0]), after: idsOf(single.at(-1)) }
}

function findUnknown(model: TableModel): string | undefined {
  if (model.type !== 'Unigram') return model.unk_token ?? undefined
  return model.unk_id === null ? undefined : model.vocab[model.unk_id]?.[0]
}

interface SortedWords {
  /** As the vocabulary has them, in the order given. */
  readonly single: readonly string[]
  /** Words that splitting takes apart: found as a whole in normalised text. */
  readonly several: readonly string[]
  /** Tokens in whose place such a word comes. */
  readonly replaced: ReadonlySet<string>
  readonly matched: number
  readonly duplicates: number
  readonly empty: number
}

interface SortParts {
  readonly definition: Definition
  readonly place: string
  readonly known: ReadonlySet<string>
  readonly matches: (token: string) => boolean
}

async function sortWords(
  words: readonly string[],
  { definition, place, known, matches }: SortParts,
): Promise<SortedWords> {
  const single = new Set<string>()
  const several = new Set<string>()
  const replaced = new Set<string>()
  const counts = { matched: 0, duplicates: 0, empty: 0 }
  if (words.length === 0) return { single: [], several: [], replaced, ...counts }
  const engine = await openDefinition(definition, place)
  for (const [i, { normal, pieces }] of (await engine.split(words)).entries()) {
    const [piece] = pieces
    if (piece === undefined) counts.empty++
    else if (pieces.length > 1) {
      const word = words[i] ?? ''
      if (known.has(word)) replaced.add(word)
      const whole = normal.trim()
      if (several.has(whole)) counts.duplicates++
      several.add(whole)
    } else if (known.has(piece) || single.has(piece)) counts.duplicates++
    else if (matches(piece)) counts.matched++
    else single.add(piece)
  }
  return { single: [...single], several: [...several], replaced, ...counts }
}

/** Flags of tokens that stay are their own; a word of several words also takes the spaces around it. */
function addedTokens(
  staying: readonly (string | undefined)[],
  several: readonly string[],
  { ids, before }: { ids: ReadonlyMap<string, number>; before: readonly AddedToken[] },
): ({ id: number } & AddedToken)[] {
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  const found = new Map<string, { id: number } & AddedToken>()
  const add = (content: string, flags: Partial<AddedToken>): void => {
    const id = ids.get(content)
    if (id !== undefined && !found.has(content)) found.set(content, { id, content, ...plain, ...flags })
  }
  for (const token of before) if (staying.includes(token.content)) add(token.content, token)
  for (const token of staying) if (token !== undefined) add(token, {})
  for (const word of several) add(word, { lstrip: true, rstrip: true, normalized: true, special: false })
  return [...found.values()].toSorted((a, b) => a.id - b.id)
}

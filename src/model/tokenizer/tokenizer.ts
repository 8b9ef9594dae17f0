/** What a tokenizer is to the rest of the house. Ids, lengths and sides follow transformers' fast tokenizers. */
import type { OnProgress } from '#core'
import type { Definition } from './definition.ts'
import type { Side } from './side.ts'

export type { Side } from './side.ts'

/** Which text of a pair gives way; `longest_first` shortens the longer one first. */
export type PairTruncation = 'longest_first' | 'only_first' | 'only_second'

/** One text (or pair), without padding. */
export interface Encoded {
  /** [cols] */
  readonly ids: Int32Array
  /** [cols], 0 for the first text of a pair and whatever the template says for the second. */
  readonly typeIds: Int32Array
  /** [cols], 1 where the template put the token, 0 where it came from the text. On request. */
  readonly specialTokensMask?: Uint8Array
  /**
   * [cols × 2] begin and end of each token in its text, in Unicode code points; 0, 0 for tokens of the template. On
   * request.
   */
  readonly offsets?: Int32Array
}

export interface EncodeOptions {
  /** Longest result in tokens, those of the template included; no limit by default. */
  readonly maxLength?: number | undefined
  /** Wrap the text in the tokenizer's template (`[CLS] … [SEP]`, `<s> …`); true by default. */
  readonly addSpecialTokens?: boolean | undefined
  /** End that is cut off; the tokenizer's own side by default. */
  readonly truncationSide?: Side | undefined
  readonly specialTokensMask?: boolean | undefined
  readonly offsets?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/** Ids of some texts one after another; text i ends at `ends[i]`. */
export interface BareIds {
  readonly ids: Int32Array
  readonly ends: Int32Array
}

export interface EncodePairsOptions extends EncodeOptions {
  /** `longest_first` by default. */
  readonly truncation?: PairTruncation | undefined
  /** An empty second text is a text, as transformers has it for a list of pairs; by default it is none, as for one pair. */
  readonly keepEmpty?: boolean | undefined
}

export interface PadOptions {
  readonly side?: Side | undefined
  readonly padId?: number | undefined
  /** Width is rounded up to a multiple of this. */
  readonly multipleOf?: number | undefined
  /** Width at least this, whatever the longest row; rounding comes after. */
  readonly length?: number | undefined
}

/** Row-major, [rows × cols]; the mask is 1 at real tokens. Type ids of padding are 0. */
export interface Padded {
  readonly inputIds: Int32Array
  readonly attentionMask: Int32Array
  readonly typeIds: Int32Array
  readonly rows: number
  readonly cols: number
}

export interface DecodeOptions {
  /** Leave out tokens marked special; true by default. */
  readonly skipSpecialTokens?: boolean | undefined
}

/** Further keys (`tool_calls`, `reasoning_content`, …) reach the template as they are. */
export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly [key: string]: unknown
}

export interface ChatOptions {
  /** Name of one of the repository's templates, or a template's text. */
  readonly template?: string | undefined
  /** End with the opening of an assistant turn; false by default. */
  readonly addGenerationPrompt?: boolean | undefined
  readonly tools?: readonly unknown[] | undefined
  readonly documents?: readonly unknown[] | undefined
  /** Further variables of the template (`enable_thinking`, …). */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

export interface Tokenizer {
  /** The repository's name, for messages. */
  readonly name: string
  /**
   * Hex SHA-256 over everything that changes ids: vocabulary, normalization, splitting, added tokens, template,
   * truncation side, special tokens, chat templates.
   */
  readonly identity: string
  /** Tokens of the model and added ones; ids may lie beyond it where the vocabulary has gaps. */
  readonly vocabularySize: number
  readonly padId: number | undefined
  readonly paddingSide: Side
  readonly truncationSide: Side
  /** Undefined when the repository gives none, or a placeholder such as 1e30. */
  readonly modelMaxLength: number | undefined
  /** Special tokens by name: `bos_token`, `cls_token`, … */
  readonly specialTokens: Readonly<Record<string, string>>
  readonly hasChatTemplate: boolean
  /** What it is made of, the rules of its class applied. */
  readonly definition: Definition
  /** Lines for the keys of its files that are not followed. */
  readonly unread: readonly string[]
  /** Undefined for a token that is in neither the vocabulary nor the added tokens. */
  tokenId(token: string): number | undefined
  /**
   * Texts to ids, one result per text, in order. Runs off the main thread, a thousand texts at a time. Faults:
   * `usage.value`, `tokenizer.invalid`, `tokenizer.limit`, `run.cancelled`.
   */
  encodeBatch(texts: readonly string[], options?: EncodeOptions): Promise<Encoded[]>
  /**
   * The ids of `encodeBatch` without special tokens, of all texts in one array. Where the tokenizer splits texts into
   * words, those of a word are kept (up to 2^18 words), and most texts need no tokenizing any more. Faults as
   * `encodeBatch`.
   */
  encodeBare(texts: readonly string[], options?: Pick<EncodeOptions, 'signal'>): Promise<BareIds>
  /**
   * Pairs through the tokenizer's pair template. Faults as `encodeBatch`; `usage.value` also when `only_first` or
   * `only_second` cannot reach `maxLength`.
   */
  encodePairs(pairs: readonly (readonly [string, string])[], options?: EncodePairsOptions): Promise<Encoded[]>
  /** A batch of one width; side and pad id are the tokenizer's own by default. */
  pad(batch: readonly Encoded[], options?: PadOptions): Padded
  decode(ids: ArrayLike<number>, options?: DecodeOptions): Promise<string>
  /** The token of each id; undefined for ids that stand for none. */
  tokens(ids: ArrayLike<number>): (string | undefined)[]
  /**
   * A conversation as the text a chat model expects, special tokens written out: encode it with `addSpecialTokens:
   * false`. Faults: `chat.template`.
   */
  renderChat(messages: readonly ChatMessage[], options?: ChatOptions): string
}

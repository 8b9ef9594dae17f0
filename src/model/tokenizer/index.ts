/**
 * tokenizer: text to token ids and back, equal to transformers' fast tokenizers; chats to text.
 *
 * In: a repository's tokenizer files, texts. Out: ids, type ids, masks, offsets; padded batches; rendered chats.
 * Never: a tensor, a model's config except for the name of the tokenizer class, code from a file, a native crash that
 * ends the process.
 */
export { chatPrompt } from './chat-prompt.ts'
export { loadTokenizer } from './load.ts'
export { pad } from './pad.ts'
export { recoverMerges } from './recovered-merges.ts'
export { rollingWindows } from './rolling-windows.ts'
export { readChatTemplate } from './settings.ts'
export {
  encodeByRules,
  type Fitting,
  sortOutLong,
  splitApart,
  splitRequests,
  type SplitTokens,
  type TokenRules,
} from './split-requests.ts'
export { readStaticTexts } from './static-texts.ts'
export {
  staticTokenizer,
  type StaticTokenizer,
  type StaticTokenizerOptions,
  type VocabularyCounts,
} from './static-tokenizer.ts'
export type {
  BareIds,
  ChatMessage,
  ChatOptions,
  DecodeOptions,
  Encoded,
  EncodeOptions,
  EncodePairsOptions,
  PairTruncation,
  Side,
  Tokenizer,
} from './tokenizer.ts'
export { type JoinedTokenizer, joinTokenizers, settingsFor, type TokenizerInput, vocabularyOf } from './union.ts'
export { plainBpe } from './vocabulary-model.ts'
export { readWholeFile } from './whole-file.ts'

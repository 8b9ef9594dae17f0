/** From a repository's files to a tokenizer. */
import { asFault, type RepoFiles, sha256 } from '#core'
import { openEngineInChildProcess } from './child-process.ts'
import { needsOwnProcess } from './needs-own-process.ts'
import { applyClass, endsTemplate } from './class-rules.ts'
import { classOf } from './classes.ts'
import { openCodePoints } from './code-points.ts'
import { type Definition, readDefinition } from './definition.ts'
import { encodeTextPairs, encodeTexts, type Encoder } from './encode.ts'
import { wordEncoder } from './encode-words.ts'
import { type Engine, openEngine } from './engine.ts'
import { readLegacy } from './legacy.ts'
import { pad } from './pad.ts'
import { readSettings } from './settings.ts'
import { resolveSpecialTokens } from './special-tokens.ts'
import { offsetProcessor, readTemplate } from './template.ts'
import type { Side, Tokenizer } from './tokenizer.ts'
import { vocabularyOf } from './vocabulary.ts'

/** Above the largest tokenizer.json in use (some 60 MB). */
const largestFile = 256 * 1024 * 1024
/** `model_max_length` at or above this stands for "not known" (transformers writes 1e30). */
const absurdLength = 2 ** 31

export interface LoadTokenizerOptions {
  /** As tokenizer.json stands, without what a tokenizer class of transformers would change: so reads model2vec. */
  asWritten?: boolean | undefined
}

/**
 * Opens the first that exists of tokenizer.json, vocab.txt, and vocab.json with merges.txt, as transformers' fast
 * tokenizers do, or a class that needs none of them, tokenizer_config.json and its companions included. Fixed truncation and padding of the file are not
 * applied. Files may come from strangers: see `needs-own-process.ts`. Faults: `tokenizer.missing`, `tokenizer.invalid`,
 * `tokenizer.limit`, `format.lfs`, and those of the files.
 */
export async function loadTokenizer(
  files: RepoFiles,
  { asWritten = false }: LoadTokenizerOptions = {},
): Promise<Tokenizer> {
  // Neither the native core nor the template parser is loaded before somebody opens a tokenizer.
  const { renderChat } = await import('./render-chat.ts')
  const settings = await readSettings(files)
  const kind = classOf(settings.tokenizerClass, settings.modelType)
  const place = `${files.name} › tokenizer.json`
  const read = (await files.has('tokenizer.json'))
    ? readDefinition(await files.text('tokenizer.json', largestFile), place)
    : await readLegacy(files, kind, settings)
  const special = resolveSpecialTokens(kind, settings, read)
  const whole = { ...read, addedTokens: [...read.addedTokens, ...special.toAdd] }
  const adapted = asWritten ? whole : applyClass(whole, kind, settings.config)
  const vocabulary = vocabularyOf(adapted)
  const postProcessor =
    endsTemplate(kind, settings.config, special.values, (token) => vocabulary.id(token)) ?? adapted.postProcessor
  const definition = { ...adapted, postProcessor }
  const template = readTemplate(postProcessor, `${place} › post_processor`)
  const json = nativeJson(definition)
  const truncationSide = sideOf(settings.config['truncation_side']) ?? read.fixed.truncationSide ?? 'right'
  const cleansUp = settings.config['clean_up_tokenization_spaces'] === true && definition.model.type !== 'BPE'
  const encoder: Encoder = {
    name: files.name,
    engine: await openChecked(json, definition, place),
    template,
    truncationSide,
  }
  const encodeBare = wordEncoder(encoder, definition)
  const padToken = special.values['pad_token']
  const padId = padToken === undefined ? undefined : vocabulary.id(padToken)
  const paddingSide = sideOf(settings.config['padding_side']) ?? read.fixed.paddingSide ?? kind.paddingSide ?? 'right'

  return {
    name: files.name,
    identity: sha256(
      `${json}\0${JSON.stringify([template, truncationSide, special.values, special.additional, settings.chatTemplates, ...(cleansUp ? ['clean-up'] : [])])}`,
    ),
    vocabularySize: vocabulary.size,
    padId,
    paddingSide,
    truncationSide,
    modelMaxLength: lengthOf(settings.config['model_max_length']),
    specialTokens: special.values,
    definition,
    hasChatTemplate: Object.keys(settings.chatTemplates).length > 0,
    tokenId: (token) => vocabulary.id(token),
    encodeBatch: (texts, options = {}) => encodeTexts(encoder, texts, options),
    encodeBare: (texts, { signal } = {}) => encodeBare(texts, signal),
    encodePairs: (pairs, options = {}) => encodeTextPairs(encoder, pairs, options),
    pad: (batch, options = {}) => pad(batch, { side: paddingSide, ...(padId !== undefined && { padId }), ...options }),
    async decode(ids, { skipSpecialTokens = true } = {}) {
      const text = await encoder.engine.decode(Array.from(ids), skipSpecialTokens)
      return cleansUp ? cleanUp(text) : text
    },
    unread: [...settings.unread, ...(read.unread ?? [])],
    tokens: (ids) => Array.from(ids, (id) => vocabulary.token(id)),
    renderChat: (messages, options = {}) =>
      renderChat(messages, options, { place: files.name, templates: settings.chatTemplates, special }),
  }
}

/** What the core gets: no truncation, no padding, no template – those are applied here, per call. */
function nativeJson(definition: Definition): string {
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    // The core numbers added tokens itself and only compares.
    added_tokens: definition.addedTokens.map((token) => ({ id: 0, ...token })),
    normalizer: definition.normalizer,
    pre_tokenizer: definition.preTokenizer,
    post_processor: offsetProcessor(definition.postProcessor),
    decoder: definition.decoder,
    model: definition.model,
  })
}

/** The native core of a definition, in a process of its own where that is safer. Throws `tokenizer.invalid`. */
export async function openDefinition(definition: Definition, place: string): Promise<Engine> {
  return openChecked(nativeJson(definition), definition, place)
}

async function openChecked(json: string, definition: Definition, place: string): Promise<Engine> {
  if (definition.model.type === 'CodePoints') return openCodePoints(definition, place)
  if (needsOwnProcess(definition, place) !== undefined) return openEngineInChildProcess(json, place)
  const refused = (error: unknown): never => {
    throw asFault(error, 'tokenizer.invalid', place)
  }
  const engine = await openEngine(json).catch(refused)
  return {
    encode: (texts, offsets) => engine.encode(texts, offsets).catch(refused),
    decode: (ids, skipSpecialTokens) => engine.decode(ids, skipSpecialTokens).catch(refused),
    split: (texts) => engine.split(texts).catch(refused),
  }
}

/** `clean_up_tokenization` of transformers 5, which leaves BPE alone: spaces that were never written. */
function cleanUp(text: string): string {
  return cleanedUp.reduce((before, [from, to]) => before.replaceAll(from, to), text)
}

const cleanedUp = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
] as const

function sideOf(value: unknown): Side | undefined {
  return value === 'left' || value === 'right' ? value : undefined
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < absurdLength ? value : undefined
}

/**
 * Static tables: a vector for each token, a text is the mean of its tokens' vectors. No layers, no context.
 *
 * Two rules, by the folder's own word:
 * - model2vec (`model_type: model2vec`; GloVe-like folders too): `StaticModel.encode` of model2vec 0.7 – the text is
 *   cut to 512 × the median
 *   length of a token in characters, the unknown token is dropped, then 512 tokens are kept; mean of weight · row over
 *   the number of tokens;
 *   normalised if config.json says so.
 * - StaticEmbedding of sentence-transformers: every token counts, cut only where tokenizer.json says so, plain mean
 *   (torch's EmbeddingBag).
 */
import { type CallOptions, fault, matrix, row, type Matrix, type RepoFiles, type TensorSource } from '#core'
import {
  describeUnread,
  fieldOf,
  flagOf,
  isObject,
  type JsonFields,
  optionalCountOf,
  optionalTextOf,
  parseJson,
  readJsonFields,
} from '#files/formats'
import type { BareIds, Tokenizer } from '#model/tokenizer'
import { readTable, type Table } from './table.ts'
import { textMean } from './text-mean.ts'

export interface StaticTable {
  readonly rule: 'model2vec' | 'static-embedding'
  readonly width: number
  /** Rows of the table. */
  readonly rows: number
  /** Size of the table in memory. */
  readonly bytes: number
  /** Tokens of a text that are kept; undefined when there is no limit. */
  readonly maxLength: number | undefined
  readonly normalized: boolean
  /** A line for the keys of config.json that are not followed. */
  readonly unread: readonly string[]
  /**
   * One row per text; zeros where no token is left. Throws `tensor.shape` for a token beyond the table, and what
   * tokenizers throw.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Matrix>
}

export interface EmbedOptions extends CallOptions {
  /** Hears how many tokens counted in some further texts. */
  readonly onTokens?: ((tokens: number) => void) | undefined
}

/** Texts tokenised at once. */
const chunk = 1024
/** Above the largest tokenizer.json in use (some 60 MB). */
const largestTokenizer = 256 << 20
/** model2vec's own. */
const defaultLength = 512

/**
 * Opens the table of a repository whose tokenizer.json and config.json are in `files`. The table is held in memory in
 * its stored type where that is int8, float16 or float32, otherwise as float32.
 * Throws `tensor.missing`, `tensor.shape`, `tensor.value`, `config.*`, `tokenizer.missing`.
 */
export async function openStatic(files: RepoFiles, tensors: TensorSource, tokenizer: Tokenizer): Promise<StaticTable> {
  const config = (await readJsonFields(files, 'config.json')) ?? { place: `${files.name}/config.json`, fields: {} }
  const name = ['embeddings', 'embedding.weight'].find((candidate) => tensors.info(candidate) !== undefined)
  if (name === undefined) {
    throw fault('tensor.missing', {
      place: tensors.name,
      what: 'no static table',
      seen: tensors.names().slice(0, 8).join(', '),
      wanted: 'embeddings or embedding.weight',
    })
  }
  const isModel2vec =
    optionalTextOf(config, 'model_type') === 'model2vec' ||
    (name === 'embeddings' && !(await files.has('modules.json')))
  const table = await readTable(tensors, name)
  const words = await readTokenizerWords(files, tokenizer)
  const opened = isModel2vec ? model2vec(table, config, words, tokenizer) : staticEmbedding(table, words, tokenizer)
  return { ...opened, unread: describeUnread(config, known) }
}

/** Keys of config.json that are read, and those that say how model2vec made the table. */
const known = (
  'model_type max_length normalize architectures tokenizer_name tokenizer_class hidden_dim seq_length ' +
  'embedding_dtype apply_pca apply_zipf sif_coefficient pca_dims pooling vocabulary_quantization language ' +
  '_name_or_path transformers_version torch_dtype dtype source_model vocab_size'
).split(' ')

/** What tokenizer.json says beyond the ids of a text. */
interface TokenizerWords {
  readonly unknownId: number | undefined
  readonly truncation: { readonly maxLength: number; readonly side: 'left' | 'right' } | undefined
}

async function readTokenizerWords(files: RepoFiles, tokenizer: Tokenizer): Promise<TokenizerWords> {
  if (!(await files.has('tokenizer.json'))) {
    throw fault('tokenizer.missing', {
      place: files.name,
      what: 'no tokenizer.json',
      hint: 'a static table is of no use without the tokens of its rows',
    })
  }
  const place = `${files.name}/tokenizer.json`
  const file = parseJson(await files.text('tokenizer.json', largestTokenizer), place)
  const fields = isObject(file) ? file : {}
  const model = fieldOf(fields, 'model')
  const token = isObject(model) ? fieldOf(model, 'unk_token') : undefined
  const id = isObject(model) ? fieldOf(model, 'unk_id') : undefined
  const cut = fieldOf(fields, 'truncation')
  const maxLength = isObject(cut)
    ? optionalCountOf({ place: `${place} › truncation`, fields: cut }, 'max_length')
    : undefined
  return {
    unknownId: typeof token === 'string' ? tokenizer.tokenId(token) : numberOrNone(id),
    truncation:
      maxLength === undefined || !isObject(cut)
        ? undefined
        : { maxLength, side: fieldOf(cut, 'direction') === 'Left' ? 'left' : 'right' },
  }
}

function numberOrNone(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

type OpenedTable = Omit<StaticTable, 'unread'>

function model2vec(table: Table, config: JsonFields, { unknownId }: TokenizerWords, tokenizer: Tokenizer): OpenedTable {
  const tokens = table.mapping?.length ?? table.rows
  const fits = table.mapping === undefined ? tokens === tokenizer.vocabularySize : tokens >= tokenizer.vocabularySize
  if (!fits || (table.weights !== undefined && table.weights.length < tokenizer.vocabularySize)) {
    const seen = fits ? table.weights?.length : tokens
    throw fault('tensor.shape', {
      place: table.place,
      what: 'table and tokenizer have different numbers of tokens',
      seen,
      wanted: tokenizer.vocabularySize,
    })
  }
  const maxLength = Object.hasOwn(config.fields, 'max_length') ? optionalCountOf(config, 'max_length') : defaultLength
  const normalized = flagOf(config, 'normalize', false)
  const characters =
    maxLength === undefined
      ? undefined
      : maxLength * medianLength(tokenizer, Math.max(tokens, tokenizer.vocabularySize))
  return {
    rule: 'model2vec',
    width: table.width,
    rows: table.rows,
    bytes: table.summed.bytes.length,
    maxLength,
    normalized,
    embed: embedWith({
      table,
      normalized,
      tokenise: (texts) =>
        tokenizer.encodeBare(characters === undefined ? texts : texts.map((text) => firstCharacters(text, characters))),
      keep: (ids) => keepKnown(ids, unknownId, maxLength),
    }),
  }
}

function staticEmbedding(table: Table, { truncation }: TokenizerWords, tokenizer: Tokenizer): OpenedTable {
  const { maxLength, side } = truncation ?? {}
  return {
    rule: 'static-embedding',
    width: table.width,
    rows: table.rows,
    bytes: table.summed.bytes.length,
    maxLength,
    normalized: false,
    embed: embedWith({
      table,
      normalized: false,
      tokenise: (texts) => tokenizer.encodeBare(texts),
      keep: (ids) => (side === 'left' ? ids.subarray(-(maxLength ?? ids.length)) : ids.subarray(0, maxLength)),
    }),
  }
}

interface Reading {
  readonly table: Table
  readonly normalized: boolean
  readonly tokenise: (texts: readonly string[]) => Promise<BareIds>
  /** The tokens of a text that count. */
  readonly keep: (ids: Int32Array) => Int32Array
}

/** The `embed` of a table. */
function embedWith({ table, normalized, tokenise, keep }: Reading): StaticTable['embed'] {
  const writeMean = textMean(table, normalized)
  return async (texts, { signal, onProgress, onTokens } = {}) => {
    const out = matrix(texts.length, table.width)
    for (let start = 0; start < texts.length; start += chunk) {
      signal?.throwIfAborted()
      const { ids, ends } = await tokenise(texts.slice(start, start + chunk))
      let tokens = 0
      ends.forEach((end, i) => {
        const counted = keep(ids.subarray(ends[i - 1] ?? 0, end))
        tokens += counted.length
        writeMean(counted, row(out, start + i))
      })
      onTokens?.(tokens)
      const done = Math.min(texts.length, start + chunk)
      onProgress?.({ stage: 'encode', done, total: texts.length, unit: 'texts' })
    }
    return out
  }
}

/** The first `length` ids that are not the unknown token's, in the place of the others. */
function keepKnown(ids: Int32Array, unknownId: number | undefined, length = Infinity): Int32Array {
  let count = 0
  for (let i = 0; i < ids.length && count < length; i++) {
    const id = ids[i] ?? 0
    if (id !== unknownId) ids[count++] = id
  }
  return ids.subarray(0, count)
}

/** Median length of the vocabulary's tokens in code points, rounded down. */
function medianLength(tokenizer: Tokenizer, ids: number): number {
  const tokens = tokenizer.tokens(Uint32Array.from({ length: ids }, (_, id) => id))
  const lengths = Uint32Array.from(
    tokens.filter((token) => token !== undefined),
    (token) => Array.from(token).length,
  ).sort()
  const middle = lengths.length >> 1
  return lengths.length % 2 === 1
    ? (lengths[middle] ?? 0)
    : Math.floor(((lengths[middle - 1] ?? 0) + (lengths[middle] ?? 0)) / 2)
}

/** The first `count` code points. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let seen = 0; seen < count && end < text.length; seen++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

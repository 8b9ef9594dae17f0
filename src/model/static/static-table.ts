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
  narrow,
  optionalCountOf,
  optionalTextOf,
  parseJson,
  readFloat32,
  readJsonFields,
  widen,
  widen64,
} from '#files/formats'
import type { BareIds, Tokenizer } from '#model/tokenizer'

export interface StaticTable {
  readonly rule: 'model2vec' | 'static-embedding'
  readonly width: number
  /** Rows of the table. */
  readonly rows: number
  /** Tokens of a text that are kept; undefined when there is no limit. */
  readonly maxLength: number | undefined
  readonly normalized: boolean
  /** A line for the keys of config.json that are not followed. */
  readonly unread: readonly string[]
  /**
   * One row per text; zeros where no token is left. Throws `tensor.shape` for a token beyond the table, and what
   * tokenizers throw.
   */
  embed(texts: readonly string[], options?: CallOptions): Promise<Matrix>
}

/** Texts tokenised at once. */
const chunk = 1024
/** Above the largest tokenizer.json in use (some 60 MB). */
const largestTokenizer = 256 << 20
/** model2vec's own. */
const defaultLength = 512

/**
 * Opens the table of a repository whose tokenizer.json and config.json are in `files`. The table is held in memory as
 * float32.
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

interface Table {
  readonly place: string
  readonly rows: number
  readonly width: number
  /** [rows × width] */
  readonly data: Float32Array
  /** Row of each token; undefined: token i has row i. */
  readonly mapping: Uint32Array | undefined
  /** Weight of each token. */
  readonly weights: Float32Array | undefined
  /** The table is float16, and model2vec computes in the precision of its table. */
  readonly half: boolean
}

async function readTable(tensors: TensorSource, name: string): Promise<Table> {
  const place = `${tensors.name} › ${name}`
  const [rows, width, ...more] = tensors.info(name)?.shape ?? []
  if (rows === undefined || width === undefined || more.length > 0 || rows === 0 || width === 0) {
    throw fault('tensor.shape', {
      place,
      what: 'not a table',
      seen: tensors.info(name)?.shape,
      wanted: '[tokens, width]',
    })
  }
  const isTable = name === 'embeddings'
  const [mapping, weights] = [
    isTable ? await readMapping(tensors, rows) : undefined,
    isTable ? await readVector(tensors, 'weights') : undefined,
  ]
  return {
    place,
    rows,
    width,
    data: await readFloat32(tensors, name),
    mapping,
    weights,
    half: isTable && tensors.info(name)?.dtype === 'F16' && weights === undefined,
  }
}

/** `mapping` of tables whose vocabulary was quantised: token → row. */
async function readMapping(tensors: TensorSource, rows: number): Promise<Uint32Array | undefined> {
  const info = tensors.info('mapping')
  if (info === undefined) return undefined
  const place = `${tensors.name} › mapping`
  if (info.shape.length !== 1)
    throw fault('tensor.shape', { place, what: 'not a list', seen: info.shape, wanted: '[tokens]' })
  const values = widen64(await tensors.read('mapping'), info.dtype)
  const wrong = values.find((value) => !Number.isInteger(value) || value < 0 || value >= rows)
  if (wrong !== undefined)
    throw fault('tensor.value', { place, what: 'not a row of the table', seen: wrong, wanted: `0 … ${rows - 1}` })
  return Uint32Array.from(values)
}

async function readVector(tensors: TensorSource, name: string): Promise<Float32Array | undefined> {
  const info = tensors.info(name)
  if (info === undefined) return undefined
  if (info.shape.length !== 1)
    throw fault('tensor.shape', {
      place: `${tensors.name} › ${name}`,
      what: 'not a list',
      seen: info.shape,
      wanted: '[tokens]',
    })
  return readFloat32(tensors, name)
}

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
    maxLength,
    normalized,
    embed: (texts, options) =>
      embedAll(
        {
          table,
          normalized,
          tokenise: (part) =>
            tokenizer.encodeBare(
              characters === undefined ? part : part.map((text) => firstCharacters(text, characters)),
            ),
          keep: (ids) => keepKnown(ids, unknownId, maxLength),
        },
        texts,
        options,
      ),
  }
}

function staticEmbedding(table: Table, { truncation }: TokenizerWords, tokenizer: Tokenizer): OpenedTable {
  const { maxLength, side } = truncation ?? {}
  return {
    rule: 'static-embedding',
    width: table.width,
    rows: table.rows,
    maxLength,
    normalized: false,
    embed: (texts, call) =>
      embedAll(
        {
          table,
          normalized: false,
          tokenise: (part) => tokenizer.encodeBare(part),
          keep: (ids) => (side === 'left' ? ids.subarray(-(maxLength ?? ids.length)) : ids.subarray(0, maxLength)),
        },
        texts,
        call,
      ),
  }
}

interface Reading {
  readonly table: Table
  readonly normalized: boolean
  readonly tokenise: (texts: readonly string[]) => Promise<BareIds>
  /** The tokens of a text that count. */
  readonly keep: (ids: Int32Array) => Int32Array
}

async function embedAll(
  { table, normalized, tokenise, keep }: Reading,
  texts: readonly string[],
  { signal, onProgress }: CallOptions = {},
): Promise<Matrix> {
  const out = matrix(texts.length, table.width)
  for (let start = 0; start < texts.length; start += chunk) {
    signal?.throwIfAborted()
    const { ids, ends } = await tokenise(texts.slice(start, start + chunk))
    ends.forEach((end, i) => {
      writeMean(table, keep(ids.subarray(ends[i - 1] ?? 0, end)), normalized, row(out, start + i))
    })
    onProgress?.({ stage: 'encode', done: Math.min(texts.length, start + chunk), total: texts.length, unit: 'texts' })
  }
  return out
}

/** The first `length` ids that are not the unknown token's, in the place of the others. */
function keepKnown(ids: Int32Array, unknownId: number | undefined, length = Infinity): Int32Array {
  let kept = 0
  for (let i = 0; i < ids.length && kept < length; i++) {
    const id = ids[i] ?? 0
    if (id !== unknownId) ids[kept++] = id
  }
  return ids.subarray(0, kept)
}

/**
 * Σ weight · row / number of tokens – not divided by the sum of the weights, as model2vec does it. Sums are float64,
 * for float16 tables as NumPy's.
 */
function writeMean(table: Table, ids: Int32Array, normalized: boolean, target: Float32Array): void {
  if (ids.length === 0) return
  const sums = table.half ? new Float32Array(table.width) : new Float64Array(table.width)
  addRows(table, ids, sums)
  if (table.half) return writeHalfMean(sums as Float32Array, ids.length, normalized, target)
  let squares = 0
  for (const sum of sums) squares += (sum / ids.length) ** 2
  // model2vec adds 1e-32 to the norm: rows of zeros stay zeros.
  const scale = 1 / ids.length / (normalized ? Math.sqrt(squares) + 1e-32 : 1)
  for (let i = 0; i < sums.length; i++) target[i] = (sums[i] ?? 0) * scale
}

/** NumPy on float16: sums in float32, and every result – mean, square, norm, quotient – rounded to float16. */
function writeHalfMean(sums: Float32Array, count: number, normalized: boolean, target: Float32Array): void {
  const mean = toHalf(sums.map((sum) => sum / count))
  if (!normalized) return target.set(mean)
  const squares = toHalf(mean.map((value) => value * value)).reduce((sum, square) => Math.fround(sum + square), 0)
  const [rounded = 0] = toHalf(Float32Array.of(squares))
  const [norm = 0] = toHalf(Float32Array.of(Math.sqrt(rounded)))
  if (norm > 0) target.set(toHalf(mean.map((value) => value / norm)))
}

function toHalf(values: Float32Array): Float32Array {
  return widen(narrow(values, 'F16'), 'F16')
}

function addRows(
  { place, rows, width, data, mapping, weights }: Table,
  ids: Int32Array,
  sums: Float32Array | Float64Array,
): void {
  for (const id of ids) {
    const index = mapping === undefined ? id : mapping[id]
    const weight = weights === undefined ? 1 : weights[id]
    if (index === undefined || weight === undefined || index >= rows) {
      throw fault('tensor.shape', {
        place,
        what: 'a token is not in the table',
        seen: id,
        wanted: `0 … ${(mapping?.length ?? rows) - 1}`,
        hint: 'the tokenizer belongs to another table',
      })
    }
    const start = index * width
    for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + (data[start + i] ?? 0) * weight
  }
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

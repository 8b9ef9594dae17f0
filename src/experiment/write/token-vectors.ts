/**
 * A teacher's vectors: of each token of a vocabulary, which passes the model by itself between its special tokens, and of
 * whole texts.
 */
import { fault, matrix, type Matrix, type OnProgress } from '#core'
import type { StaticTokenizer, Tokenizer } from '#model/tokenizer'
import type { TokenRows } from '#representation/layers'

export interface TokenSources {
  /** The model's own. */
  readonly tokenizer: Tokenizer
  readonly vocabulary: StaticTokenizer
  readonly rows: TokenRows
  /** Empty: none. */
  readonly instruction: string
}

interface Call {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * A row for each token: what the model puts before a token, the instruction, the token, what it puts after. `empty`: rows
 * with values that are not finite, which become 0. Throws `tensor.value` where none has finite ones.
 */
export async function tokenVectors(
  { tokenizer, vocabulary, rows, instruction: asked }: TokenSources,
  { signal, onProgress }: Call,
): Promise<{ vectors: Matrix; empty: number }> {
  const { before, after } = vocabulary.around
  const instruction = await readInstruction(tokenizer, asked)
  const lead = [...before, ...instruction]
  // A word of one's own is read as a text, with the model's own tokens around it.
  const own = vocabulary.tokens.filter((_, i) => vocabulary.modelIds[i] === undefined)
  const texts = own.length === 0 ? [] : await tokenizer.encodeBatch(own)
  const read = new Map(own.map((token, i) => [token, texts[i]?.ids ?? new Int32Array(0)]))
  const ids = vocabulary.tokens.map((token, i) => {
    const id = vocabulary.modelIds[i]
    if (id !== undefined) return Int32Array.from([...lead, id, ...after])
    const whole = read.get(token) ?? new Int32Array(0)
    return instruction.length === 0 ? whole : Int32Array.from([...lead, ...whole.subarray(before.length)])
  })
  let done = 0
  const data = await rows.forward(ids, instruction.length === 0 ? 0 : lead.length, {
    signal,
    onRows: (count) => onProgress?.({ stage: 'distil', done: (done += count), total: ids.length, unit: 'tokens' }),
  })
  const vectors = matrix(ids.length, rows.width, data)
  const empty = zeroWhatIsNotFinite(vectors)
  if (empty === ids.length)
    throw fault('tensor.value', { place: tokenizer.name, what: 'no token gives a vector of finite values' })
  return { vectors, empty }
}

async function readInstruction(tokenizer: Tokenizer, asked: string): Promise<readonly number[]> {
  if (asked === '') return []
  const [encoded] = await tokenizer.encodeBatch([asked], { addSpecialTokens: false })
  return [...(encoded?.ids ?? [])]
}

/**
 * One row per text, as its tokens are read: the model's special tokens, the instruction behind the first of them, the same
 * pooling.
 */
export async function teacherVectors(
  { tokenizer, vocabulary, rows, instruction: asked }: TokenSources,
  texts: readonly string[],
  { maxLength, signal, onProgress }: Call & { maxLength: number },
): Promise<Matrix> {
  const instruction = await readInstruction(tokenizer, asked)
  const { before } = vocabulary.around
  const encoded = await tokenizer.encodeBatch([...texts], { maxLength: Math.max(1, maxLength - instruction.length) })
  const ids = encoded.map(({ ids: own }) =>
    instruction.length === 0 ? own : Int32Array.from([...before, ...instruction, ...own.subarray(before.length)]),
  )
  let done = 0
  const data = await rows.forward(ids, instruction.length === 0 ? 0 : before.length + instruction.length, {
    signal,
    onRows: (count) => onProgress?.({ stage: 'encode', done: (done += count), total: ids.length, unit: 'texts' }),
  })
  return matrix(ids.length, rows.width, data)
}

/** As NumPy's nan_to_num for NaN; infinities go the same way. Returns the number of rows that had one. */
function zeroWhatIsNotFinite({ rows, width, data }: Matrix): number {
  let found = 0
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * width, (i + 1) * width)
    if (row.every(Number.isFinite)) continue
    found++
    for (let k = 0; k < width; k++) if (!Number.isFinite(row[k])) row[k] = 0
  }
  return found
}

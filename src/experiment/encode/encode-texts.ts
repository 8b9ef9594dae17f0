/** Texts → a file of pooled vectors: streaming, in bounded memory, resuming after kill -9. */
import { fault, fingerprint, matrix, type OnProgress } from '#core'
import { jsonLine } from '#files/tables'
import { choosePrompt, type Encoder, type Model, statesOf } from '#model/checkpoint'
import { forecastTokens } from '#model/passes'
import { isRanged, type Representation, representationEncoder, type VectorType, toWhole } from '#representation/layers'
import { chainInputs, openRowSpool, type RowSpool } from '#platform/disk'
import { checkFinite } from './check-finite.ts'
import { checkStackable, outputFormat, vectorColumns, writePooled } from './encode-output.ts'
import { type OutputSlot, storedNumbers, storedWidth } from './stored-slot.ts'

export interface TextRow {
  readonly id: string
  readonly text: string
}

export interface EncodeTextsOptions {
  readonly out: string
  /** Hidden states, or one representation. */
  readonly states: readonly number[] | Representation
  /** Maximum number of rows. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

export interface Encoded {
  readonly out: string
  readonly rows: number
  /** Rows that an earlier, interrupted run had finished. */
  readonly resumed: number
  /** Tokens that passed the model in this run. */
  readonly tokens: number
  /** As stored: the width of packed bits is in bytes. */
  readonly slots: readonly Omit<OutputSlot, 'type'>[]
}

/** Rows of one chunk: the maximum loss in a crash. */
const chunkRows = 4096
/** Rows of one chunk when a reader waits at the other end of a pipe. */
const pipedRows = 512

/**
 * Encodes into `out` (.npy, .safetensors, .parquet or .jsonl by its name); rows keep their order, empty texts their
 * row. Unfinished vectors are in `<out>.partial/`, from which a second call with the same job and input continues.
 * Throws `tensor.value` for a state that is not finite, and what reading, tokenising and writing throw.
 */
export async function encodeTexts(
  model: Model,
  source: AsyncIterable<readonly TextRow[]>,
  { out, states, limit = Infinity, signal, onProgress }: EncodeTextsOptions,
): Promise<Encoded> {
  const format = outputFormat(out)
  const prompt = choosePrompt(model.prompts)
  const encoder = await encoderOf(model, states)
  const type = typeOf(states)
  const slots: OutputSlot[] = encoder.slots.map(({ name, width }) => ({
    layer: name,
    name: outputName(name),
    width,
    type,
  }))
  checkStackable(format, out, slots)
  const job = fingerprint({
    model: await model.identity(),
    settings: model.settings,
    prompt,
    slots,
    identity: identityOf(states),
    format,
  })
  const spool = await openRowSpool(
    `${out}.partial`,
    job,
    slots.map(({ name, width }) => ({ name, rowBytes: 4 * width })),
  )
  const resumed = spool.rows
  let tokens = 0
  try {
    const encoded = encodeChunks(encoder, afterResumed(first(source, limit), spool, out), {
      prompt,
      rows: chunkRows,
      total: limit - resumed,
      signal,
      onProgress,
    })
    for await (const chunk of encoded) {
      tokens += chunk.tokens
      await spool.append(chunk.rows.length, chunk.values.map(bytesOf), chunk.rows.map(inputOf), chunk.rows)
    }
    if (spool.rows === 0) throw noTexts(out)
    await writePooled(format, out, slots, spool)
  } catch (error) {
    await spool.close()
    // An empty spool is of no use, and would block the next job.
    if (spool.rows === 0) await spool.remove()
    throw error
  }
  await spool.close()
  await spool.remove()
  const stored = slots.map(({ layer, name, width }) => ({ layer, name, width: storedWidth(width, type) }))
  return { out, rows: spool.rows, resumed, tokens, slots: stored }
}

/** The lines of the same .jsonl as they are made, for a pipe: nothing is stored, so a second call starts over. */
export async function* encodeLines(
  model: Model,
  source: AsyncIterable<readonly TextRow[]>,
  { states, limit = Infinity, signal, onProgress }: Omit<EncodeTextsOptions, 'out'>,
): AsyncGenerator<string> {
  const encoder = await encoderOf(model, states)
  const prompt = choosePrompt(model.prompts)
  const type = typeOf(states)
  if (isRanged(type))
    throw fault('usage.conflict', {
      place: '--out -',
      what: `${type} is scaled to the ranges of all texts, which lines of a pipe do not wait for`,
      hint: '--out vectors.npy',
    })
  let seen = 0
  for await (const { rows, values } of encodeChunks(encoder, first(source, limit), {
    prompt,
    rows: pipedRows,
    total: limit,
    signal,
    onProgress,
  })) {
    seen += rows.length
    for (const [index, { id, text }] of rows.entries()) {
      for (const [slot, { name: layer, width }] of encoder.slots.entries()) {
        const whole = values[slot]?.subarray(index * width, (index + 1) * width)
        const vector = storedNumbers(matrix(1, width, whole), type).data
        yield jsonLine({ id, text, layer, vector }, vectorColumns, `text ${id}`)
      }
    }
  }
  if (seen === 0) throw noTexts('standard output')
}

function typeOf(states: EncodeTextsOptions['states']): VectorType {
  return 'kind' in states && states.kind === 'sized' ? states.type : 'float32'
}

function encoderOf(model: Model, states: EncodeTextsOptions['states']): Promise<Encoder> {
  return 'kind' in states ? representationEncoder(model, states) : statesOf(model).encoder(states)
}

/** Identity of a mix, beyond its name; slots name everything else in full. */
function identityOf(states: EncodeTextsOptions['states']): string | undefined {
  if (!('kind' in states)) return undefined
  const whole = toWhole(states)
  return whole.kind === 'combination' ? whole.identity : undefined
}

interface EncodedChunk {
  readonly rows: readonly TextRow[]
  /** Slot by slot [rows × width], finite. */
  readonly values: readonly Float32Array[]
  readonly tokens: number
}

interface ChunkOptions {
  readonly prompt: string | null
  readonly rows: number
  /** Number of texts, Infinity if unknown. */
  readonly total: number
  readonly signal: AbortSignal | undefined
  readonly onProgress: OnProgress | undefined
}

async function* encodeChunks(
  encoder: Encoder,
  source: AsyncIterable<TextRow>,
  { prompt, rows: size, total, signal, onProgress }: ChunkOptions,
): AsyncGenerator<EncodedChunk> {
  const known = Number.isFinite(total)
  let [done, seen, earlier] = [0, 0, 0]
  for await (const rows of chunks(source, size)) {
    signal?.throwIfAborted()
    const texts = rows.map(({ text }) => text)
    const forecast = forecastTokens(texts)
    seen += rows.length
    let tokens = 0
    const values = await encoder.encode(texts, prompt, {
      signal,
      onRows(count, rowTokens) {
        done += count
        tokens += rowTokens
        // assumes that the remaining chunks resemble this one
        const all = forecast(count, rowTokens).total
        const work = known
          ? { done: earlier + tokens, total: earlier + all * (1 + (total - seen) / rows.length) }
          : undefined
        onProgress?.({ stage: 'encode', done, total: known ? total : undefined, unit: 'texts', work })
      },
    })
    earlier += tokens
    const names = rows.map(({ id }) => `text ${id}`)
    for (const [slot, data] of values.entries()) checkFinite(`state ${encoder.slots[slot]?.name ?? ''}`, data, names)
    yield { rows, values, tokens }
  }
}

function noTexts(place: string): Error {
  return fault('table.empty', { place, what: 'no texts to encode', hint: 'the input has no rows' })
}

/** Skips the finished rows, after checking that they are the same. */
async function* afterResumed(source: AsyncIterable<TextRow>, spool: RowSpool, out: string): AsyncGenerator<TextRow> {
  const { rows: finished, inputs } = spool
  let seen = 0
  let hash = ''
  const changed = () =>
    fault('usage.conflict', {
      place: `${out}.partial`,
      what: 'the input differs from the one that was being encoded',
      hint: `remove ${out}.partial to start over`,
    })
  for await (const row of source) {
    if (seen >= finished) yield row
    else hash = chainInputs(hash, [inputOf(row)])
    seen++
    if (seen === finished && hash !== inputs) throw changed()
  }
  if (seen < finished) throw changed()
}

/** Tables name their rows: a different id is a different input, like a different text. */
function inputOf({ id, text }: TextRow): string {
  return `${id}\0${text}`
}

async function* first(source: AsyncIterable<readonly TextRow[]>, limit: number): AsyncGenerator<TextRow> {
  let taken = 0
  for await (const batch of source) {
    for (const row of batch) {
      if (taken++ >= limit) return
      yield row
    }
  }
}

async function* chunks<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = []
  for await (const item of source) {
    chunk.push(item)
    if (chunk.length === size) {
      yield chunk
      chunk = []
    }
  }
  if (chunk.length > 0) yield chunk
}

/** `h3` → `hidden_states.3`, the model's own embedding → `embeddings`. */
function outputName(slot: string): string {
  return /^h\d+$/.test(slot) ? `hidden_states.${slot.slice(1)}` : 'embeddings'
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

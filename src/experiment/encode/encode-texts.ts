/** Texts → a file of pooled vectors: streaming, in bounded memory, going on after kill -9 where it stopped. */
import { fault, fingerprint, type OnProgress } from '#core'
import { choosePrompt, type Model } from '#model/checkpoint'
import { outputFormat, writePooled, type OutputSlot } from './encode-output.ts'
import { chainInputs, openSpool, type Spool } from '#platform/disk'

export interface TextRow {
  readonly id: string
  readonly text: string
}

export interface EncodeTextsOptions {
  readonly out: string
  /** Hidden states, or the model's own embedding. */
  readonly states: readonly number[] | 'default'
  /** Only the first so many rows. */
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
  readonly slots: readonly OutputSlot[]
}

/** Rows of one chunk: what a crash may cost. */
const chunkRows = 4096

/**
 * Encodes into `out` (.npy, .safetensors, .parquet or .jsonl by its name); rows keep their order, empty texts their row.
 * Until it is finished the vectors lie in `<out>.partial/`: a second call with the same job and input goes on from there.
 */
export async function encodeTexts(
  model: Model,
  source: AsyncIterable<readonly TextRow[]>,
  { out, states, limit = Infinity, signal, onProgress }: EncodeTextsOptions,
): Promise<Encoded> {
  const format = outputFormat(out)
  const prompt = choosePrompt(model.prompts)
  const encoder = await model.encoder(states)
  const slots: OutputSlot[] = encoder.slots.map(({ name, width }) => ({ layer: name, name: outputName(name), width }))
  const job = fingerprint({ model: await model.identity(), settings: model.settings, prompt, slots, format })
  const spool = await openSpool(
    `${out}.partial`,
    job,
    slots.map(({ name, width }) => ({ name, rowBytes: 4 * width })),
  )
  const resumed = spool.rows
  let [done, tokens] = [0, 0]
  const encodeChunk = async (rows: readonly TextRow[]): Promise<void> => {
    signal?.throwIfAborted()
    const texts = rows.map(({ text }) => text)
    const values = await encoder.encode(texts, prompt, {
      ...(signal ? { signal } : {}),
      onRows(count, rowTokens) {
        done += count
        tokens += rowTokens
        onProgress?.({ stage: 'encode', done, total: Number.isFinite(limit) ? limit - resumed : undefined, unit: 'texts' })
      },
    })
    await spool.append(rows.length, values.map(bytesOf), texts, rows)
  }
  try {
    for await (const rows of chunks(afterResumed(first(source, limit), spool, out), chunkRows)) await encodeChunk(rows)
    if (spool.rows === 0) throw fault('table.empty', { place: out, what: 'no texts to encode', hint: 'the input has no rows' })
    await writePooled(format, out, slots, spool)
  } finally {
    await spool.close()
  }
  await spool.remove()
  return { out, rows: spool.rows, resumed, tokens, slots }
}

/** Skips the rows that are finished, after making sure that they are the same ones. */
async function* afterResumed(source: AsyncIterable<TextRow>, spool: Spool, out: string): AsyncGenerator<TextRow> {
  const { rows: finished, inputs } = spool
  let seen = 0
  let hash = ''
  const changed = () =>
    fault('usage.conflict', { place: `${out}.partial`, what: 'the input is not the one that was being encoded', hint: `remove ${out}.partial to start anew` })
  for await (const row of source) {
    if (seen >= finished) yield row
    else hash = chainInputs(hash, [row.text])
    seen++
    if (seen === finished && hash !== inputs) throw changed()
  }
  if (seen < finished) throw changed()
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
  return slot === 'default' ? 'embeddings' : `hidden_states.${slot.slice(1)}`
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

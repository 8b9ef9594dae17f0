/** What an encoder has read, as its decoder meets it: keys and values of every block, made once for each text. */
import { fault } from '#core'
import type { Feeds, Outputs } from '#platform/runtime'
import type { Graphs } from '#model/passes'

/** Texts, padded at their end to `cols` tokens. */
export interface SourceRows {
  readonly cols: number
  /** [rows × cols], 1 for tokens. */
  readonly mask: Int32Array
  /** `source.<block>.<part>` → [rows × heads × cols × head width]. */
  readonly states: ReadonlyMap<string, { readonly dims: readonly number[]; readonly data: Float32Array }>
}

/** The encoder, and the decoder that continues from it. */
export interface Source {
  readonly encoder: Graphs
  /** Fills rows of the encoder. */
  readonly padId: number
  /** The token in front of everything the decoder writes. */
  readonly startId: number
}

/** One pass of the encoder over all texts, and what the decoder's blocks make of it. Throws `engine.run`. */
export async function readSources(
  texts: readonly Int32Array[],
  { encoder, padId }: Source,
  decoder: Graphs,
): Promise<SourceRows> {
  const cols = Math.max(1, ...texts.map(({ length }) => length))
  const dims = [texts.length, cols]
  const ids = new Int32Array(texts.length * cols).fill(padId)
  const mask = new Int32Array(texts.length * cols)
  texts.forEach((text, r) => {
    ids.set(text, r * cols)
    mask.fill(1, r * cols, r * cols + text.length)
  })
  const integers = (data: Int32Array): Feeds[string] => ({ dtype: 'int32', dims, data })
  const [read, made] = await Promise.all([encoder.open({ lastState: true }), decoder.open({ source: true })])
  const outputs = await read.session.run({ input_ids: integers(ids), attention_mask: integers(mask.slice()) })
  const states = await made.session.run({
    source_states: { dtype: 'float32', ...floatsOf(outputs, 'last_hidden_state') },
  })
  return { cols, mask, states: new Map(made.graph.outputs.map(({ name }) => [name, floatsOf(states, name)])) }
}

function floatsOf(outputs: Outputs, name: string): { dims: readonly number[]; data: Float32Array } {
  const value = outputs[name]
  if (value?.dtype !== 'float32') throw fault('engine.run', { place: name, what: 'the graph did not give this output' })
  return { dims: value.dims, data: value.data }
}

/** A copy of some of the rows, in this order; a row may come several times. */
export function pickSources({ cols, mask, states }: SourceRows, rows: readonly number[]): SourceRows {
  const picked = new Int32Array(rows.length * cols)
  rows.forEach((row, r) => picked.set(mask.subarray(row * cols, (row + 1) * cols), r * cols))
  const copies = Array.from(states, ([name, { dims, data }]) => {
    const size = data.length / (dims[0] ?? 1)
    const copy = new Float32Array(rows.length * size)
    rows.forEach((row, r) => copy.set(data.subarray(row * size, (row + 1) * size), r * size))
    return [name, { dims: [rows.length, ...dims.slice(1)], data: copy }] as const
  })
  return { cols, mask: picked, states: new Map(copies) }
}

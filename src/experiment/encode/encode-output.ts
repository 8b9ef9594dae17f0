/** Writes vectors in four formats: .npy, .safetensors, .parquet, .jsonl. */
import { extname } from 'node:path'
import { elementCount, fault, type Dtype } from '#core'
import { createSafetensorsWriter, writeNpy, createNpyWriter, widen } from '#files/formats'
import { createTableWriter, type TableColumn } from '#files/tables'
import type { RowSpool } from '#platform/disk'
import { type OutputSlot, type StoredSlot, storedSlot } from './stored-slot.ts'

export const outputFormats = ['npy', 'safetensors', 'parquet', 'jsonl'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** One line per text and state. */
export const vectorColumns: readonly TableColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'text', type: 'text' },
  { name: 'layer', type: 'text' },
  { name: 'vector', type: 'vector' },
]

/** A whole tensor to be written. */
export interface OutputTensor {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly bytes: Uint8Array
}

export function outputFormat(out: string): OutputFormat {
  const extension = extname(out).slice(1).toLowerCase()
  const format = outputFormats.find((known) => known === extension)
  if (format === undefined)
    throw fault('usage.value', {
      place: `--out ${out}`,
      what: 'no such output format',
      seen: extension || 'no extension',
      wanted: outputFormats.map((known) => `.${known}`).join(', '),
    })
  return format
}

/** Checks before any work: an .npy stacks its states. Throws `representation.width`. */
export function checkStackable(format: OutputFormat, out: string, slots: readonly OutputSlot[]): void {
  const [first] = slots
  const odd = slots.find(({ width }) => width !== first?.width)
  if (format !== 'npy' || odd === undefined) return
  throw fault('representation.width', {
    place: out,
    what: 'the states differ in width and cannot be stacked',
    seen: `${odd.layer}: ${odd.width}, ${first?.layer ?? ''}: ${first?.width ?? 0}`,
    hint: 'write .safetensors, or name layers of one width',
  })
}

/** The format of whole tensors. Throws `usage.value`, and `usage.conflict` for a table. */
export function tensorFormat(out: string): 'npy' | 'safetensors' {
  const format = out === '-' ? 'jsonl' : outputFormat(out)
  if (format === 'npy' || format === 'safetensors') return format
  throw fault('usage.conflict', {
    place: `--out ${out}`,
    what: 'token output is a tensor, not a table',
    hint: 'write .safetensors or .npy',
  })
}

/**
 * Writes the spooled rows. npy: one slot [rows × width], several [depth × rows × width]; safetensors: one tensor per
 * slot; tables: `id, text, layer, vector`, one line per text and slot.
 */
export async function writePooled(
  format: OutputFormat,
  out: string,
  slots: readonly OutputSlot[],
  spool: RowSpool,
): Promise<void> {
  switch (format) {
    case 'npy':
      return writePooledNpy(out, slots, spool)
    case 'safetensors':
      return writePooledSafetensors(out, slots, spool)
    case 'parquet':
    case 'jsonl':
      return writePooledTable(out, slots, spool)
    default:
      return format satisfies never
  }
}

async function writePooledNpy(out: string, slots: readonly OutputSlot[], spool: RowSpool): Promise<void> {
  const stored = await Promise.all(slots.map((slot) => storedSlot(slot, spool)))
  const [{ dtype, width } = { dtype: 'F32' as const, width: 0 }] = stored
  const writer = await createNpyWriter(out, dtype, [width], slots.length === 1 ? {} : { leading: [slots.length] })
  try {
    for (const slot of stored) for await (const piece of slot.pieces(4096)) await writer.append(piece)
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

async function writePooledSafetensors(out: string, slots: readonly OutputSlot[], spool: RowSpool): Promise<void> {
  const stored = await Promise.all(slots.map((slot) => storedSlot(slot, spool)))
  const writer = await createSafetensorsWriter(
    out,
    stored.map(({ name, dtype, width }) => ({ name, dtype, shape: [spool.rows, width] })),
  )
  try {
    for (const slot of stored) {
      let offset = 0
      for await (const piece of slot.pieces(4096)) {
        await writer.write(slot.name, piece, offset)
        offset += piece.length
      }
    }
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

async function writePooledTable(out: string, slots: readonly OutputSlot[], spool: RowSpool): Promise<void> {
  const writer = await createTableWriter(out, vectorColumns)
  try {
    const stored = await Promise.all(slots.map((slot) => storedSlot(slot, spool)))
    const readers = stored.map(vectors)
    for await (const label of spool.labels()) {
      const { id, text } = label as { id: string; text: string }
      const rows = []
      for (const [index, reader] of readers.entries()) {
        const { value } = await reader.next()
        rows.push({ id, text, layer: slots[index]?.layer ?? '', vector: value ?? new Float32Array(0) })
      }
      await writer.append(rows)
    }
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** Row by row, the stored numbers. */
async function* vectors(slot: StoredSlot): AsyncGenerator<Float32Array> {
  const { dtype, width } = slot
  for await (const piece of slot.pieces(1024)) {
    const values = widen(piece, dtype)
    for (let at = 0; at < values.length; at += width) yield values.subarray(at, at + width)
  }
}

/** Whole tensors into .safetensors under their names, or one of them into .npy. */
export async function writeStates(out: string, tensors: readonly OutputTensor[]): Promise<void> {
  if (tensorFormat(out) === 'safetensors') {
    const writer = await createSafetensorsWriter(out, tensors)
    try {
      for (const { name, bytes } of tensors) await writer.write(name, bytes)
      await writer.finish()
    } catch (error) {
      await writer.abort()
      throw error
    }
    return
  }
  const states = tensors.filter(({ name }) => name.startsWith('hidden_states.') || name === 'embeddings')
  const chosen = states.length > 0 ? states : tensors.filter(({ dtype }) => dtype === 'F32')
  const [one] = chosen
  if (one === undefined || chosen.some(({ shape }) => shape.join() !== one.shape.join())) {
    throw fault('representation.width', {
      place: out,
      what: 'tensors of different shapes do not fit one .npy',
      seen: chosen.map(({ name, shape }) => `${name} [${shape.join(', ')}]`),
      hint: 'write .safetensors',
    })
  }
  const bytes = new Uint8Array(4 * elementCount(one.shape) * chosen.length)
  chosen.forEach((tensor, index) => bytes.set(tensor.bytes, index * tensor.bytes.length))
  await writeNpy(out, { dtype: 'F32', shape: chosen.length === 1 ? one.shape : [chosen.length, ...one.shape], bytes })
}

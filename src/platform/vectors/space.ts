/** One space of the store: texts in, rows of one slot out. */
import { join } from 'node:path'
import { fault, matrix, type Matrix } from '#core'
import { blockLayout, type Slot } from './block.ts'
import type { Catalogue } from './catalogue.ts'
import { keyCount, keyOrder, keyTable, takeKeys, textKeys } from './keys.ts'
import { compact } from './compact.ts'
import { readRows, type Block } from './read-block.ts'
import { writeBlock } from './write-block.ts'

/**
 * Everything but the text that decides a vector, and the texts' vectors under it. `missing` begins a piece of work: the
 * blocks that it finds, and those written or read from then on, are not evicted by this process before the handle's
 * next `missing` or its end.
 * `keys` are those of the texts
 * (`textKeys`), for callers that have them.
 */
export interface VectorSpace {
  /** Hex SHA-256 of the description and the slots. */
  readonly id: string
  readonly slots: readonly Slot[]
  /** Indexes of texts that are not stored, each distinct text once. */
  missing(texts: readonly string[], keys?: Uint32Array): Promise<number[]>
  /**
   * Stores rows; durable when it returns. `values` holds one [texts × width] array per slot. Texts that are stored
   * already, or come twice, are written once. Throws `file.write`.
   */
  append(texts: readonly string[], values: readonly Float32Array[], keys?: Uint32Array): Promise<void>
  /**
   * Rows of one slot in the order of the texts, repeats allowed. No byte of another slot is read; memory beyond the
   * result is a few words per text. Throws `cache.invalid` when a text is missing, because it was never stored,
   * trimmed, or damaged: ask `missing` and store it again.
   */
  read(slot: string, texts: readonly string[], keys?: Uint32Array): Promise<Matrix>
  close(): Promise<void>
}

/** What the handles of one space share within a process. */
export interface OpenSpace {
  readonly id: string
  readonly folder: string
  readonly slots: readonly Slot[]
  readonly catalogue: Catalogue
  /** Names of blocks that each open handle needs for what it is doing. */
  readonly leases: Set<Set<string>>
}

interface SpaceEvents {
  /** Called after a block was written; `bytes` on disk. */
  onWrite: (bytes: number) => Promise<void>
  onClose: () => Promise<void>
}

/** Bytes of a block at most; a larger `append` becomes several. */
const blockBytes = 64 << 20
const blockRows = 1 << 16
const pieceBytes = 4 << 20
/** A read that keeps losing blocks to other processes gives up after this many looks at the folder. */
const looks = 5

/** A space as one of its users holds it. */
interface Handle {
  readonly space: OpenSpace
  readonly lease: Set<string>
  readonly onWrite: SpaceEvents['onWrite']
}

export function openHandle(space: OpenSpace, { onWrite, onClose }: SpaceEvents): VectorSpace {
  const handle: Handle = { space, lease: new Set(), onWrite }
  space.leases.add(handle.lease)
  let closed = false
  const assertOpen = (): void => {
    if (closed) throw fault('internal', { place: placeOf(space), what: 'used after it was closed' })
  }
  return {
    id: space.id,
    slots: space.slots,
    async missing(texts, keys = textKeys(texts)) {
      assertOpen()
      return missingTexts(handle, texts, keys)
    },
    async append(texts, values, keys = textKeys(texts)) {
      assertOpen()
      assertValues(placeOf(space), texts.length, space.slots, values)
      await appendTexts(handle, texts, values, keys)
    },
    async read(slot, texts, keys = textKeys(texts)) {
      assertOpen()
      return readTexts(handle, slot, texts, keys)
    },
    async close() {
      if (closed) return
      closed = true
      space.leases.delete(handle.lease)
      await onClose()
    },
  }
}

function placeOf({ id }: OpenSpace, slot?: string): string {
  return `vector cache ${id.slice(0, 12)}${slot === undefined ? '' : ` › ${slot}`}`
}

async function hold({ space, lease }: Handle, blocks: ReadonlySet<Block>): Promise<void> {
  for (const { name } of blocks) lease.add(name)
  await space.catalogue.use(blocks)
}

/** Rows moved to other blocks by another process stay needed. */
async function refresh({ catalogue, leases }: OpenSpace): Promise<void> {
  const { found, gone } = await catalogue.refresh()
  for (const other of leases)
    if (gone.filter((name) => other.delete(name)).length > 0) for (const name of found) other.add(name)
}

async function missingTexts(handle: Handle, texts: readonly string[], keys: Uint32Array): Promise<number[]> {
  const { space, lease } = handle
  await refresh(space)
  lease.clear()
  const distinct = keyTable()
  distinct.add(keys)
  const missing: number[] = []
  const stored = new Set<Block>()
  for (let i = 0; i < texts.length; i++) {
    if (distinct.find(keys, i) !== i) continue
    const found = space.catalogue.find(keys, i)
    if (found) stored.add(found.block)
    else missing.push(i)
  }
  await hold(handle, stored)
  return missing
}

async function appendTexts(
  { space, lease, onWrite }: Handle,
  texts: readonly string[],
  values: readonly Float32Array[],
  keys: Uint32Array,
): Promise<void> {
  const { catalogue, slots, leases } = space
  await refresh(space)
  const distinct = keyTable()
  distinct.add(keys)
  const rows = Array.from(texts.keys()).filter(
    (i) => distinct.find(keys, i) === i && catalogue.find(keys, i) === undefined,
  )
  const step = Math.max(1, Math.min(blockRows, Math.floor(blockBytes / rowBytes(slots))))
  for (let start = 0; start < rows.length; start += step) {
    const block = await writeRows(space, keys, rows.slice(start, start + step), values)
    lease.add(block.name)
    catalogue.add(block)
    await onWrite(block.bytes)
  }
  if (rows.length === 0) return
  const compacted = await compact({
    ...space,
    onCompacted(sources, into) {
      for (const other of leases) if (sources.filter((name) => other.delete(name)).length > 0) other.add(into)
    },
  })
  if (compacted > 0) await onWrite(compacted)
}

async function readTexts(
  handle: Handle,
  slotName: string,
  texts: readonly string[],
  keys: Uint32Array,
): Promise<Matrix> {
  const { space } = handle
  const { catalogue, slots } = space
  const slot = slots.findIndex(({ name }) => name === slotName)
  const width = slots[slot]?.width
  if (width === undefined)
    throw fault('cache.invalid', {
      place: placeOf(space),
      what: 'the space has no such slot',
      seen: slotName,
      wanted: slots.map(({ name }) => name).join(', '),
    })
  const out = matrix(texts.length, width)
  let pending = Uint32Array.from(texts.keys())
  for (let look = 0; pending.length > 0; look++) {
    if (look > 0) await refresh(space)
    const plan = planReads(catalogue, keys, pending)
    if (look === looks || (look > 0 && plan.lost.length > 0))
      throw missingFault(placeOf(space, slotName), plan.lost.length || pending.length, texts.length)
    await hold(handle, new Set(plan.reads.map(({ block }) => block)))
    const unread = [plan.lost]
    for (const { block, rows, targets } of plan.reads) {
      const trouble = await readRows(block, slots, slot, rows, (row, i) => out.data.set(row, (targets[i] ?? 0) * width))
      if (trouble === undefined) continue
      unread.push(targets)
      if (trouble === 'damaged') await catalogue.condemn(block)
      else catalogue.drop(block.name)
    }
    pending = joined(unread)
  }
  return out
}

/** Rows to read from one block, ascending, and where each goes in the result. */
interface BlockRead {
  readonly block: Block
  readonly rows: Uint32Array
  readonly targets: Uint32Array
}

/** Groups texts by block and orders them by row; `lost` are those that no block holds. */
function planReads(
  catalogue: Catalogue,
  keys: Uint32Array,
  texts: Uint32Array,
): { reads: BlockRead[]; lost: Uint32Array } {
  const numbers = new Map<Block, number>()
  const blockOf = new Uint32Array(texts.length)
  const rowOf = new Uint32Array(texts.length)
  const lost: number[] = []
  const order: number[] = []
  for (const [i, text] of texts.entries()) {
    const found = catalogue.find(keys, text)
    if (found === undefined) {
      lost.push(text)
      continue
    }
    let number = numbers.get(found.block)
    if (number === undefined) numbers.set(found.block, (number = numbers.size))
    blockOf[i] = number
    rowOf[i] = found.row
    order.push(i)
  }
  const sorted = Uint32Array.from(order).sort(
    (a, b) => (blockOf[a] ?? 0) - (blockOf[b] ?? 0) || (rowOf[a] ?? 0) - (rowOf[b] ?? 0),
  )
  let start = 0
  const reads = Array.from(numbers, ([block, number]) => {
    let end = start
    while (end < sorted.length && blockOf[sorted[end] ?? 0] === number) end++
    const members = sorted.subarray(start, (start = end))
    return { block, rows: members.map((i) => rowOf[i] ?? 0), targets: members.map((i) => texts[i] ?? 0) }
  })
  return { reads, lost: Uint32Array.from(lost) }
}

/** Writes the rows at `rows` of the values as one block, in the order of their keys. */
async function writeRows(
  { folder, id, slots }: OpenSpace,
  keys: Uint32Array,
  rows: readonly number[],
  values: readonly Float32Array[],
): Promise<Block> {
  const chosen = takeKeys(keys, rows)
  const order = keyOrder(chosen)
  const sorted = takeKeys(chosen, order)
  const name = await writeBlock(folder, id, slots, {
    keys: sorted,
    *values(slot) {
      const [source, width] = [values[slot] ?? new Float32Array(), slots[slot]?.width ?? 1]
      const step = Math.max(1, Math.floor(pieceBytes / (width * 4)))
      const piece = new Float32Array(Math.min(step, order.length) * width)
      for (let start = 0; start < order.length; start += step) {
        const count = Math.min(step, order.length - start)
        for (let i = 0; i < count; i++) {
          const row = rows[order[start + i] ?? 0] ?? 0
          piece.set(source.subarray(row * width, (row + 1) * width), i * width)
        }
        yield piece.subarray(0, count * width)
      }
    },
  })
  return {
    name,
    path: join(folder, name),
    rows: keyCount(sorted),
    bytes: blockLayout(keyCount(sorted), slots).bytes,
    keys: sorted,
  }
}

function rowBytes(slots: readonly Slot[]): number {
  return slots.reduce((sum, { width }) => sum + width * 4, 0)
}

function joined(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

function missingFault(place: string, missing: number, texts: number): Error {
  return fault('cache.invalid', {
    place,
    what: 'texts are not in the vector cache',
    seen: `${missing} of ${texts}`,
    hint: 'they were never stored, trimmed by another process, or damaged on disk: encode them again',
  })
}

function assertValues(place: string, texts: number, slots: readonly Slot[], values: readonly Float32Array[]): void {
  if (values.length !== slots.length)
    throw fault('internal', { place, what: 'one array a slot is stored', seen: values.length, wanted: slots.length })
  slots.forEach(({ name, width }, slot) => {
    const length = values[slot]?.length
    if (length !== texts * width)
      throw fault('internal', {
        place: `${place} › ${name}`,
        what: 'values do not fit the texts',
        seen: length,
        wanted: `${texts} × ${width}`,
      })
  })
}

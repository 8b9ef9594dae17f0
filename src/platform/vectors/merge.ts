/**
 * Joins many small blocks into fewer large ones, so that texts stored a handful at a time do not become a file each.
 *
 * Blocks are joined within a class of size, eight or more at once, each class eight times the one below: a row is rewritten at most once a
 * class. The new block is durable before its sources are removed, and holds every key of theirs; as a name stands for a set of keys, a
 * chain of joins only grows and cannot come back to a name it removes. So no order of events between processes loses a row. The lock only
 * saves two of them from doing the same work.
 */
import { open, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, fault } from '#core'
import { maxRows, type Slot } from './block.ts'
import type { Catalogue } from './catalogue.ts'
import { fileFacts, lockName, remove } from './disk.ts'
import { compareKeys, keyTable } from './keys.ts'
import { readRows, type Block, type Trouble } from './read-block.ts'
import { writeBlock } from './write-block.ts'

const fanIn = 8
const smallestClass = 16 << 10
/** Blocks from this size on are left alone: they are the unit of eviction too. */
const largeBytes = 8 << 20
const largeRows = 1 << 17
/** Bytes of a joined block at most. */
const joinedBytes = 64 << 20
const pieceBytes = 4 << 20
/** A lock this old was left by a process that was killed. */
const staleAfter = 10 * 60 * 1000

interface MergePlace {
  readonly folder: string
  readonly id: string
  readonly slots: readonly Slot[]
  readonly catalogue: Catalogue
  /** Told of each join before its sources go. */
  readonly onMerge: (sources: readonly string[], joined: string) => void
}

/** Joins whatever is due. Never throws for want of room or rights: the small blocks are as good. Returns bytes written. */
export async function mergeSmall(place: MergePlace): Promise<number> {
  if (due(place.catalogue) === undefined || !(await lock(place.folder))) return 0
  let written = 0
  try {
    await place.catalogue.refresh()
    for (let sources = due(place.catalogue); sources !== undefined; sources = due(place.catalogue)) written += await joinBlocks(place, sources)
  } catch (error) {
    if (!(error instanceof Fault && (error.code === 'file.write' || error.code === 'file.unreadable'))) throw error
  } finally {
    await remove(join(place.folder, lockName))
  }
  return written
}

/** Blocks to join next, in order of name, or undefined when no class has enough. Eight of any class fit into one block. */
function due({ blocks }: Pick<Catalogue, 'blocks'>): Block[] | undefined {
  const classes = new Map<number, Block[]>()
  for (const block of blocks.values()) {
    if (block.bytes >= largeBytes || block.rows >= largeRows) continue
    const size = Math.max(0, Math.floor(Math.log(block.bytes / smallestClass) / Math.log(fanIn)))
    classes.set(size, [...(classes.get(size) ?? []), block])
  }
  for (const members of classes.values()) {
    if (members.length < fanIn) continue
    members.sort((a, b) => (a.name < b.name ? -1 : 1))
    let count = 0
    for (let bytes = 0, rows = 0; count < members.length; count++) {
      bytes += members[count]?.bytes ?? 0
      rows += members[count]?.rows ?? 0
      if (bytes > joinedBytes || rows > maxRows) break
    }
    return members.slice(0, count)
  }
  return undefined
}

async function joinBlocks({ folder, id, slots, catalogue, onMerge }: MergePlace, sources: readonly Block[]): Promise<number> {
  const used = await Promise.all(sources.map(async ({ path }) => (await fileFacts(path))?.lastUsed ?? 0))
  const { keys, from } = joinedRows(sources)
  let trouble: { block: Block; trouble: Trouble } | undefined
  const values = (slot: number): AsyncIterable<Float32Array> => joinedValues(sources, from, slots, slot, (found) => (trouble = found))
  const name = await writeBlock(folder, id, slots, { keys, values }).catch((error: unknown) => {
    if (trouble === undefined) throw error
    return undefined
  })
  if (name === undefined) {
    // A source that has vanished or is damaged leaves the catalogue; the others are tried again without it.
    if (trouble?.trouble === 'damaged') await catalogue.condemn(trouble.block)
    else if (trouble) catalogue.drop(trouble.block.name)
    return 0
  }
  const path = join(folder, name)
  const bytes = (await fileFacts(path))?.bytes ?? 0
  // Joining is not using: the rows keep their place in the order of eviction.
  const date = new Date(Math.max(...used))
  await utimes(path, date, date).catch(() => undefined)
  onMerge(
    sources.map((source) => source.name),
    name,
  )
  catalogue.add({ name, path, rows: keys.length / 4, bytes, keys })
  for (const source of sources) {
    if (source.name === name) continue
    catalogue.drop(source.name)
    await remove(source.path)
  }
  return bytes
}

/** Where each row of the joined block comes from. */
interface Origin {
  readonly source: Uint32Array
  readonly row: Uint32Array
}

/** The distinct keys of all sources, ascending. */
function joinedRows(sources: readonly Block[]): { keys: Uint32Array; from: Origin } {
  const table = keyTable()
  for (const { keys } of sources) table.add(keys)
  const places: { segment: number; row: number }[] = []
  sources.forEach(({ keys, rows }, segment) => {
    for (let row = 0; row < rows; row++) {
      const place = table.place(table.find(keys, row))
      if (place.segment === segment) places.push(place)
    }
  })
  const none = new Uint32Array()
  places.sort((a, b) => compareKeys(sources[a.segment]?.keys ?? none, a.row, sources[b.segment]?.keys ?? none, b.row))
  const keys = new Uint32Array(places.length * 4)
  places.forEach(({ segment, row }, i) => keys.set(sources[segment]?.keys.subarray(row * 4, row * 4 + 4) ?? none, i * 4))
  return { keys, from: { source: Uint32Array.from(places, (place) => place.segment), row: Uint32Array.from(places, (place) => place.row) } }
}

/** Values of one slot of the joined block, piece by piece: within a piece each source is read once, in its own order. */
async function* joinedValues(
  sources: readonly Block[],
  from: Origin,
  slots: readonly Slot[],
  slot: number,
  onTrouble: (found: { block: Block; trouble: Trouble }) => void,
): AsyncGenerator<Float32Array> {
  const width = slots[slot]?.width ?? 1
  const step = Math.max(1, Math.floor(pieceBytes / (width * 4)))
  for (let start = 0; start < from.row.length; start += step) {
    const rows = Math.min(step, from.row.length - start)
    const piece = new Float32Array(rows * width)
    for (const [index, block] of sources.entries()) {
      const targets: number[] = []
      for (let i = 0; i < rows; i++) if (from.source[start + i] === index) targets.push(i)
      const wanted = targets.map((target) => from.row[start + target] ?? 0)
      const trouble = await readRows(block, slots, slot, wanted, (values, i) => piece.set(values, (targets[i] ?? 0) * width))
      if (trouble !== undefined) {
        onTrouble({ block, trouble })
        throw fault('cache.invalid', { place: block.path, what: 'a block of the vector cache cannot be joined', seen: trouble })
      }
    }
    yield piece
  }
}

/** Takes the lock of a folder, or answers false when another process has it. */
async function lock(folder: string): Promise<boolean> {
  const path = join(folder, lockName)
  for (let attempt = 0; attempt < 2; attempt++) {
    const file = await open(path, 'wx').catch(() => undefined)
    if (file !== undefined) {
      await file.close()
      return true
    }
    const facts = await fileFacts(path)
    if (facts === undefined || Date.now() - facts.lastUsed < staleAfter) return false
    await remove(path)
  }
  return false
}

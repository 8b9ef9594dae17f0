/**
 * Compaction: many small blocks become fewer large ones, so that texts stored a handful at a time do not take a file
 * each.
 *
 * It is size-tiered, as Cassandra's: eight or more blocks of a tier become one, each tier eight times the one below,
 * and a row is rewritten at most once per tier. The new block is durable before its sources are removed, and holds
 * every key of theirs; as a name stands for a set of keys, a chain of compactions only grows and cannot come back to a
 * name it removes. So no order of events between processes loses a row. The lock only saves two of them from doing the
 * same work.
 */
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault, fault } from '#core'
import { takeLock } from '#platform/disk'
import { maxRows, type Slot } from './block.ts'
import type { Catalogue } from './catalogue.ts'
import { fileFacts, lockName, remove } from './disk.ts'
import { compareKeys, keyTable } from './keys.ts'
import { readRows, type Block, type Trouble } from './read-block.ts'
import { writeBlock } from './write-block.ts'

const fanIn = 8
const smallestTier = 16 << 10
/** Blocks from this size on are left alone: they are the unit of eviction too. */
const largeBytes = 8 << 20
const largeRows = 1 << 17
/** Bytes of a compacted block at most. */
const compactedBytes = 64 << 20
const pieceBytes = 4 << 20

interface Compaction {
  readonly folder: string
  readonly id: string
  readonly slots: readonly Slot[]
  readonly catalogue: Catalogue
  /** Called with each new block before its sources are removed. */
  readonly onCompacted: (sources: readonly string[], compacted: string) => void
}

/**
 * Compacts whatever is due. Never throws for want of room or rights: the small blocks are as good. Returns bytes
 * written.
 */
export async function compact(space: Compaction): Promise<number> {
  if (due(space.catalogue) === undefined) return 0
  let written = 0
  try {
    // What a living process has begun is not waited for.
    const lock = await takeLock(join(space.folder, lockName), { giveUp: ({ alive }) => alive === true })
    if (lock === undefined) return 0
    try {
      await space.catalogue.refresh()
      for (let sources = due(space.catalogue); sources !== undefined; sources = due(space.catalogue))
        written += await compactBlocks(space, sources)
    } finally {
      await lock.release()
    }
  } catch (error) {
    if (!(error instanceof Fault && (error.code === 'file.write' || error.code === 'file.unreadable'))) throw error
  }
  return written
}

/**
 * Blocks to compact next, in order of name, or undefined when no tier has enough. Eight of any tier fit into one block.
 */
function due({ blocks }: Pick<Catalogue, 'blocks'>): Block[] | undefined {
  const tiers = new Map<number, Block[]>()
  for (const block of blocks.values()) {
    if (block.bytes >= largeBytes || block.rows >= largeRows) continue
    const tier = Math.max(0, Math.floor(Math.log(block.bytes / smallestTier) / Math.log(fanIn)))
    tiers.set(tier, [...(tiers.get(tier) ?? []), block])
  }
  for (const members of tiers.values()) {
    if (members.length < fanIn) continue
    members.sort((a, b) => (a.name < b.name ? -1 : 1))
    let count = 0
    for (let bytes = 0, rows = 0; count < members.length; count++) {
      bytes += members[count]?.bytes ?? 0
      rows += members[count]?.rows ?? 0
      if (bytes > compactedBytes || rows > maxRows) break
    }
    return members.slice(0, count)
  }
  return undefined
}

async function compactBlocks(
  { folder, id, slots, catalogue, onCompacted }: Compaction,
  sources: readonly Block[],
): Promise<number> {
  const used = await Promise.all(sources.map(async ({ path }) => (await fileFacts(path))?.lastUsed ?? 0))
  const { keys, from } = compactedRows(sources)
  let trouble: { block: Block; trouble: Trouble } | undefined
  const values = (slot: number): AsyncIterable<Float32Array> =>
    compactedValues(sources, from, slots, slot, (found) => (trouble = found))
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
  // Compacting is not using: the rows keep their place in the order of eviction.
  const date = new Date(Math.max(...used))
  await utimes(path, date, date).catch(() => undefined)
  onCompacted(
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

/** Where each row of the compacted block comes from. */
interface Origin {
  readonly source: Uint32Array
  readonly row: Uint32Array
}

/** The distinct keys of all sources, ascending. */
function compactedRows(sources: readonly Block[]): { keys: Uint32Array; from: Origin } {
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
  places.forEach(({ segment, row }, i) =>
    keys.set(sources[segment]?.keys.subarray(row * 4, row * 4 + 4) ?? none, i * 4),
  )
  return {
    keys,
    from: {
      source: Uint32Array.from(places, (place) => place.segment),
      row: Uint32Array.from(places, (place) => place.row),
    },
  }
}

/**
 * Values of one slot of the compacted block, piece by piece: within a piece each source is read once, in its own order.
 */
async function* compactedValues(
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
      const trouble = await readRows(block, slots, slot, wanted, (values, i) =>
        piece.set(values, (targets[i] ?? 0) * width),
      )
      if (trouble !== undefined) {
        onTrouble({ block, trouble })
        throw fault('cache.invalid', {
          place: block.path,
          what: 'a block of the vector cache cannot be compacted',
          seen: trouble,
        })
      }
    }
    yield piece
  }
}

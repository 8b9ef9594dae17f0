/**
 * What a space's folder holds, in memory: its blocks, and where a text's row lies. Follows what other processes add and
 * remove.
 */
import { join } from 'node:path'
import type { Slot } from './block.ts'
import { blockNames, fileFacts, remove, touch } from './disk.ts'
import { keyTable, type KeyTable } from './keys.ts'
import { readHeader, type Block } from './read-block.ts'

/**
 * A last use is written down again when the one on disk is older than this: the order of eviction needs no finer clock.
 */
const touchAfter = 60 * 1000

interface Changes {
  readonly found: readonly string[]
  readonly gone: readonly string[]
}

export interface Catalogue {
  readonly blocks: ReadonlyMap<string, Block>
  /** Distinct texts. */
  readonly texts: number
  /** Looks at the folder again. Files that are not whole blocks of this space are passed over. */
  refresh(): Promise<Changes>
  find(keys: Uint32Array, row: number): { block: Block; row: number } | undefined
  /** A block this process has just written. */
  add(block: Block): void
  /** Forgets a block. */
  drop(name: string): void
  /** Forgets a block whose bytes have changed since it was written, and removes it where that is allowed. */
  condemn(block: Block): Promise<void>
  /** Records that blocks are used now. */
  use(blocks: Iterable<Block>): Promise<void>
}

export function createCatalogue(folder: string, space: string, slots: readonly Slot[]): Catalogue {
  const blocks = new Map<string, Block>()
  const lastUsed = new Map<string, number>()
  /** Files that were looked at and are no blocks, by the identity they had then. */
  const passedOver = new Map<string, string>()
  let index: { table: KeyTable; order: Block[] } | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const indexed = (): { table: KeyTable; order: Block[] } => {
    if (index === undefined) {
      index = { table: keyTable(), order: [...blocks.values()] }
      for (const block of index.order) index.table.add(block.keys)
    }
    return index
  }
  const add = (block: Block): void => {
    const replaced = blocks.has(block.name)
    blocks.set(block.name, block)
    passedOver.delete(block.name)
    if (replaced) index = undefined
    else if (index !== undefined) {
      index.order.push(block)
      index.table.add(block.keys)
    }
  }
  const drop = (name: string): void => {
    if (blocks.delete(name)) index = undefined
    lastUsed.delete(name)
  }
  const look = async (): Promise<Changes> => {
    const known = [...blocks.keys()]
    const listed = await blockNames(folder)
    const present = new Set(listed)
    const gone = known.filter((name) => !present.has(name))
    gone.forEach(drop)
    const found: string[] = []
    for (const name of listed) {
      if (blocks.has(name)) continue
      const path = join(folder, name)
      const facts = await fileFacts(path)
      if (facts === undefined || passedOver.get(name) === facts.identity) continue
      const block = await readHeader(path, name, facts.bytes, space, slots)
      if (typeof block !== 'string') {
        add(block)
        lastUsed.set(name, facts.lastUsed)
        found.push(name)
      } else if (block === 'damaged') passedOver.set(name, facts.identity)
    }
    for (const name of passedOver.keys()) if (!present.has(name)) passedOver.delete(name)
    return { found, gone }
  }

  return {
    blocks,
    get texts() {
      return indexed().table.size
    },
    refresh() {
      // One look at a time: two of them would read the same headers.
      const next = turn.then(look, look)
      turn = next.catch(() => undefined)
      return next
    },
    find(keys, row) {
      const { table, order } = indexed()
      const position = table.find(keys, row)
      if (position < 0) return undefined
      const place = table.place(position)
      const block = order[place.segment]
      return block && { block, row: place.row }
    },
    add,
    drop,
    async condemn(block) {
      const facts = await fileFacts(block.path)
      if (facts) passedOver.set(block.name, facts.identity)
      drop(block.name)
      await remove(block.path)
    },
    async use(used) {
      const now = Date.now()
      for (const { name, path } of used) {
        if (Math.abs(now - (lastUsed.get(name) ?? 0)) < touchAfter) continue
        lastUsed.set(name, now)
        await touch(path)
      }
    },
  }
}

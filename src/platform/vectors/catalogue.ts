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

interface State {
  readonly folder: string
  readonly space: string
  readonly slots: readonly Slot[]
  readonly blocks: Map<string, Block>
  readonly lastUsed: Map<string, number>
  /** Files that were looked at and are no blocks, by the identity they had then. */
  readonly passedOver: Map<string, string>
  index: { table: KeyTable; order: Block[] } | undefined
}

export function createCatalogue(folder: string, space: string, slots: readonly Slot[]): Catalogue {
  const state: State = {
    folder,
    space,
    slots,
    blocks: new Map(),
    lastUsed: new Map(),
    passedOver: new Map(),
    index: undefined,
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    blocks: state.blocks,
    get texts() {
      return indexed(state).table.size
    },
    refresh() {
      // One look at a time: two of them would read the same headers.
      const look = (): Promise<Changes> => lookAgain(state)
      const next = turn.then(look, look)
      turn = next.catch(() => undefined)
      return next
    },
    find(keys, row) {
      const { table, order } = indexed(state)
      const position = table.find(keys, row)
      if (position < 0) return undefined
      const place = table.place(position)
      const block = order[place.segment]
      return block && { block, row: place.row }
    },
    add: (block) => add(state, block),
    drop: (name) => drop(state, name),
    async condemn(block) {
      const facts = await fileFacts(block.path)
      if (facts) state.passedOver.set(block.name, facts.identity)
      drop(state, block.name)
      await remove(block.path)
    },
    async use(used) {
      const now = Date.now()
      for (const { name, path } of used) {
        if (Math.abs(now - (state.lastUsed.get(name) ?? 0)) < touchAfter) continue
        state.lastUsed.set(name, now)
        await touch(path)
      }
    },
  }
}

function indexed(state: State): { table: KeyTable; order: Block[] } {
  if (state.index === undefined) {
    state.index = { table: keyTable(), order: [...state.blocks.values()] }
    for (const block of state.index.order) state.index.table.add(block.keys)
  }
  return state.index
}

function add(state: State, block: Block): void {
  const { blocks, index, passedOver } = state
  const replaced = blocks.has(block.name)
  blocks.set(block.name, block)
  passedOver.delete(block.name)
  if (replaced) state.index = undefined
  else if (index !== undefined) {
    index.order.push(block)
    index.table.add(block.keys)
  }
}

function drop(state: State, name: string): void {
  if (state.blocks.delete(name)) state.index = undefined
  state.lastUsed.delete(name)
}

async function lookAgain(state: State): Promise<Changes> {
  const { folder, space, slots, blocks, lastUsed, passedOver } = state
  const known = [...blocks.keys()]
  const listed = await blockNames(folder)
  const present = new Set(listed)
  const gone = known.filter((name) => !present.has(name))
  for (const name of gone) drop(state, name)
  const found: string[] = []
  for (const name of listed) {
    if (blocks.has(name)) continue
    const path = join(folder, name)
    const facts = await fileFacts(path)
    if (facts === undefined || passedOver.get(name) === facts.identity) continue
    const block = await readHeader(path, name, facts.bytes, space, slots)
    if (typeof block !== 'string') {
      add(state, block)
      lastUsed.set(name, facts.lastUsed)
      found.push(name)
    } else if (block === 'damaged') passedOver.set(name, facts.identity)
  }
  for (const name of passedOver.keys()) if (!present.has(name)) passedOver.delete(name)
  return { found, gone }
}

/** The store of layer vectors: opens spaces, shows what they take, trims and clears them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, fingerprint } from '#core'
import type { Slot } from './block.ts'
import { createCatalogue } from './catalogue.ts'
import { blockNames, descriptionName, fileFacts, lockName, remove, spaceIds, writeFile } from './disk.ts'
import { evict, removeEmptySpace, type Trimmed } from './evict.ts'
import { openHandle, type OpenSpace, type VectorSpace } from './space.ts'

/** 50 GB (decisions: `--cache-dir`). */
const defaultLimitBytes = 50e9

/** Part of every space's id: a store of another layout shares nothing with this one. */
const layoutVersion = 1
/** Slots of a space, and features of a slot, at most: what a header may make a reader believe. */
const maxSlots = 4096
const maxWidth = 1 << 20
/**
 * After an eviction nobody waits for, this part of the limit is left free, so that the next write does not evict again.
 */
const headroom = 0.1
/** Other processes write too: the disk is looked at again after this part of the limit was written here. */
const recount = 1 / 16

export interface SpaceUsage {
  readonly id: string
  /** As it was given to `space`; empty when it cannot be read. */
  readonly description: Record<string, unknown>
  /** Distinct texts. */
  readonly texts: number
  readonly bytes: number
  readonly lastUsed: Date
}

export interface StoreUsage {
  readonly spaces: readonly SpaceUsage[]
  readonly bytes: number
  readonly limit: number
}

export interface VectorStore {
  readonly root: string
  /**
   * The space of a description: everything but the text that decides a vector, as a plain JSON value. Nothing is
   * written before the first
   * `append`. Every call gives a handle of its own, to be closed.
   */
  space(description: Record<string, unknown>, slots: readonly Slot[]): Promise<VectorSpace>
  /** Slots of the spaces of a description that are on disk, whatever their number and width; the last used first. */
  described(description: Record<string, unknown>): Promise<readonly (readonly Slot[])[]>
  usage(): Promise<StoreUsage>
  /**
   * Removes least recently used blocks until `limitBytes` (default: the store's limit) are left; blocks that open
   * handles need stay.
   */
  trim(limitBytes?: number): Promise<Trimmed>
  /**
   * Removes one space – by its id or the unique start of it – or all of them. Throws `usage.value` for an id that is
   * not there.
   */
  clear(spaceId?: string): Promise<{ spaces: number; freed: number }>
}

/**
 * A store of vectors by content below the folder `root`, safe under several processes and under kill -9; files that it
 * does not know are left alone. Given to `openModel`, it keeps every vector that is made, so that the same text is
 * encoded once. `limitBytes`: size above which the blocks that were not used for longest are removed (default 50 GB);
 * exceeded only by blocks in use.
 *
 * @example
 * ```ts
 * import { layerVectors, openModel, openStore } from 'strata-lm'
 *
 * const store = openStore('vectors')
 * const model = await openModel('assets/models/stories260K', { store })
 * await layerVectors(model, ['Once upon a time'])
 * await model.close()
 * console.log((await store.usage()).spaces.length) // → 1
 * ```
 */
export function openStore(
  root: string,
  { limitBytes = defaultLimitBytes }: { limitBytes?: number | undefined } = {},
): VectorStore {
  assertLimit(limitBytes)
  const open = new Map<string, OpenSpace>()
  let counted: number | undefined
  let written = 0

  const needed = (space: string, block: string): boolean =>
    [...(open.get(space)?.leases ?? [])].some((lease) => lease.has(block))
  const trim = async (limit: number): Promise<Trimmed> => {
    const trimmed = await evict(root, limit, needed)
    counted = trimmed.bytes
    written = 0
    return trimmed
  }
  /** Evicts when the limit may have been passed. */
  const settle = async (): Promise<void> => {
    if (counted === undefined || counted + written > limitBytes || written > limitBytes * recount) {
      const { bytes } = await evict(root, Infinity, needed)
      counted = bytes
      written = 0
    }
    if (counted > limitBytes) await trim(limitBytes * (1 - headroom))
  }

  return {
    root,

    async space(description, slots) {
      assertSlots(root, slots)
      const kept = slots.map(({ name, width }) => ({ name, width }))
      const id = fingerprint({ layoutVersion, description, slots: kept })
      const folder = join(root, id)
      let space = open.get(id)
      if (space === undefined) {
        space = { id, folder, slots: kept, catalogue: createCatalogue(folder, id, kept), leases: new Set() }
        open.set(id, space)
      }
      const shared = space
      return openHandle(shared, {
        async onWrite(bytes) {
          written += bytes
          // The rows are stored by now: what fails here is tried again with the next write.
          await describe(folder, { layoutVersion, description, slots: kept }).catch(() => undefined)
          await settle().catch(() => undefined)
        },
        async onClose() {
          if (shared.leases.size === 0) open.delete(id)
          if (counted !== undefined && counted + written > limitBytes) await settle().catch(() => undefined)
        },
      })
    },

    described: (description) => describedSlots(root, description),

    async usage() {
      const spaces: SpaceUsage[] = []
      for (const id of await spaceIds(root)) spaces.push(await spaceUsage(root, id))
      const bytes = spaces.reduce((sum, space) => sum + space.bytes, 0)
      return { spaces: spaces.filter((space) => space.bytes > 0), bytes, limit: limitBytes }
    },

    async trim(limit = limitBytes) {
      assertLimit(limit)
      return trim(limit)
    },

    async clear(spaceId) {
      const cleared = await clearSpaces(root, spaceId)
      counted = undefined
      return cleared
    },
  }
}

async function clearSpaces(root: string, spaceId: string | undefined): Promise<{ spaces: number; freed: number }> {
  const known = await spaceIds(root)
  const chosen = spaceId === undefined ? known : known.filter((id) => id.startsWith(spaceId))
  if (spaceId !== undefined && chosen.length !== 1) {
    throw fault('usage.value', {
      place: 'vector cache',
      what: chosen.length === 0 ? 'no such space' : 'several spaces start like this',
      seen: spaceId,
      hint: '`strata cache` lists them',
    })
  }
  let freed = 0
  for (const id of chosen) {
    const folder = join(root, id)
    for (const name of await blockNames(folder)) {
      const facts = await fileFacts(join(folder, name))
      if (await remove(join(folder, name))) freed += facts?.bytes ?? 0
    }
    await remove(join(folder, lockName))
    await removeEmptySpace(folder)
  }
  return { spaces: chosen.length, freed }
}

/** Writes the description of a space next to its blocks unless it exists. */
async function describe(folder: string, description: Record<string, unknown>): Promise<void> {
  const path = join(folder, descriptionName)
  if ((await fileFacts(path)) === undefined)
    await writeFile(path, (file) => file.write(Buffer.from(`${JSON.stringify(description, undefined, 2)}\n`)))
}

async function spaceUsage(root: string, id: string): Promise<SpaceUsage> {
  const folder = join(root, id)
  let [bytes, lastUsed] = [0, 0]
  for (const name of await blockNames(folder)) {
    const facts = await fileFacts(join(folder, name))
    bytes += facts?.bytes ?? 0
    lastUsed = Math.max(lastUsed, facts?.lastUsed ?? 0)
  }
  const described = await readDescription(join(folder, descriptionName), id)
  if (described === undefined) return { id, description: {}, texts: 0, bytes, lastUsed: new Date(lastUsed) }
  const catalogue = createCatalogue(folder, id, described.slots)
  await catalogue.refresh()
  return { id, description: described.description, texts: catalogue.texts, bytes, lastUsed: new Date(lastUsed) }
}

async function describedSlots(root: string, description: Record<string, unknown>): Promise<(readonly Slot[])[]> {
  const wanted = fingerprint(description)
  const found: { slots: readonly Slot[]; lastUsed: number }[] = []
  for (const id of await spaceIds(root)) {
    const folder = join(root, id)
    const one = await readDescription(join(folder, descriptionName), id)
    if (one === undefined || fingerprint(one.description) !== wanted) continue
    const blocks = await Promise.all((await blockNames(folder)).map((name) => fileFacts(join(folder, name))))
    const lastUsed = Math.max(0, ...blocks.map((facts) => facts?.lastUsed ?? 0))
    if (blocks.length > 0) found.push({ slots: one.slots, lastUsed })
  }
  return found.sort((a, b) => b.lastUsed - a.lastUsed).map(({ slots }) => slots)
}

/** The description of a space, unless it is not the one the folder is named after. */
async function readDescription(
  path: string,
  id: string,
): Promise<{ description: Record<string, unknown>; slots: Slot[] } | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as { description: Record<string, unknown>; slots: Slot[] }
    return fingerprint(value) === id ? value : undefined
  } catch {
    return undefined
  }
}

function assertLimit(limit: number): void {
  if (!(limit >= 0))
    throw fault('usage.value', {
      place: 'vector cache',
      what: 'not a limit in bytes',
      seen: limit,
      wanted: 'a number of bytes, 0 or more',
    })
}

function assertSlots(root: string, slots: readonly Slot[]): void {
  const place = `vector cache ${root}`
  const names = new Set(slots.map(({ name }) => name))
  if (slots.length === 0 || slots.length > maxSlots || names.size !== slots.length)
    throw fault('internal', { place, what: 'slots need one name each', seen: slots.length })
  const wrong = slots.find(({ width }) => !Number.isInteger(width) || width < 1 || width > maxWidth)
  if (wrong)
    throw fault('internal', {
      place: `${place} › ${wrong.name}`,
      what: 'not a width',
      seen: wrong.width,
      wanted: `1 … ${maxWidth}`,
    })
}

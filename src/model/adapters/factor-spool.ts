/**
 * Finished factors on their way into the adapter's file: their bytes in one file, their names and places in a journal
 * next to it.
 */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TensorLayout } from '#files/formats'
import { journalName, openJournal, openSpool, readJournal } from '#platform/disk'

export interface ExtractedModule {
  readonly module: string
  readonly rank: number
  /** Squared Frobenius norms: of the change, and of what the factors hold of it. */
  readonly total: number
  readonly kept: number
}

export interface SpooledTensor extends TensorLayout {
  readonly offset: number
  readonly byteLength: number
}

export interface Finished {
  readonly tensors: readonly SpooledTensor[]
  readonly outcome: ExtractedModule
}

export interface Fresh {
  readonly tensors: readonly (TensorLayout & { readonly bytes: Uint8Array })[]
  readonly outcome: ExtractedModule
}

export interface FactorSpool {
  readonly finished: ReadonlyMap<string, Finished>
  readonly resumed: number
  add(module: string, fresh: Fresh): Promise<void>
  read(tensor: SpooledTensor, from: number, length: number): Promise<Uint8Array>
  /** The finished spool and its journal are removed. */
  remove(): Promise<void>
  close(): Promise<void>
}

/** `stamp` distinguishes extractions: files left by a different one are dropped. */
export async function openFactorSpool(folder: string, stamp: string): Promise<FactorSpool> {
  const [path, journal] = [join(folder, 'factors.bin'), join(folder, journalName)]
  const kind = { name: 'extraction', work: stamp, isPiece: isFinished }
  const recorded = new Map((await readJournal(journal, kind))?.map((one) => [one.outcome.module, one]))
  const endOf = (modules: ReadonlyMap<string, Finished>): number =>
    Math.max(
      0,
      ...[...modules.values()].flatMap(({ tensors }) => tensors.map(({ offset, byteLength }) => offset + byteLength)),
    )
  // A journal without its bytes is of no use: both are removed one after the other when all is done.
  const held = await stat(path).catch(() => undefined)
  const finished = held !== undefined && held.size >= endOf(recorded) ? recorded : new Map<string, Finished>()
  const resumed = finished.size
  const lines = await openJournal(journal, kind, { held: true, anew: resumed === 0 })
  const spool = await openSpool(path, endOf(finished))
  return {
    finished,
    resumed,
    async add(module, { tensors, outcome }) {
      const placed: SpooledTensor[] = []
      for (const { bytes, ...layout } of tensors)
        placed.push({ ...layout, offset: await spool.append(bytes), byteLength: bytes.length })
      finished.set(module, { tensors: placed, outcome })
      await lines.add([{ tensors: placed, outcome }])
    },
    read: ({ offset }, from, length) => spool.read(offset + from, length),
    async remove() {
      await rm(path, { force: true })
      await rm(journal, { force: true })
    },
    close: () => spool.close(),
  }
}

function isFinished(value: unknown): value is Finished {
  return typeof value === 'object' && value !== null && 'tensors' in value && 'outcome' in value
}

/**
 * Large weights that lie in no file – of merges, adapters, quantised models – written to one, which the engine opens in
 * place like a checkpoint's. So they are held once, in pages that the system reads when they are touched and may drop;
 * given in memory they would be held here, by the engine's thread while it loads, and by the engine.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault, type TensorLocation } from '#core'
import { makeScratchFolder, openSpool } from '#platform/disk'

export interface WeightsFile {
  /** Where a copy of the bytes now lies; undefined where they are few or the disk does not take them. */
  readonly add: (bytes: Uint8Array) => Promise<TensorLocation | undefined>
  /**
   * To be called when the engine has opened the file or never will: the disk is free once nobody has it open. Where the
   * system keeps files that are open, a further call when they are closed removes it.
   */
  readonly remove: () => Promise<void>
}

/**
 * Smaller tensors – biases, norms, scales – take so little together that copies of them do not count. The matrices of
 * small models do: as integers one of BERT's takes 576 KiB, and there are 48.
 */
const leastBytes = 2 ** 16

/** The file is made with the first large weight. `parent`: folder for it. */
export function weightsFile({ parent = tmpdir(), least = leastBytes } = {}): WeightsFile {
  let opened: Promise<{ readonly folder: string; readonly path: string; readonly spool: Spool }> | undefined
  const open = async () => {
    const folder = await makeScratchFolder(parent, 'strata-weights')
    const path = join(folder, 'weights.bin')
    return { folder, path, spool: await openSpool(path, 0) }
  }
  return {
    async add(bytes) {
      if (bytes.length < least) return undefined
      try {
        const { path, spool } = await (opened ??= open())
        return { path, offset: await spool.append(bytes), byteLength: bytes.length }
      } catch (error) {
        if (error instanceof Fault && error.code === 'file.write') return undefined
        throw error
      }
    },
    async remove() {
      const made = await opened?.catch(() => undefined)
      if (made === undefined) return
      try {
        await made.spool.close()
      } finally {
        await rm(made.folder, { recursive: true, force: true }).catch(() => undefined)
      }
    },
  }
}

type Spool = Awaited<ReturnType<typeof openSpool>>

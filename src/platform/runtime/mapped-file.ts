/**
 * A file in this thread's memory without a copy of it: the system reads its pages when they are touched, and may drop
 * them again.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { asFault, fault } from '#core'
import { loadKoffi } from './koffi.ts'

export interface MappedFile {
  readonly address: number
  readonly byteLength: number
  /** Nothing may point into it any more. */
  unmap(): void
}

const [readable, privately] = [1, 2] as const

/** Whether this system maps files the way it is done here. */
export const mapsFiles = process.platform !== 'win32'

/** Throws `file.unreadable`. */
export async function mapFile(path: string): Promise<MappedFile> {
  const { mmap, munmap } = await loadCalls()
  try {
    const file = openSync(path, 'r')
    try {
      const byteLength = fstatSync(file).size
      const address = byteLength === 0 ? 0n : mmap(null, byteLength, readable, privately, file, 0)
      if (BigInt.asUintN(64, address) === BigInt.asUintN(64, -1n))
        throw fault('file.unreadable', { place: path, what: 'cannot be mapped into memory' })
      return {
        address: Number(address),
        byteLength,
        unmap() {
          if (byteLength > 0) munmap(address, byteLength)
        },
      }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw asFault(error, 'file.unreadable', path)
  }
}

type MmapArguments = [at: null, byteLength: number, protection: number, flags: number, file: number, offset: number]

interface Calls {
  readonly mmap: (...given: MmapArguments) => bigint
  readonly munmap: (address: bigint, byteLength: number) => number
}

let calls: Calls | undefined

async function loadCalls(): Promise<Calls> {
  if (calls === undefined) {
    const process = (await loadKoffi()).load(null)
    calls = {
      mmap: process.func(
        'void *mmap(void *at, size_t length, int protection, int flags, int file, int64_t offset)',
      ) as Calls['mmap'],
      munmap: process.func('int munmap(void *address, size_t length)') as Calls['munmap'],
    }
  }
  return calls
}

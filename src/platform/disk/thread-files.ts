/**
 * Files of a worker thread, read and written on the spot. The system reads ahead and writes behind anyway, another thread works while one waits, and an asynchronous call
 * costs two changes of threads each: a quarter of the time of a linear merge.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { fault } from '#core'
import { writeFault } from './write-fault.ts'

export interface ThreadFiles {
  /** Exactly `length` bytes, in the beginning of `into` where that holds them. Throws `file.unreadable` when the file ends before; `what` is for the message. */
  read(path: string, position: number, length: number, what: string, into?: Uint8Array): Uint8Array
  /** Throws `file.write`; `place` is for the message. */
  write(path: string, bytes: Uint8Array, position: number, place: string): void
  close(): void
}

/** What one system call moves at most. */
const most = 2 ** 30

export function threadFiles(): ThreadFiles {
  const files = new Map<string, number>()
  const opened = (path: string, flags: 'r' | 'r+'): number => {
    const file = files.get(path) ?? openSync(path, flags)
    files.set(path, file)
    return file
  }
  return {
    read(path, position, length, what, into) {
      // Not cleared: every byte is read, or a fault thrown. Aligned, as it is no part of node's pool.
      const bytes: Uint8Array = into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length)
      const file = opened(path, 'r')
      for (let done = 0; done < length;) {
        const count = readSync(file, bytes, done, Math.min(length - done, most), position + done)
        if (count === 0) throw fault('file.unreadable', { place: `${path} › ${what}`, what: 'the file ends before the tensor does', seen: position + done })
        done += count
      }
      return bytes
    },
    write(path, bytes, position, place) {
      try {
        const file = opened(path, 'r+')
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, Math.min(bytes.length - done, most), position + done)
      } catch (cause) {
        throw writeFault(cause, place)
      }
    },
    close() {
      for (const file of files.values()) closeSync(file)
      files.clear()
    },
  }
}

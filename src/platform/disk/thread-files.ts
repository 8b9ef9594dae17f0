/**
 * Files of a worker thread, read and written on the spot. The system reads ahead and writes behind anyway, another
 * thread works while one waits, and an asynchronous call costs two changes of threads each: a quarter of the time of a
 * linear merge.
 */
import { closeSync, openSync } from 'node:fs'
import { readAtSync } from './read-at.ts'
import { writeAtSync } from './write-at.ts'
import { writeFault } from './write-fault.ts'

export interface ThreadFiles {
  /**
   * Exactly `length` bytes, in the beginning of `into` where that holds them. Throws `file.unreadable` when the file
   * ends before; `what` is for the message.
   */
  read(path: string, position: number, length: number, what: string, into?: Uint8Array): Uint8Array
  /** Throws `file.write`; `place` is for the message. */
  write(path: string, bytes: Uint8Array, position: number, place: string): void
  close(): void
}

export function threadFiles(): ThreadFiles {
  const files = new Map<string, number>()
  const opened = (path: string, flags: 'r' | 'r+'): number => {
    const file = files.get(path) ?? openSync(path, flags)
    files.set(path, file)
    return file
  }
  const openedForWriting = (path: string, place: string): number => {
    try {
      return opened(path, 'r+')
    } catch (error) {
      throw writeFault(error, place)
    }
  }
  return {
    read: (path, position, length, what, into) =>
      readAtSync(opened(path, 'r'), position, length, `${path} › ${what}`, into),
    write: (path, bytes, position, place) => writeAtSync(openedForWriting(path, place), bytes, position, place),
    close() {
      for (const file of files.values()) closeSync(file)
      files.clear()
    },
  }
}

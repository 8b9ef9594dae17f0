/** Entry of a thread that hashes a merge's files while they are written and read. */
import { parentPort, workerData } from 'node:worker_threads'
import { asFault, type FaultCode, type FaultParts } from '#core'
import { filledHash } from '#platform/disk'
import { type Claims, claimed } from './claims.ts'

export interface HashWork {
  /** Bytes by path, in the order of their urgency. */
  readonly sizes: ReadonlyMap<string, number>
  readonly claims: Claims
  /** Files that the thread has begun and not finished, at most; undefined: any number. */
  readonly most?: number | undefined
}

/** Bytes from … to − 1 of a file are in their places; or the next thing to do. */
export type HashOrder = readonly [path: string, from: number, to: number] | 'finish' | 'close'

export interface HashAnswer {
  readonly hashes?: ReadonlyMap<string, string>
  readonly problem?: { readonly code: FaultCode; readonly parts: FaultParts }
}

const { sizes, claims, most } = workerData as HashWork
const hashes = filledHash(sizes, { claim: (path) => claimed(claims, path), most })

parentPort?.on('message', (order: HashOrder) => {
  if (order === 'close') void hashes.close().then(() => parentPort?.close())
  else if (order === 'finish') void finished().then((answer) => parentPort?.postMessage(answer, []))
  else hashes.filled(...order)
})

async function finished(): Promise<HashAnswer> {
  try {
    return { hashes: await hashes.finish() }
  } catch (error) {
    const { code, parts } = asFault(error, 'file.unreadable', 'merge')
    return { problem: { code, parts: { ...parts, cause: undefined } } }
  }
}

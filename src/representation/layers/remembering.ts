/** An embedder that gives the same texts their vectors from memory. */
import type { AskOptions, Embedder, Matrix } from '#core'

/** How many bytes of vectors may yet stay; embedders that share it fill it together. */
export interface Room {
  bytes: number
}

/** Bytes of a room, where nothing else is said: 256 MiB. */
export const roomBytes: number = 2 ** 28

export function makeRoom(bytes = roomBytes): Room {
  return { bytes }
}

interface Remembered {
  readonly texts: readonly string[]
  /** Side and task, which decide the prompt. */
  readonly asked: string
  readonly vectors: Matrix
}

/**
 * Calls are told apart by their texts, side and task. The first calls stay, as far as there is room; callers share a
 * matrix and must not write into it.
 */
export function remembering(embedder: Embedder, room: Room = makeRoom()): Embedder {
  const calls: Remembered[] = []
  return {
    ...embedder,
    async embed(texts, call) {
      const asked = keyOf(call)
      const found = calls.find((one) => one.asked === asked && areSame(one.texts, texts))
      if (found !== undefined) return found.vectors
      const vectors = await embedder.embed(texts, call)
      if (vectors.data.byteLength > room.bytes) return vectors
      room.bytes -= vectors.data.byteLength
      calls.push({ texts: [...texts], asked, vectors })
      return vectors
    },
  }
}

function keyOf({ promptType, task }: AskOptions = {}): string {
  return JSON.stringify([promptType, task])
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at])
}

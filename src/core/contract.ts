/** Laws of an interface: what each of its implementations, ours and the user's, is held to. */
import { fault } from './fault.ts'

export interface Law<Entry> {
  /** A fact that holds: `gives the same bits in blocks of any size`. */
  readonly law: string
  /** Whether the law has a meaning for this entry; undefined: for every one. */
  readonly concerns?: ((entry: Entry) => boolean) | undefined
  /** Throws what it found instead, `plugin.broken` or the entry's own error. */
  readonly hold: (entry: Entry) => Promise<void>
}

/** Throws `plugin.broken`. `where` says which of the seeded cases it was. */
export function broken(where: string, what: string, seen?: unknown, wanted?: string): never {
  throw fault('plugin.broken', { place: where, what, seen, wanted })
}

/** Files of which each is hashed by one thread: whoever claims it first. */
export interface Claims {
  readonly paths: readonly string[]
  /** A word a path: 1 where it is claimed. */
  readonly taken: Int32Array
}

export function claimsOf(paths: readonly string[]): Claims {
  return {
    paths,
    taken: new Int32Array(new SharedArrayBuffer(Math.max(1, paths.length) * Int32Array.BYTES_PER_ELEMENT)),
  }
}

/** Whether the file is the caller's from now on. One that is not among them is nobody else's. */
export function claimed({ paths, taken }: Claims, path: string): boolean {
  const at = paths.indexOf(path)
  return at < 0 || Atomics.compareExchange(taken, at, 0, 1) === 0
}

/** Values that are wired at most once. */

/** `make`, called once. */
export function once<Result>(make: () => Result): () => Result {
  const get = remember(make)
  return () => get(undefined)
}

/** `make`, called once for each key. */
export function remember<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const result = known.get(key) ?? make(key)
    known.set(key, result)
    return result
  }
}

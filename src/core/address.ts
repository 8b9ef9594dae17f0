/** Texts that name a place by a scheme: `s3://…`, `https://…`. */

/** The scheme of an address, in lower case; undefined for every other text. */
export function readScheme(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
}

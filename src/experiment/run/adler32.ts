/** Adler-32 of a text's UTF-8 bytes (RFC 1950, section 9), like Python's `zlib.adler32`. */
export function adler32(text: string): number {
  let [a, b] = [1, 0]
  for (const byte of Buffer.from(text)) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return b * 65_536 + a
}

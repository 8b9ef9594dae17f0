/** CRC-32C (Castagnoli, RFC 3720 appendix B.4), and the masked form that TensorFlow's records have. */

const reversedPolynomial = 0x82f63b78

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? reversedPolynomial : 0)
  return remainder
})

/** As an unsigned number of 32 bits. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

/** Rotated by 15 bits and moved by a constant, so that a record may hold checksums itself (tensorflow, crc32c.h). */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes)
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

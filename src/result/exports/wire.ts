/** Fields of protocol-buffer messages, as bytes. */

// Wire types of protocol buffers: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes.

export function lengthDelimited(field: number, bytes: Uint8Array): Uint8Array {
  return concat(varint((field << 3) | 2), varint(bytes.length), bytes)
}

export function fixed64(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return concat(varint((field << 3) | 1), bytes)
}

export function fixed32(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return concat(varint((field << 3) | 5), bytes)
}

/** A whole number from 0 on, seven bits per byte, the lowest first. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

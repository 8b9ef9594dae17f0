import { expect, test } from 'vitest'
import { crc32c, maskedCrc32c } from '../../../src/result/exports/crc32c.ts'

const ascending = Uint8Array.from({ length: 32 }, (_, i) => i)

// RFC 3720, appendix B.4
test.each([
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(255), 0x62a8ab43],
  ['0 … 31', ascending, 0x46dd794e],
  ['31 … 0', ascending.toReversed(), 0x113fdb5c],
  ['nothing', new Uint8Array(), 0],
  ['the check value of the catalogue', new TextEncoder().encode('123456789'), 0xe3069283],
])('CRC-32C of %s', (_, bytes, wanted) => {
  expect(crc32c(bytes)).toBe(wanted)
})

// the length of a record of 24 bytes, by masked_crc32c of tensorboard 2.21
test('the masked form is that of TensorFlow', () => {
  expect(maskedCrc32c(Uint8Array.from([24, 0, 0, 0, 0, 0, 0, 0]))).toBe(575_373_219)
})

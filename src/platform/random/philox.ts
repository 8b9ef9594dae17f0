/**
 * Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): words by their index
 * instead of from a state, so that any part of a sequence is the same whoever draws it first.
 */
import { createHash } from 'node:crypto'
import { groupsAtOnce, philoxSimd } from './philox-simd.ts'

/** Fills `out` with the words `first` … `first + out.length − 1` of a sequence. */
export type WordsAt = (first: number, out: Uint32Array) => void

const rounds = 10
/** Low and high halves of the multipliers 0xD2511F53 and 0xCD9E8D57. */
const [low0, high0, low1, high1] = [0x1f53, 0xd251, 0x8d57, 0xcd9e]
const [multiplier0, multiplier1] = [0xd2511f53 | 0, 0xcd9e8d57 | 0]
const [weyl0, weyl1] = [0x9e3779b9 | 0, 0xbb67ae85 | 0]

/** The four words of one counter under one key, written to `out[at … at + 3]`. All arguments are taken modulo 2³². */
export function philoxBlock(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  key0: number,
  key1: number,
  out: Uint32Array,
  at = 0,
): void {
  let [x0, x1, x2, x3, k0, k1] = [c0 | 0, c1 | 0, c2 | 0, c3 | 0, key0 | 0, key1 | 0]
  for (let round = 0; round < rounds; round++) {
    // The high words of multiplier0 · x0 and multiplier1 · x2, by halves: no partial sum leaves 32 bits.
    const [l0, h0] = [x0 & 0xffff, x0 >>> 16]
    const [l2, h2] = [x2 & 0xffff, x2 >>> 16]
    const middle0 = (Math.imul(h0, low0) + (Math.imul(l0, low0) >>> 16)) | 0
    const middle2 = (Math.imul(h2, low1) + (Math.imul(l2, low1) >>> 16)) | 0
    const carried0 = (Math.imul(l0, high0) + (middle0 & 0xffff)) | 0
    const carried2 = (Math.imul(l2, high1) + (middle2 & 0xffff)) | 0
    const top0 = (Math.imul(h0, high0) + (middle0 >>> 16) + (carried0 >>> 16)) | 0
    const top2 = (Math.imul(h2, high1) + (middle2 >>> 16) + (carried2 >>> 16)) | 0
    const [rest0, rest2] = [Math.imul(x0, multiplier0), Math.imul(x2, multiplier1)]
    x0 = top2 ^ x1 ^ k0
    x1 = rest2
    x2 = top0 ^ x3 ^ k1
    x3 = rest0
    k0 = (k0 + weyl0) | 0
    k1 = (k1 + weyl1) | 0
  }
  out[at] = x0
  out[at + 1] = x1
  out[at + 2] = x2
  out[at + 3] = x3
}

/**
 * The sequence that belongs to a text: key = the first 64 bits of its SHA-256, most significant first; word i = word i
 * mod 4 of the block with counter ⌊i/4⌋.
 */
export function philox(text: string): WordsAt {
  const digest = createHash('sha256').update(text).digest()
  const [key0, key1] = [digest.readUInt32BE(0), digest.readUInt32BE(4)]
  const edge = new Uint32Array(4)
  const block = (index: number, out: Uint32Array, at: number): void =>
    philoxBlock(index, Math.floor(index / 2 ** 32), 0, 0, key0, key1, out, at)
  return (first, out) => {
    const [from, to] = [first, first + out.length]
    let [index, at] = [Math.floor(from / 4), 0]
    if (from % 4 !== 0) {
      block(index, edge, 0)
      const end = Math.min(to, 4 * index + 4)
      for (let i = from; i < end; i++) out[at++] = edge[i % 4]!
      index++
    }
    // counters must not wrap around within a group of blocks
    for (; 4 * index + 16 <= to && (index % 2 ** 32) + 4 <= 2 ** 32;) {
      const groups = Math.min(
        groupsAtOnce,
        Math.floor((to - 4 * index) / 16),
        Math.floor((2 ** 32 - (index % 2 ** 32)) / 4),
      )
      const { words, fill } = philoxSimd()
      fill(index % 2 ** 32, Math.floor(index / 2 ** 32), key0, key1, groups)
      out.set(words.subarray(0, 16 * groups), at)
      index += 4 * groups
      at += 16 * groups
    }
    for (; 4 * index + 4 <= to; index++, at += 4) block(index, out, at)
    if (at < out.length) {
      block(index, edge, 0)
      out.set(edge.subarray(0, out.length - at), at)
    }
  }
}

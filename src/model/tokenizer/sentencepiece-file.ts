/**
 * A SentencePiece `.model` file: `ModelProto` of sentencepiece_model.proto, read field by field. Fields that encoding
 * does not need are passed over.
 */
import { invalid } from './checks.ts'

export interface Piece {
  readonly text: string
  readonly score: number
  /** 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. */
  readonly type: number
}

export interface SentencePieceFile {
  readonly pieces: readonly Piece[]
  readonly kind: 'unigram' | 'bpe'
  /** Darts trie of normalisation rules, in base64; undefined where there are none. */
  readonly charsmap: string | undefined
}

type Field = { readonly number: number } & (
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'float'; readonly value: number }
)

const mostPieces = 2 ** 22
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const kinds = new Map([
  [1, 'unigram'],
  [2, 'bpe'],
] as const)

/** Throws `tokenizer.invalid`. */
export function readSentencePiece(bytes: Uint8Array, place: string): SentencePieceFile {
  const pieces: Piece[] = []
  let kind = 1
  let charsmap: string | undefined
  for (const field of fieldsOf(bytes, place)) {
    if (field.kind !== 'bytes') continue
    if (field.number === 1) {
      if (pieces.push(readPiece(field.bytes, place)) > mostPieces) throw invalid(place, 'too many pieces')
    } else if (field.number === 2) {
      for (const one of fieldsOf(field.bytes, place)) if (one.number === 3 && one.kind === 'number') kind = one.value
    } else if (field.number === 3) {
      for (const one of fieldsOf(field.bytes, place))
        if (one.number === 2 && one.kind === 'bytes' && one.bytes.length > 0)
          charsmap = Buffer.from(one.bytes).toString('base64')
    }
  }
  const known = kinds.get(kind as 1 | 2)
  if (known === undefined)
    throw invalid(place, 'a SentencePiece model of a kind that is not read', kind, 'unigram, bpe')
  if (pieces.length === 0) throw invalid(place, 'not a SentencePiece model: it has no pieces')
  return { pieces, kind: known, charsmap }
}

function readPiece(bytes: Uint8Array, place: string): Piece {
  let [text, score, type] = ['', 0, 1]
  for (const field of fieldsOf(bytes, place)) {
    if (field.number === 1 && field.kind === 'bytes') text = textOf(field.bytes, place)
    else if (field.number === 2 && field.kind === 'float') score = field.value
    else if (field.number === 3 && field.kind === 'number') type = field.value
  }
  if (!Number.isFinite(score)) throw invalid(place, 'the score of a piece is not a number', text)
  return { text, score, type }
}

function textOf(bytes: Uint8Array, place: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid(place, 'a piece that is not UTF-8')
  }
}

/** Fields of a message in the wire format of protocol buffers. */
function* fieldsOf(bytes: Uint8Array, place: string): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) break
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw invalid(place, 'not a SentencePiece model: a number that does not end', `byte ${at}`)
  }
  const skip = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw invalid(place, 'not a SentencePiece model: a field runs past the end', length)
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    switch (tag % 8) {
      case 0:
        yield { number, kind: 'number', value: varint() }
        break
      case 1:
        skip(8)
        break
      case 2:
        yield { number, kind: 'bytes', bytes: skip(varint()) }
        break
      case 5:
        skip(4)
        yield { number, kind: 'float', value: view.getFloat32(at - 4, true) }
        break
      default:
        throw invalid(place, 'not a SentencePiece model: a field of an unknown kind', tag % 8)
    }
  }
}

/**
 * A real static model small enough for a test: GloVe, 30,000 words (models/glove-6B-100d-30k), encoded as model2vec
 * does – unknown words dropped, 512 tokens, mean, unit length – and in the precision of its table, float16, as NumPy
 * computes there: sums in float32, every result rounded.
 */
import { readFileSync } from 'node:fs'
import { type Embedder, matrix } from '#core'
import { sharedPath } from '../../shared.ts'

export function gloveEmbedder(): Embedder {
  const { model } = JSON.parse(readFileSync(sharedPath('models', 'glove-6B-100d-30k', 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> }
  }
  const bytes = readFileSync(sharedPath('models', 'glove-6B-100d-30k', 'model.safetensors'))
  const headLength = Number(bytes.readBigUInt64LE(0))
  const width = 100
  const table = Float32Array.from({ length: (bytes.length - 8 - headLength) / 2 }, (_, i) =>
    half(bytes.readUInt16LE(8 + headLength + 2 * i)),
  )
  const vocabulary = new Map(Object.entries(model.vocab))
  // the Whitespace pre-tokenizer: runs of word characters, runs of anything else that is no blank
  const words =
    /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]+|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}\s]+/gu

  return {
    representation: 'default',
    width,
    embed(texts) {
      const out = matrix(texts.length, width)
      texts.forEach((text, row) => {
        const ids = (text.toLowerCase().match(words) ?? []).flatMap((word) => vocabulary.get(word) ?? []).slice(0, 512)
        if (ids.length === 0) return
        const sums = new Float32Array(width)
        for (const id of ids) for (let k = 0; k < width; k++) sums[k] = (sums[k] ?? 0) + (table[id * width + k] ?? 0)
        const mean = sums.map((sum) => toHalf(Math.fround(sum / ids.length)))
        const norm = toHalf(Math.sqrt(toHalf(mean.reduce((sum, value) => Math.fround(sum + toHalf(value * value)), 0))))
        mean.forEach((value, k) => (out.data[row * width + k] = toHalf(value / norm)))
      })
      return Promise.resolve(out)
    },
  }
}

function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** The nearest float16, halves to even; values below the smallest normal number keep its spacing. */
function toHalf(value: number): number {
  if (value === 0) return value
  const exponent = Math.max(-14, Math.floor(Math.log2(Math.abs(value))))
  const unit = 2 ** (exponent - 10)
  const scaled = value / unit
  return (Math.abs(scaled % 1) === 0.5 ? 2 * Math.round(scaled / 2) : Math.round(scaled)) * unit
}

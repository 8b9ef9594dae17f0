// Sentences to vectors, and how alike they are.
import { encode, openModel } from 'strata-lm'

const model = await openModel('sentence-transformers/all-MiniLM-L6-v2')
const sentences = ['A man is playing a guitar.', 'Someone plays an instrument.', 'The stock market fell.']
const { data, width, rows } = await encode(model, sentences)
await model.close()

const cosine = (a: number, b: number): number => {
  let dot = 0
  // The model normalises its embeddings, so the dot product is the cosine.
  for (let i = 0; i < width; i++) dot += (data[a * width + i] ?? 0) * (data[b * width + i] ?? 0)
  return dot
}
export const alike: number = cosine(0, 1)
export const unlike: number = cosine(0, 2)
console.log(`${rows} sentences, ${width} numbers each: ${alike.toFixed(3)} against ${unlike.toFixed(3)}`)

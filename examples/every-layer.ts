// Every hidden state of a text from one forward pass, and how far each layer moves it.
import { layerVectors, openModel } from 'strata-lm'

const model = await openModel('sentence-transformers/all-MiniLM-L6-v2')
const states = await layerVectors(model, ['How do I locate my card?', 'Where is my card?'])
await model.close()

const norm = (values: Float32Array): number => Math.hypot(...values)
export const steps: number[] = states.slice(1).map((state, h) => {
  const before = states[h]?.data ?? new Float32Array(0)
  return norm(state.data.map((value, i) => value - (before[i] ?? 0)))
})
steps.forEach((step, h) => console.log(`block ${h + 1} moves the two texts by ${step.toFixed(2)}`))

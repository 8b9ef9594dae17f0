/** Which modules are embeddings is the family's word. */
import { expect, test } from 'vitest'
import { memorySource } from '#model/merge'
import { planExtraction } from '../../../src/model/adapters/plan-extraction.ts'

test('a table of vectors by distance is an embedding and saved whole, not factored as a linear layer', () => {
  const module = 'encoder.layer.0.attention.self'
  const names = ['embeddings.word_embeddings', `${module}.query`, `${module}.distance_embedding`]
  const headers = (model: string): Parameters<typeof planExtraction>[0] => ({
    model,
    config: { model_type: 'bert', vocab_size: 6 },
    tensors: memorySource(
      model,
      names.map((name) => ({ name: `${name}.weight`, shape: [6, 4], values: undefined })),
    ),
  })
  const { factors, modulesToSave } = planExtraction(headers('tuned'), headers('base'))
  expect(factors.map((factor) => factor.module)).toEqual([names[1]])
  expect(modulesToSave).toEqual(['word_embeddings', 'distance_embedding'])
})

/** A cross-encoder of MiniLM's size: the carried encoder under a seeded head of one label. */
import { encoderConfig, writeHeadedModel } from './headed-model.ts'
import { mulberry } from './random.ts'

/** Writes the folder; logits spread by about 1. */
export function makeReranker(folder: string): void {
  const width = Number(encoderConfig()['hidden_size'])
  const draw = mulberry(20261128)
  const head = Float32Array.from({ length: width + 1 }, () => (draw() - 0.5) * 0.4)
  writeHeadedModel(folder, {
    config: {
      architectures: ['BertForSequenceClassification'],
      num_labels: 1,
      id2label: { 0: 'LABEL_0' },
      label2id: { LABEL_0: 0 },
    },
    tensors: {
      'classifier.weight': { shape: [1, width], data: head.subarray(0, width) },
      'classifier.bias': { shape: [1], data: head.subarray(width) },
    },
  })
}

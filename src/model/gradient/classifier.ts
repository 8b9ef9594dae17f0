/** A sequence classifier as float64 parameters, of every family whose gradients are computed here. */
import { fault, type TensorSource } from '#core'
import { type ModelSpec, specOf } from '#model/architectures'
import { type BertClassifier, readBert } from './bert/classifier.ts'
import { type LlamaClassifier, readLlama } from './llama/classifier.ts'
import { type ParameterReader, parameterReader } from './parameters.ts'
import { unsupported } from './refusals.ts'

export type Classifier = BertClassifier | LlamaClassifier

type ReadFamily = (spec: ModelSpec, reader: ParameterReader) => Promise<Classifier>

/** By class of model: with the slot of BERT's dense layer before the classes. */
const families: Readonly<Record<string, ReadFamily>> = {
  BertForSequenceClassification: (spec, reader) => readBert(spec, reader, 'pooler'),
  RobertaForSequenceClassification: (spec, reader) => readBert(spec, reader, 'head.sequence.dense'),
  XLMRobertaForSequenceClassification: (spec, reader) => readBert(spec, reader, 'head.sequence.dense'),
  LlamaForSequenceClassification: readLlama,
}

/**
 * Reads a classifier from its config and tensors. Throws `config.family` for another class of model, `config.value` for
 * an activation that its family lacks here, `config.unsupported` for other arithmetic and for problems that are not one
 * class per text, `tensor.missing`, `tensor.shape`.
 */
export async function readClassifier(config: unknown, tensors: TensorSource): Promise<Classifier> {
  const spec = specOf(config)
  const read = families[spec.className ?? '']
  if (read === undefined)
    throw fault('config.family', {
      place: 'config.json › architectures',
      what: 'has no gradients here',
      seen: spec.className ?? 'none',
      wanted: Object.keys(families).join(', '),
    })
  const problem = (config as Readonly<Record<string, unknown>>)['problem_type']
  if (problem !== undefined && problem !== null && problem !== 'single_label_classification')
    throw unsupported('problem_type', 'a problem other than one class per text')
  return read(spec, parameterReader(spec, tensors))
}

/** Diagonal Fisher information of a sequence classifier. */
import { fault, type OnProgress, type TensorSource } from '#core'
import { defaultRng } from '#platform/random'
import { backward } from './backward.ts'
import { readClassifier } from './classifier.ts'
import { forward } from './forward.ts'
import { type FisherLabels, logitGradients } from './logit-gradients.ts'
import { openSquareSums } from './square-sums.ts'
import { type FisherText, textPacks } from './text-pack.ts'

export interface FisherOptions {
  /** Parsed config.json. */
  readonly config: Readonly<Record<string, unknown>>
  /** Weights, of any floating-point type. */
  readonly tensors: TensorSource
  readonly examples: AsyncIterable<FisherText> | Iterable<FisherText>
  readonly labels: FisherLabels
  /** For the draws of `sampled`: text i takes the i-th number of `defaultRng(seed)`. Default: 0. */
  readonly seed?: number | undefined
  /** Looked at before every pack of texts. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * The diagonal of the Fisher information: for every parameter θ the mean over texts of (∂ log p(y | x) / ∂θ)², exact,
 * per text, without dropout; Matena & Raffel 2022, section 3.2. Which class y is, `labels` says. Reads
 * `BertForSequenceClassification`, `RobertaForSequenceClassification`, `XLMRobertaForSequenceClassification` and
 * `LlamaForSequenceClassification`, whose head reads the last token of a text.
 *
 * Returns the values of each tensor under its name in the checkpoint, row by row, in the shape that `tensors` gives;
 * dimensionless, ≥ 0. The arithmetic is float64, also where transformers falls back to float32 (norms and angles of
 * LLaMA); only the result is rounded to float32. Passes over a pack of texts need
 * memory for their activations; parameters take 8 bytes each, and their sums as much again.
 *
 * Throws `config.family` for another class of model, `config.value` for an activation other than the exact GELU (LLaMA:
 * SiLU), `config.unsupported` for BERT as a decoder or with relative positions, rotary scaling by the length of a batch
 * (`dynamic`, `longrope`) or a problem other than one class per text, `tensor.missing`, `tensor.shape`, and `usage.value` for ids that the model cannot read, labels that it lacks, or no examples.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { openTensors, writeSafetensors } from 'strata-lm/formats'
 * import { diagonalFisher } from 'strata-lm/merge'
 *
 * // a classifier of two classes that has yet to learn them
 * const bert = await openTensors('assets/golden/bert/model.safetensors')
 * const stored = await Promise.all(
 *   bert.names().map(async (name) => {
 *     const { dtype, shape } = bert.info(name)!
 *     return { name, dtype, shape, bytes: await bert.read(name) }
 *   }),
 * )
 * await writeSafetensors('classifier.safetensors', [
 *   ...stored,
 *   { name: 'classifier.weight', dtype: 'F32', shape: [2, 48], bytes: new Uint8Array(4 * 96) },
 *   { name: 'classifier.bias', dtype: 'F32', shape: [2], bytes: new Uint8Array(4 * 2) },
 * ])
 * const tensors = await openTensors('classifier.safetensors')
 * const config = {
 *   ...JSON.parse(await readFile('assets/golden/bert/config.json', 'utf8')),
 *   architectures: ['BertForSequenceClassification'],
 *   id2label: { 0: 'no', 1: 'yes' },
 * }
 * const examples = [{ ids: [2, 7, 11, 3], label: 1 }]
 * const fisher = await diagonalFisher({ config, tensors, examples, labels: 'labelled' })
 * console.log(fisher.get('classifier.bias')) // → Float32Array(2) [ 0.25, 0.25 ]
 * ```
 */
export async function diagonalFisher(options: FisherOptions): Promise<Map<string, Float32Array>> {
  const { config, tensors, examples, labels, seed = 0, signal, onProgress } = options
  const classifier = await readClassifier(config, tensors)
  const sums = openSquareSums()
  const draws = defaultRng(seed)
  let done = 0
  for await (const pack of textPacks(examples, classifier)) {
    signal?.throwIfAborted()
    const pass = await forward(classifier, pack)
    for (const gradient of logitGradients(pass.logits, { labels, examples: pack.examples, draws, index: done }))
      await backward(gradient, { pack, pass, sums })
    done += pack.examples.length
    onProgress?.({ stage: 'Fisher information', done, total: undefined, unit: 'texts' })
  }
  if (done === 0) throw noExamples()
  return sums.means(done)
}

export function noExamples(): Error {
  return fault('usage.value', { place: 'examples', what: 'are empty', seen: 0, wanted: 'at least one text' })
}

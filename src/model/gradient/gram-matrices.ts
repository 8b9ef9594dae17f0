/** Gram matrices of what the linear layers of a sequence classifier read. */
import type { Matrix64, OnProgress, TensorSource } from '#core'
import { product, transposed } from '#platform/linalg'
import { readClassifier } from './classifier.ts'
import { noExamples } from './diagonal-fisher.ts'
import { forward, type ForwardPass } from './forward.ts'
import type { Linear } from './parameters.ts'
import { type FisherText, textPacks } from './text-pack.ts'

export interface GramOptions {
  /** Parsed config.json. */
  readonly config: Readonly<Record<string, unknown>>
  /** Weights, of any floating-point type. */
  readonly tensors: TensorSource
  readonly examples: AsyncIterable<FisherText> | Iterable<FisherText>
  /** Looked at before every pack of texts. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

/**
 * Xᵀ · X ÷ rows of the inputs X of every linear layer, over all tokens of the texts (in a pooler or head, those that
 * answer): what `regmean` needs; Jin et al. 2023, eq. 2, with the division of its authors' program. Reads the classes of
 * model that `diagonalFisher` reads, in float64.
 *
 * Returns [inputs × inputs] values by the name of the layer's weight; memory: 8 bytes each. Throws as `diagonalFisher`.
 */
export async function gramMatrices(options: GramOptions): Promise<Map<string, Matrix64>> {
  const { config, tensors, examples, signal, onProgress } = options
  const classifier = await readClassifier(config, tensors)
  const sums = new Map<string, Matrix64>()
  const rows = new Map<string, number>()
  let done = 0
  for await (const pack of textPacks(examples, classifier)) {
    signal?.throwIfAborted()
    for (const { layers, input } of linearInputs(await forward(classifier, pack))) {
      const squared = await product(transposed(input), input)
      for (const { weight } of layers) {
        addTo(sums, weight.name, squared)
        rows.set(weight.name, (rows.get(weight.name) ?? 0) + input.rows)
      }
    }
    done += pack.examples.length
    onProgress?.({ stage: 'Gram matrices', done, total: undefined, unit: 'texts' })
  }
  if (done === 0) throw noExamples()
  return new Map(
    [...sums].map(([name, { rows: size, width, data }]) => [
      name,
      { rows: size, width, data: data.map((value) => value / (rows.get(name) ?? NaN)) },
    ]),
  )
}

interface LayerInput {
  /** Layers that read the same numbers. */
  readonly layers: readonly Linear[]
  readonly input: Matrix64
}

function linearInputs(pass: ForwardPass): LayerInput[] {
  switch (pass.kind) {
    case 'bert': {
      const blocks = pass.classifier.blocks.flatMap((block, i): LayerInput[] => {
        const { input, attention, norm1, active } = pass.blocks[i]!
        return [
          { layers: [block.query, block.key, block.value], input },
          { layers: [block.out], input: attention.output },
          { layers: [block.inner], input: norm1.output },
          { layers: [block.outer], input: active },
        ]
      })
      const { dense, out } = pass.classifier
      return [...blocks, { layers: [dense], input: pass.first }, { layers: [out], input: pass.pooled }]
    }
    case 'llama': {
      const blocks = pass.classifier.blocks.flatMap((block, i): LayerInput[] => {
        const { norm1, attention, norm2, active } = pass.blocks[i]!
        return [
          { layers: [block.query, block.key, block.value], input: norm1.output },
          { layers: [block.out], input: attention.output },
          { layers: [block.gate, block.up], input: norm2.output },
          { layers: [block.down], input: active },
        ]
      })
      return [...blocks, { layers: [pass.classifier.out], input: pass.norm.output }]
    }
    default:
      return pass satisfies never
  }
}

function addTo(sums: Map<string, Matrix64>, name: string, { rows, width, data }: Matrix64): void {
  const known = sums.get(name)
  if (known === undefined) sums.set(name, { rows, width, data: data.slice() })
  else for (let i = 0; i < data.length; i++) known.data[i] = known.data[i]! + data[i]!
}

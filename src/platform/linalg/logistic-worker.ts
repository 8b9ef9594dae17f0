/**
 * Entry of a thread that fits logistic regressions, one after another, on a kernel of its own that uses this thread
 * alone.
 */
import type { Matrix } from '#core'
import { openMatmul } from '#platform/runtime'
import { serveThread } from '#platform/threads'
import { fitLogistic, type LogisticOptions } from './logistic-regression.ts'
import { timesTransposedOn } from './product.ts'

export interface LogisticJob {
  readonly x: Matrix
  readonly labels: Int32Array
  readonly classes: number
  readonly options: Pick<LogisticOptions, 'C' | 'tolerance' | 'maxIterations'>
}

const kernels = openMatmul({ threads: 1 })
const product = timesTransposedOn(kernels.matmul)

serveThread(
  async (body, signal) => {
    const { x, labels, classes, options } = body as LogisticJob
    const model = await fitLogistic(x, labels, classes, { ...options, product, signal })
    return { value: model, transfer: [model.coefficients.data.buffer as ArrayBuffer] }
  },
  () => kernels.close(),
)

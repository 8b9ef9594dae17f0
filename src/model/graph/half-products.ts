/**
 * Products of matrices in 16 bits: both sides are rounded, sums are float32 in the engine, and the product is rounded
 * once more, as where PyTorch chooses types by itself (autocast). Everything between products – norms, softmax, the
 * residual stream, pooling – stays float32, as do the bodies of recurrences, whose states add up over a text.
 */
import type { NodeMessage } from '#platform/onnx'
import { elementTypes } from '#platform/onnx'

export const halfTypes = ['float16', 'bfloat16'] as const
export type HalfType = (typeof halfTypes)[number]

const products: readonly string[] = ['MatMul', 'FusedMatMul', 'Gemm']

/**
 * The nodes with their products in `type`, all but those that give a value of `exact`. Every value keeps its name and is
 * float32; the engine folds the casts of weights when it loads the graph.
 */
export function halfProducts(
  nodes: readonly NodeMessage[],
  type: HalfType,
  exact: ReadonlySet<string>,
): readonly NodeMessage[] {
  const narrowed = new Set<string>()
  return nodes.flatMap((node) => {
    const [output = ''] = node.outputs
    if (!products.includes(node.op) || exact.has(output)) return [node]
    const casts = node.inputs.flatMap((value) => {
      if (narrowed.has(value)) return []
      narrowed.add(value)
      return [cast(value, narrow(value, type), type)]
    })
    const product = `${output} ${type}`
    const inputs = node.inputs.map((value) => narrow(value, type))
    return [...casts, { ...node, name: product, inputs, outputs: [product] }, cast(product, output, 'float32')]
  })
}

function narrow(value: string, type: HalfType): string {
  return `${value} as ${type}`
}

function cast(from: string, to: string, type: HalfType | 'float32'): NodeMessage {
  return { name: to, op: 'Cast', inputs: [from], outputs: [to], attributes: { to: elementTypes[type] } }
}

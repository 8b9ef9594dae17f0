/** Spec and tensors to an ONNX graph. */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { encodeModel, type ValueMessage } from '#platform/onnx'
import type { Builder } from './builder.ts'
import { halfProducts, halfTypes } from './half-products.ts'
import { placeTensors } from './place-tensors.ts'
import { planGraph } from './plan.ts'
import type { Graph, GraphOptions, GraphOutput, GraphRequest } from './request.ts'

/** What every graph is written in; opset 20 is read by ONNX Runtime from 1.17 on. */
export const opsets = { '': 20, 'com.microsoft': 1 } as const

/**
 * The requested graph, with weights left where they lie. Throws what `planGraph` throws, and `tensor.dtype` for types
 * that need `readFloat32`.
 */
export async function buildGraph(
  spec: ModelSpec,
  tensors: TensorSource,
  request: GraphRequest,
  options: GraphOptions = {},
): Promise<Graph> {
  const { builder, quantized, inputs, outputs, notes } = planGraph(spec, tensors, request)
  const { initializers, externals, inline } = await placeTensors(
    { initializers: builder.initializers, quantized },
    tensors,
    options,
  )
  const model = encodeModel({
    producer: 'strata',
    name: spec.modelType,
    opsets,
    nodes: nodesOf(builder, request),
    initializers,
    inputs: builder.inputs,
    outputs: outputs.map(message),
  })
  return { model, externals, inline, inputs, outputs, notes }
}

function nodesOf({ nodes, exact }: Builder, { products }: GraphRequest): Builder['nodes'] {
  const type = halfTypes.find((one) => one === products)
  return type === undefined ? nodes : halfProducts(nodes, type, exact)
}

function message({ name, width, per, dims = [] }: GraphOutput): ValueMessage {
  const axes = { token: ['rows', 'cols', width], text: ['rows', width], pick: ['picks', width], past: dims }
  return { name, type: 'float32', dims: axes[per] }
}

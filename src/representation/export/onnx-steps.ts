/** Steps applied to pooled vectors, as ONNX operators. */
import { fault } from '#core'
import type { LayerNorm } from '#representation/layers'
import type { Builder, Value } from '#model/graph'
import type { ExportedStep } from './reading.ts'

type DenseStep = Extract<ExportedStep, { kind: 'dense' }>

/** A tensor of the graph's own. */
export function constant(
  builder: Builder,
  name: string,
  dims: readonly number[],
  { buffer, byteOffset, byteLength }: Float32Array,
): Value {
  return builder.initializer({ name, type: 'float32', dims, data: new Uint8Array(buffer, byteOffset, byteLength) })
}

/** The smallest normal float32: a quotient by it or more stays finite, and zeros stay zeros. */
const smallest = 2 ** -126
/** As torch's F.normalize. */
const leastLength = 1e-12

/** Each vector by itself, over its last axis. */
export function wireLayerNorm(builder: Builder, x: Value, rule: LayerNorm): Value {
  switch (rule) {
    case 'none':
      return x
    case 'l2':
      return divided(builder, x, lengths(builder, x), smallest)
    case 'zscore': {
      const centred = builder.node('Sub', [x, builder.node('ReduceMean', [x, builder.int([-1])], { keepdims: 1 })])
      const variance = builder.node('ReduceMean', [builder.multiply(centred, centred), builder.int([-1])], {
        keepdims: 1,
      })
      return divided(builder, centred, builder.node('Sqrt', [variance]), smallest)
    }
    default:
      return rule satisfies never
  }
}

/** Modules in order. Throws `usage.conflict` for an activation that ONNX has no operator for. */
export function wireSteps(builder: Builder, vectors: Value, steps: readonly ExportedStep[]): Value {
  return steps.reduce((x, step, index) => {
    switch (step.kind) {
      case 'normalize':
        return divided(builder, x, lengths(builder, x), leastLength)
      case 'dense':
        return wireDense(builder, x, step, `module.${index}`)
      case 'layer-norm': {
        const scale = constant(builder, `module.${index}.weight`, [step.width], step.weight)
        const bias = constant(builder, `module.${index}.bias`, [step.width], step.bias)
        return builder.node('LayerNormalization', [x, scale, bias], { axis: -1, epsilon: { float: 1e-5 } })
      }
      case 'truncate':
        return builder.node('Slice', [x, builder.int([0]), builder.int([step.width]), builder.int([-1])])
      default:
        return step satisfies never
    }
  }, vectors)
}

function lengths(builder: Builder, x: Value): Value {
  return builder.node('ReduceL2', [x, builder.int([-1])], { keepdims: 1 })
}

function divided(builder: Builder, x: Value, by: Value, least: number): Value {
  return builder.node('Div', [x, builder.node('Max', [by, builder.float(least)])])
}

function wireDense(
  builder: Builder,
  x: Value,
  { inputs, outputs, weight, bias, activation, residual, place }: DenseStep,
  name: string,
): Value {
  const matrix = constant(builder, `${name}.weight`, [outputs, inputs], weight)
  const operands = bias === undefined ? [x, matrix] : [x, matrix, constant(builder, `${name}.bias`, [outputs], bias)]
  const operator = operators[activation]
  if (operator === undefined)
    throw fault('usage.conflict', {
      place,
      what: 'ONNX has no operator for this activation',
      seen: activation,
      hint: '--as sentence-transformers',
    })
  const value = operator(builder, builder.node('Gemm', operands, { transB: 1 }))
  if (residual === undefined) return value
  if (residual === 'input') return builder.add(value, x)
  return builder.add(
    value,
    builder.node('Gemm', [x, constant(builder, `${name}.residual`, [outputs, inputs], residual)], { transB: 1 }),
  )
}

const plain =
  (op: string, attributes: Readonly<Record<string, { readonly float: number }>> = {}) =>
  (builder: Builder, x: Value): Value =>
    builder.node(op, [x], attributes)

/** By the names and with the defaults of torch's constructors. */
const operators: Readonly<Partial<Record<DenseStep['activation'], (builder: Builder, x: Value) => Value>>> = {
  Identity: (_builder, x) => x,
  Tanh: plain('Tanh'),
  ReLU: plain('Relu'),
  LeakyReLU: plain('LeakyRelu', { alpha: { float: 0.01 } }),
  ELU: plain('Elu', { alpha: { float: 1 } }),
  CELU: plain('Celu', { alpha: { float: 1 } }),
  SELU: plain('Selu'),
  GELU: plain('Gelu'),
  SiLU: (builder, x) => builder.multiply(x, builder.node('Sigmoid', [x])),
  Mish: plain('Mish'),
  Sigmoid: plain('Sigmoid'),
  Softplus: plain('Softplus'),
  Softsign: plain('Softsign'),
  Tanhshrink: (builder, x) => builder.node('Sub', [x, builder.node('Tanh', [x])]),
}

/** Activations as operators. Formulas: transformers' `activations.py`. */
import type { Activation } from '#model/architectures'
import type { Builder, Value } from './builder.ts'

export function activate(builder: Builder, x: Value, activation: Activation): Value {
  const { float, node, fused, add, multiply } = builder
  switch (activation) {
    case 'gelu':
      return fused('Gelu', [x])
    case 'gelu_new':
      return fused('FastGelu', [x])
    case 'gelu_10':
      return node('Clip', [fused('Gelu', [x]), float(-10), float(10)])
    case 'quick_gelu':
      return fused('QuickGelu', [x], { alpha: { float: 1.702 } })
    case 'silu':
      return fused('QuickGelu', [x], { alpha: { float: 1 } })
    case 'relu':
      return node('Relu', [x])
    case 'relu2': {
      const positive = node('Relu', [x])
      return multiply(positive, positive)
    }
    case 'relu6':
      return node('Clip', [x, float(0), float(6)])
    case 'leaky_relu':
      return node('LeakyRelu', [x], { alpha: { float: 0.01 } })
    case 'mish':
      return node('Mish', [x])
    case 'tanh':
      return node('Tanh', [x])
    case 'sigmoid':
      return node('Sigmoid', [x])
    case 'laplace': {
      // Ma et al. 2022 (MEGA), eq. 17: ½(1 + erf((x − µ) / (σ√2))) with µ = √½, σ = 1 / √(4π).
      const scaled = multiply(add(x, float(-Math.SQRT1_2)), float(Math.sqrt(2 * Math.PI)))
      return multiply(add(node('Erf', [scaled]), float(1)), float(0.5))
    }
    case 'linear':
      return x
    default:
      return activation satisfies never
  }
}

/** Activation functions of a Dense module, by the names torch gives them; defaults of their constructors. */
import { fault, suggestion } from '#core'

const softplus = (x: number): number => (x > 20 ? x : Math.log1p(Math.exp(x)))
const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))
const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x))

/** Constants of Klambauer et al. 2017. */
const selu = { alpha: 1.6732632423543772, scale: 1.0507009873554805 }

const functions = {
  Identity: (x: number) => x,
  Tanh: Math.tanh,
  ReLU: (x: number) => Math.max(0, x),
  ReLU6: (x: number) => clamp(x, 0, 6),
  LeakyReLU: (x: number) => (x >= 0 ? x : 0.01 * x),
  ELU: (x: number) => (x > 0 ? x : Math.expm1(x)),
  CELU: (x: number) => (x > 0 ? x : Math.expm1(x)),
  SELU: (x: number) => selu.scale * (x > 0 ? x : selu.alpha * Math.expm1(x)),
  GELU: (x: number) => 0.5 * x * (1 + erf(x * Math.SQRT1_2)),
  SiLU: (x: number) => x * sigmoid(x),
  Mish: (x: number) => x * Math.tanh(softplus(x)),
  Sigmoid: sigmoid,
  LogSigmoid: (x: number) => -softplus(-x),
  Softplus: softplus,
  Softsign: (x: number) => x / (1 + Math.abs(x)),
  Tanhshrink: (x: number) => x - Math.tanh(x),
  Softshrink: (x: number) => (Math.abs(x) > 0.5 ? x - 0.5 * Math.sign(x) : 0),
  Hardshrink: (x: number) => (Math.abs(x) > 0.5 ? x : 0),
  Hardtanh: (x: number) => clamp(x, -1, 1),
  Hardsigmoid: (x: number) => clamp(x / 6 + 0.5, 0, 1),
  Hardswish: (x: number) => x * clamp(x / 6 + 0.5, 0, 1),
} as const

export type DenseActivation = keyof typeof functions

/** From `torch.nn.modules.activation.Tanh` and the like; throws `config.unsupported`. */
export function denseActivation(name: string, place: string): DenseActivation {
  const word = /^torch\.nn\.(?:[a-z_]+\.)*([A-Za-z0-9]+)$/.exec(name)?.[1]
  if (word !== undefined && Object.hasOwn(functions, word)) return word as DenseActivation
  throw fault('config.unsupported', {
    place,
    what: 'unknown activation function',
    seen: name,
    hint: suggestion(word ?? name, Object.keys(functions)),
  })
}

export function activate(name: DenseActivation): (x: number) => number {
  return functions[name]
}

/**
 * Error function to double precision: its power series near 0, the continued fraction of erfc beyond (Abramowitz &
 * Stegun 7.1.5, 7.1.14).
 */
function erf(x: number): number {
  const z = Math.abs(x)
  if (!(z < 6)) return Number.isNaN(x) ? x : Math.sign(x)
  if (z < 2.5) {
    let [term, sum] = [z, z]
    for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
      term *= -(z * z) / n
      sum += term / (2 * n + 1)
    }
    return Math.sign(x) * (2 / Math.sqrt(Math.PI)) * sum
  }
  let fraction = z
  for (let n = 60; n >= 1; n--) fraction = z + n / 2 / fraction
  return Math.sign(x) * (1 - Math.exp(-z * z) / (Math.sqrt(Math.PI) * fraction))
}

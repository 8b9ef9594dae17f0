/** Activations by the names configs use (`ACT2FN` of transformers), reduced to the distinct functions behind them. */

/**
 * The distinct functions. `gelu_new` is the tanh approximation, `quick_gelu` x·σ(1.702x), `gelu_10` is clipped to ±10.
 */
export type Activation =
  | 'gelu'
  | 'gelu_new'
  | 'gelu_10'
  | 'quick_gelu'
  | 'relu'
  | 'relu2'
  | 'relu6'
  | 'leaky_relu'
  | 'silu'
  | 'mish'
  | 'tanh'
  | 'sigmoid'
  | 'laplace'
  | 'linear'

/** Every spelling a config may use. */
export const activations: ReadonlyMap<string, Activation> = new Map<string, Activation>([
  ['gelu', 'gelu'],
  ['gelu_python', 'gelu'],
  ['gelu_new', 'gelu_new'],
  ['gelu_fast', 'gelu_new'],
  ['gelu_accurate', 'gelu_new'],
  ['gelu_pytorch_tanh', 'gelu_new'],
  ['gelu_python_tanh', 'gelu_new'],
  ['gelu_10', 'gelu_10'],
  ['quick_gelu', 'quick_gelu'],
  ['relu', 'relu'],
  ['relu2', 'relu2'],
  ['relu6', 'relu6'],
  ['leaky_relu', 'leaky_relu'],
  ['silu', 'silu'],
  ['swish', 'silu'],
  ['mish', 'mish'],
  ['tanh', 'tanh'],
  ['sigmoid', 'sigmoid'],
  ['laplace', 'laplace'],
  ['linear', 'linear'],
])

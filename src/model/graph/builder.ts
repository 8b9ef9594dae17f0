/** Collects nodes and constants of one graph. Values are names; equal constants are kept once. */
import {
  type Attribute,
  type ElementType,
  elementTypes,
  type InitializerMessage,
  type NodeMessage,
  type ValueMessage,
} from '#platform/onnx'

/** Name of a tensor in the graph. */
export type Value = string

/** ONNX Runtime's own operators. */
const microsoft = 'com.microsoft'

export interface Builder {
  readonly nodes: readonly NodeMessage[]
  readonly initializers: readonly InitializerMessage[]
  readonly inputs: readonly ValueMessage[]
  /** A name for a graph inside this one, with the prefix of the names in it: no name occurs twice. */
  readonly scope: (name: string) => string
  /** A node with one output; an empty input name stands for an absent optional input. */
  readonly node: (op: string, inputs: readonly Value[], attributes?: Record<string, Attribute>) => Value
  /** A node of ONNX Runtime's own domain. */
  readonly fused: (op: string, inputs: readonly Value[], attributes?: Record<string, Attribute>) => Value
  /** A node with several outputs. */
  readonly split: (
    op: string,
    inputs: readonly Value[],
    count: number,
    attributes?: Record<string, Attribute>,
  ) => readonly Value[]
  /** Products that stay float32 whatever the others are computed in. */
  readonly exact: ReadonlySet<Value>
  /** A product of matrices that is one of them. */
  readonly exactProduct: (a: Value, b: Value) => Value
  /** Gives a value the name it has as a graph output. */
  readonly name: (value: Value, name: string) => Value
  readonly input: (name: string, type: ElementType, dims: readonly (number | string)[]) => Value
  readonly initializer: (initializer: InitializerMessage) => Value
  /** Scalars or lists as constants; a list has shape [n] unless `dims` says otherwise. */
  readonly float: (value: number | readonly number[] | Float32Array, dims?: readonly number[]) => Value
  readonly int: (value: number | readonly number[], type?: 'int32' | 'int64', dims?: readonly number[]) => Value
  /** Shape with 0 = as before and -1 = what remains. */
  readonly reshape: (value: Value, shape: readonly number[]) => Value
  readonly transpose: (value: Value, order: readonly number[]) => Value
  readonly cast: (value: Value, to: ElementType) => Value
  readonly add: (a: Value, b: Value) => Value
  readonly multiply: (a: Value, b: Value) => Value
}

/** `scope` stands before every name, so that a graph inside another does not repeat its names. */
export function createBuilder(scope = ''): Builder {
  const nodes: NodeMessage[] = []
  const initializers: InitializerMessage[] = []
  const inputs: ValueMessage[] = []
  const exact = new Set<Value>()
  let count = 0
  const fresh = (op: string): Value => `${scope}${op}.${++count}`

  const push = (
    op: string,
    domain: string,
    ins: readonly Value[],
    outputs: readonly Value[],
    attributes: Record<string, Attribute>,
  ): readonly Value[] => {
    nodes.push({ name: outputs[0] ?? '', op, domain, inputs: ins, outputs, attributes })
    return outputs
  }
  const one = (op: string, domain: string, ins: readonly Value[], attributes: Record<string, Attribute>): Value => {
    const output = fresh(op)
    push(op, domain, ins, [output], attributes)
    return output
  }
  const constant = createConstants(initializers, fresh)

  const builder: Builder = {
    nodes,
    initializers,
    inputs,
    scope: (name) => `${scope}${name}.${++count}.`,
    node: (op, ins, attributes = {}) => one(op, '', ins, attributes),
    fused: (op, ins, attributes = {}) => one(op, microsoft, ins, attributes),
    split: (op, ins, outputs, attributes = {}) =>
      push(
        op,
        '',
        ins,
        Array.from({ length: outputs }, () => fresh(op)),
        attributes,
      ),
    exact,
    exactProduct(a, b) {
      const product = builder.node('MatMul', [a, b])
      exact.add(product)
      return product
    },
    name(value, name) {
      push('Identity', '', [value], [name], {})
      return name
    },
    input(name, type, dims) {
      if (!inputs.some((known) => known.name === name)) inputs.push({ name, type, dims })
      return name
    },
    initializer(initializer) {
      initializers.push(initializer)
      return initializer.name
    },
    float(value, dims) {
      const values = typeof value === 'number' ? new Float32Array([value]) : Float32Array.from(value)
      return constant('float32', dims ?? (typeof value === 'number' ? [] : [values.length]), bytesOf(values))
    },
    int(value, type = 'int64', dims) {
      const list = typeof value === 'number' ? [value] : value
      const values = type === 'int64' ? BigInt64Array.from(list, BigInt) : Int32Array.from(list)
      return constant(type, dims ?? (typeof value === 'number' ? [] : [list.length]), bytesOf(values))
    },
    reshape: (value, shape) => builder.node('Reshape', [value, builder.int(shape)]),
    transpose: (value, order) => builder.node('Transpose', [value], { perm: order }),
    cast: (value, to) => builder.node('Cast', [value], { to: elementTypes[to] }),
    add: (a, b) => builder.node('Add', [a, b]),
    multiply: (a, b) => builder.node('Mul', [a, b]),
  }
  return builder
}

/** Equal constants are one. */
function createConstants(
  initializers: InitializerMessage[],
  fresh: (op: string) => Value,
): (type: ElementType, dims: readonly number[], data: Uint8Array) => Value {
  const constants = new Map<string, Value>()
  return (type, dims, data) => {
    const key = `${type} ${dims.join('×')} ${Buffer.from(data).toString('latin1')}`
    const known = constants.get(key)
    if (known !== undefined) return known
    const name = fresh('constant')
    initializers.push({ name, type, dims, data })
    constants.set(key, name)
    return name
  }
}

function bytesOf(values: Float32Array | Int32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

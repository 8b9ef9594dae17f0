/** The frame that every body of ONNX's `Loop` shares. */
import { type Builder, createBuilder, type Value } from './builder.ts'

interface Result {
  readonly value: Value
  readonly dims: readonly (number | string)[]
}

/**
 * The body of a loop that takes every turn of its count. `make` writes one turn, an int64 scalar from 0, into a builder
 * of its own and returns its result, float32 of shape `dims`: the one output after the condition. Names start with
 * `scope`.
 */
export function loopBody(scope: string, make: (body: Builder, turn: Value) => Result) {
  const body = createBuilder(scope)
  const [turn, goOn] = [body.input(`${scope}turn`, 'int64', []), body.input(`${scope}goOn`, 'bool', [])]
  const { value, dims } = make(body, turn)
  const graph = {
    name: scope,
    nodes: [...body.nodes, { op: 'Identity', inputs: [goOn], outputs: [`${scope}goesOn`], attributes: {} }],
    initializers: body.initializers,
    inputs: body.inputs,
    outputs: [
      { name: `${scope}goesOn`, type: 'bool', dims: [] },
      { name: value, type: 'float32', dims },
    ],
  } as const
  return { graph }
}

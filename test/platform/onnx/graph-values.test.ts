import { expect, test } from 'vitest'
import { graphValues } from '#platform/onnx'
import { body, external, model, node, value } from './small-graphs.ts'

test('names, types and sizes in the order of the graph, without constants and without those of bodies', () => {
  const inner = body({
    nodes: [node('Identity', ['x'], ['inner'])],
    inputs: [],
    outputs: [value('inner', 'float32', [])],
  })
  const bytes = model({
    nodes: [node('If', ['c'], ['y'], { then_branch: inner, else_branch: inner })],
    initializers: [external({ name: 'w', dims: [2], location: 'w' })],
    inputs: [value('x', 'float32', ['rows', 3, 2 ** 40]), value('w', 'float32', [2]), value('c', 'bool', [])],
    outputs: [value('y', 'int64', ['']), value('z', 'float16', [0])],
  })
  expect(graphValues(bytes)).toEqual({
    inputs: [
      { name: 'x', type: 'float32', dims: ['rows', 3, 2 ** 40] },
      { name: 'c', type: 'bool', dims: [] },
    ],
    outputs: [
      { name: 'y', type: 'int64', dims: [''] },
      { name: 'z', type: 'float16', dims: [0] },
    ],
  })
})

test('no graph has no values, and bytes that are none are refused', () => {
  expect(graphValues(new Uint8Array())).toEqual({ inputs: [], outputs: [] })
  expect(() => graphValues(new TextEncoder().encode('hello world'))).toThrow(
    expect.objectContaining({ code: 'engine.load' }),
  )
})

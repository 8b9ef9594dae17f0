import { expect, test } from 'vitest'
import { encodeModel, modelPieces, type ModelMessage } from '#platform/onnx'
import { external, node, value } from './small-graphs.ts'

/**
 * Graph outputs and inputs stand before the initializers that are written in pieces: without them the order is the
 * usual one.
 */
const inside = (data: Uint8Array): ModelMessage => ({
  producer: 'test',
  name: 'g',
  opsets: { '': 20, 'com.microsoft': 1 },
  nodes: [node('Add', ['x', 'u'], ['y'])],
  initializers: [{ name: 'u', type: 'float32', dims: [data.length / 4], data }],
  inputs: [],
  outputs: [],
})

test.each([0, 2, 300])(
  'pieces with the bytes of a tensor of %i numbers between them are the model as it is written at once',
  (count) => {
    const data = new Uint8Array(4 * count).map((_, i) => i)
    const whole = inside(data)
    const { byteLength, pieces } = modelPieces(
      { ...whole, initializers: [external({ name: 'u', dims: [count], location: 'u' })] },
      new Map([['u', data.length]]),
    )
    const joined = Buffer.concat(pieces.map((piece) => ('tensor' in piece ? data : piece)))
    expect(joined).toEqual(Buffer.from(encodeModel(whole)))
    expect(byteLength).toBe(joined.length)
  },
)

test('without tensors to be written between them the pieces are the model', () => {
  const model = {
    ...inside(new Uint8Array(8)),
    inputs: [value('x', 'float32', ['n'])],
    outputs: [value('y', 'float32', ['n'])],
  }
  expect(Buffer.concat(modelPieces(model, new Map()).pieces as Uint8Array[])).toEqual(Buffer.from(encodeModel(model)))
})

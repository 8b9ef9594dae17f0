import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { moveTensors } from '#platform/onnx'
import { body, type GraphParts, model, node, product, sum } from './small-graphs.ts'

describe('moving tensors', () => {
  const stay = () => ({ location: 'moved' })

  test('leaves a graph without outside weights as it is', () => {
    expect(moveTensors(product.model, stay)).toBe(product.model)
  })

  test('cut and flipped bytes give a graph or a fault, nothing else', () => {
    const good = sum({ location: 'u' }, { location: 'v', offset: 8 })
    const outcome = (bytes: Uint8Array): boolean => {
      try {
        return moveTensors(bytes, stay) instanceof Uint8Array
      } catch (error) {
        return error instanceof Fault && error.code === 'engine.load'
      }
    }
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
        (length, flips) => {
          const bytes = good.slice(0, length)
          for (const [at, byte] of flips) if (at < length) bytes[at] = byte
          expect(outcome(bytes)).toBe(true)
        },
      ),
      { seed: 3, numRuns: 2000 },
    )
  })

  test('groups, which ONNX has none of, are refused', () => {
    expect(() => moveTensors(Uint8Array.of(0x0b, 0x0c), stay)).toThrow(
      expect.objectContaining({ code: 'engine.load' }) as Error,
    )
  })

  test('graphs nested without end are refused', () => {
    let nested: GraphParts = { nodes: [], inputs: [], outputs: [] }
    for (let depth = 0; depth < 100; depth++)
      nested = { nodes: [node('If', [], [], { then_branch: body(nested) })], inputs: [], outputs: [] }
    expect(() => moveTensors(model(nested), stay)).toThrow(Fault)
  })
})

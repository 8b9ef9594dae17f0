import { expect, test } from 'vitest'
import { readSize, splitName } from '../../../src/representation/layers/size.ts'

const read = (name: string) => readSize(splitName(name).rest, name)

test.each([
  ['default', { dimensions: undefined, type: 'float32' }],
  ['h3:128', { dimensions: 128, type: 'float32' }],
  ['mean:2-4:16:int8', { dimensions: 16, type: 'int8' }],
  ['C:/mixes/one.json:ubinary', { dimensions: undefined, type: 'ubinary' }],
  ['default:binary:rescore', { dimensions: undefined, type: 'binary', rescore: 40 }],
  ['h-1:64:ubinary:rescore200', { dimensions: 64, type: 'ubinary', rescore: 200 }],
])('%s', (name, size) => {
  expect(read(name)).toEqual(size)
})

test.each([
  ['default:0', 'leading dimensions'],
  ['default:int9', 'type of vectors'],
  ['default:128:int8:2', 'more than a size and a type'],
  ['default:int8:rescore', 'only a search over bits is rescored'],
  ['default:rescore', 'only a search over bits is rescored'],
  ['default:binary:rescore0', 'not a number of documents'],
  ['default:binary:rescored', 'leading dimensions'],
])('%s is refused', (name, words) => {
  expect(() => read(name)).toThrow(words)
})

import { expect, test } from 'vitest'
import type { NodeMessage } from '#platform/onnx'
import { specOf } from '#model/architectures'
import { planGraph } from '../../../src/model/graph/plan.ts'
import { halfProducts } from '../../../src/model/graph/half-products.ts'
import { planMemory } from '../../../src/model/graph/memory.ts'
import { bertConfig } from '../architectures/small-configs.ts'
import { bertTensors } from './plain-forward.ts'
import { memorySource } from './safetensors-source.ts'

const node = (op: string, inputs: string[], output: string): NodeMessage => ({
  name: output,
  op,
  inputs,
  outputs: [output],
  attributes: {},
})

test('a product rounds its sides and itself, and every value keeps its name', () => {
  const nodes = [node('Gemm', ['x', 'w', 'b'], 'y'), node('Softmax', ['y'], 'z'), node('MatMul', ['x', 'z'], 'out')]
  const cast = (from: string, to: string, type: number): NodeMessage => ({
    ...node('Cast', [from], to),
    attributes: { to: type },
  })
  expect(halfProducts(nodes, 'float16', new Set())).toEqual([
    cast('x', 'x as float16', 10),
    cast('w', 'w as float16', 10),
    cast('b', 'b as float16', 10),
    node('Gemm', ['x as float16', 'w as float16', 'b as float16'], 'y float16'),
    cast('y float16', 'y', 1),
    node('Softmax', ['y'], 'z'),
    cast('z', 'z as float16', 10),
    node('MatMul', ['x as float16', 'z as float16'], 'out float16'),
    cast('out float16', 'out', 1),
  ])
})

test('bfloat16 is the same graph in another type', () => {
  const nodes = [node('FusedMatMul', ['x', 'w'], 'y')]
  const renamed = JSON.stringify(halfProducts(nodes, 'float16', new Set()))
    .replaceAll('float16', 'bfloat16')
    .replaceAll('"to":10', '"to":16')
  expect(JSON.stringify(halfProducts(nodes, 'bfloat16', new Set()))).toBe(renamed)
})

test('a product that is to be exact stays as it is', () => {
  const nodes = [node('MatMul', ['weights', 'states'], 'pooled')]
  expect(halfProducts(nodes, 'float16', new Set(['pooled']))).toEqual(nodes)
})

const spec = specOf(bertConfig)

test('pooling is exact, and every product of tokens is not', () => {
  const { builder } = planGraph(spec, memorySource(bertTensors), { states: 'all', pool: ['mean'] })
  const products = builder.nodes.filter(({ op }) => ['MatMul', 'FusedMatMul', 'Gemm'].includes(op))
  const kept = halfProducts(builder.nodes, 'float16', builder.exact).filter(
    ({ op, outputs }) => op === 'MatMul' && builder.exact.has(outputs[0] ?? ''),
  )
  expect(kept.length).toBe(spec.blocks.length + 1)
  expect(products.length - kept.length).toBeGreaterThan(4 * spec.blocks.length)
})

test('weights of 16 bits that are multiplied take half the memory of widened ones', () => {
  const source = memorySource(bertTensors)
  const narrow = {
    ...source,
    info: (name: string) => {
      const info = source.info(name)
      return info && { ...info, dtype: 'F16' as const, byteLength: info.byteLength / 2 }
    },
  }
  const bytes = (products: 'float32' | 'float16') =>
    planMemory(spec, narrow, { batchTokens: 64, request: { lastState: true, products } }).weights
  const tables = ['word', 'position', 'token_type'].map((table) => `embeddings.${table}_embeddings.weight`)
  const stored = tables.reduce((sum, name) => sum + (narrow.info(name)?.byteLength ?? NaN), 0)
  expect(bytes('float16') - stored).toBe((bytes('float32') - stored) / 2)
})

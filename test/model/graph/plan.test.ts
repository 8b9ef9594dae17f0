import { expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { buildGraph, offers, planMemory } from '#model/graph'
import { bertConfig } from '../architectures/small-configs.ts'
import { countingSource } from './located.ts'
import { bertTensors } from './plain-forward.ts'
import { memorySource } from './safetensors-source.ts'

const spec = specOf(bertConfig)

test('what a model offers and what it takes in memory is found without asking where its tensors lie', () => {
  const { source, located } = countingSource(memorySource(bertTensors))
  expect(offers(spec, source, { pooler: true })).toBe(true)
  expect(planMemory(spec, source, { batchTokens: 64 }).weights).toBeGreaterThan(0)
  expect([...located]).toEqual([])
})

test('a graph asks for the place of each of its tensors once', async () => {
  const { source, located } = countingSource(memorySource(bertTensors))
  const { inline } = await buildGraph(spec, source, { states: 'all', tokens: true, pooler: true })
  expect(located.size).toBe(inline.length)
  expect(new Set(located.values())).toEqual(new Set([1]))
})

import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { planGraph, planMemory } from '#model/graph'
import type { Attribute } from '#platform/onnx'
import { shared } from '../../shared.ts'
import { distance, goldenFolders, pico, readConfig, readGolden, runsOf, tolerances } from './pico-golden.ts'
import { fileSource } from './safetensors-source.ts'

/** 40 scores a head: blocks of one to three queries for texts of 12 to 32 tokens, with a last one that is not full. */
const blockScores = 40

describe.skipIf(shared === undefined)('attention by blocks of queries', () => {
  const byBlocks = goldenFolders.filter((name) => {
    const { attention } = specOf(readConfig(name), { place: name })
    return attention.heads > 0 && attention.positions.kind !== 'disentangled'
  })

  describe.each(byBlocks)('%s', (name) => {
    const golden = readGolden(name)
    const [spec, source] = [specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors'))]
    test.each(runsOf(golden))('agrees with transformers, %s', async (_title, run) => {
      const result = await distance(spec, source, golden, run, { request: { blockScores } })
      expect(result).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })

  test('is wired for models alone that take texts as long', () => {
    const planned = (name: string, scores: number) =>
      planGraph(specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors')), {
        lastState: true,
        blockScores: scores,
      }).builder.nodes
    const conditions = (name: string, scores: number) =>
      planned(name, scores).flatMap(({ op, attributes }) => (op === 'If' ? [attributes] : []))
    const inside = (branch: Attribute | undefined): string[] =>
      typeof branch === 'object' && 'graph' in branch ? branch.graph.nodes.map(({ op }) => op) : []
    const operators = (name: string, scores: number): string[] => {
      return planned(name, scores).map(({ op }) => op)
    }
    const longest = specOf(readConfig('bert'), { place: 'bert' }).maxTokens ?? NaN
    expect(operators('bert', longest ** 2)).not.toContain('If')
    expect(operators('bert', longest ** 2 - 1)).toContain('If')
    const branches = conditions('bert', longest ** 2 - 1).at(-1)
    expect(inside(branches?.['then_branch'])).toContain('Loop')
    expect(inside(branches?.['else_branch'])).toEqual(expect.not.arrayContaining(['Loop']))
    expect(operators('llama', Infinity)).not.toContain('If')
  })

  test('takes memory that grows with the length of a text, not with its square', () => {
    const [spec, source] = [
      specOf(readConfig('llama'), { place: 'llama' }),
      fileSource(pico('llama', 'model.safetensors')),
    ]
    const activations = (length: number, scores?: number): number =>
      planMemory(spec, source, {
        batchTokens: length,
        cols: length,
        request: { lastState: true, ...(scores === undefined ? {} : { blockScores: scores }) },
      }).activations
    const growth = (activations(2 ** 16) - activations(2 ** 15)) / (activations(2 ** 15) - activations(2 ** 14))
    expect(growth).toBe(2)
    expect(activations(2 ** 15)).toBeLessThan(activations(2 ** 15, Infinity) / 100)
    // Up to 1,024 tokens there is one block.
    expect(activations(1024)).toBe(activations(1024, Infinity))
  })
})

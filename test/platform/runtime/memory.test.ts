import { describe, expect, test } from 'vitest'
import { openSession } from '#platform/runtime'
import { external, model, node, value } from '../onnx/small-graphs.ts'
import { engines } from './engines.ts'

const megabyte = 2 ** 20
const residentMegabytes = (): number => process.memoryUsage.rss() / megabyte

/** relu(x · u) · v with x [rows × cols × width]. */
function mlp(width: number, inner: number) {
  return {
    model: model({
      nodes: [node('MatMul', ['x', 'u'], ['h']), node('Relu', ['h'], ['r']), node('MatMul', ['r', 'v'], ['y'])],
      initializers: [
        external({ name: 'u', dims: [width, inner], location: 'w' }),
        external({ name: 'v', dims: [inner, width], location: 'w' }),
      ],
      inputs: [value('x', 'float32', ['rows', 'cols', width])],
      outputs: [value('y', 'float32', ['rows', 'cols', width])],
    }),
    externals: [],
    inline: [{ location: 'w', data: new Uint8Array(width * inner * 4) }],
  }
}

const zeros = (rows: number, cols: number, width: number) => ({
  x: { dtype: 'float32' as const, dims: [rows, cols, width], data: new Float32Array(rows * cols * width) },
})

describe.each(engines)('$engine', ({ engine, here }) => {
  describe.skipIf(!here)('as every engine', () => {
    test('memory does not grow with the number of shapes', async () => {
      const [width, inner, runs] = [256, 1024, 500]
      const session = await openSession(mlp(width, inner), { engine })
      const shapes = Array.from({ length: runs }, (_, i) => ({ rows: 1 + (i % 25), cols: 2 + 2 * ((i * 7) % 20) }))
      const before = residentMegabytes()
      for (const { rows, cols } of shapes) await session.run(zeros(rows, cols, width))
      const grown = residentMegabytes() - before
      await session.close()
      // The largest run holds 25 · 40 tokens · (256 + 2 · 1024 + 256) floats = 10 MB; the engine's arena takes powers
      // of two of that, the collector lets some dozens of MB of arrays wait. Keeping one inner state of every run would
      // take 500 · 267 tokens · 4 KB = 520 MB.
      expect(shapes.reduce((sum, { rows, cols }) => sum + (rows * cols * inner * 4) / megabyte, 0)).toBeGreaterThan(500)
      expect(grown).toBeLessThan(150)
    })

    test('closing gives the memory of a session back', async () => {
      const graph = mlp(1024, 4096)
      const cycle = async (): Promise<void> => {
        const session = await openSession(graph, { engine })
        await session.run(zeros(1, 8, 1024))
        await session.close()
      }
      await cycle()
      const before = residentMegabytes()
      for (let i = 0; i < 12; i++) await cycle()
      // 16 MB of weights, and as many as the graph holds twice: kept by twelve sessions 384 MB; the allocator and the
      // collector keep two or three.
      expect(residentMegabytes() - before).toBeLessThan(130)
    })
  })
})

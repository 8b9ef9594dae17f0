/** Every pico model against the reference implementation's own numbers: each folder with a golden file is a test. */
import { describe, expect, test } from 'vitest'
import { readFloat32 } from '#files/formats'
import { specOf } from '#model/architectures'
import type { Graph } from '#model/graph'
import type { Precision } from '#platform/runtime'
import { requestOf } from '../../../src/model/passes/graphs.ts'
import { engineOf } from '../../platform/runtime/engines.ts'
import { shared } from '../../shared.ts'
import { distance, goldenFolders, pico, readConfig, readGolden, runsOf, tolerances } from './pico-golden.ts'
import { openGraph } from './run-graph.ts'
import { fileSource } from './safetensors-source.ts'

describe.skipIf(shared === undefined)('pico models agree with transformers', () => {
  test('every folder has a tolerance', () => {
    expect(goldenFolders.filter((name) => !tolerances.has(name))).toEqual([])
  })

  describe.each(goldenFolders)('%s', (name) => {
    const golden = readGolden(name)
    test.each(runsOf(golden))('%s', async (_title, run) => {
      const result = await distance(
        specOf(readConfig(name), { place: name }),
        fileSource(pico(name, 'model.safetensors')),
        golden,
        run,
      )
      const wanted = [...golden.keys()].filter(
        (key) => key.startsWith(run) && /^(?:hidden_states|last|pooler|logits)/.test(key.slice(run.length)),
      )
      expect(result.compared.map((key) => run + key).toSorted()).toEqual(wanted.toSorted())
      expect(result).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })
})

const { available: openvino, precisions } = { precisions: [], ...engineOf('openvino') }

describe.skipIf(shared === undefined || !openvino)('pico models agree with transformers on OpenVINO', () => {
  describe.each(goldenFolders)('%s', (name) => {
    const golden = readGolden(name)
    test.each(runsOf(golden))('%s', async (_title, run) => {
      const load = (graph: Graph) => openGraph(graph, 'openvino')
      const result = await distance(
        specOf(readConfig(name), { place: name }),
        fileSource(pico(name, 'model.safetensors')),
        golden,
        run,
        {
          request: requestOf({ engine: 'openvino', type: 'float32' }),
          load,
        },
      )
      expect(result).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })
})

const { integerWeights } = { integerWeights: undefined, ...engineOf('onnxruntime') }
/**
 * Relative to the root mean square of a state. Rounding to 127 steps below a maximum some three times the usual size is an error
 * of 0.7 % a factor, 1 % a product; errors of products add as squares, and these models have two to four blocks of up
 * to seven. A mixture of experts can choose others where two are nearly as good.
 */
const int8Tolerance = 0.06

describe.skipIf(shared === undefined || integerWeights === undefined)(
  'pico models in int8 stay near transformers',
  () => {
    test.each(goldenFolders)('%s', async (name) => {
      const golden = readGolden(name)
      const [, run] = runsOf(golden)[0] ?? ['', '' as const]
      const request = integerWeights === undefined ? {} : { products: integerWeights }
      const [spec, source] = [specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors'))]
      const result = await distance(spec, source, golden, run, {
        request,
        options: { readFloat32: (tensor) => readFloat32(source, tensor) },
      })
      const exact = await distance(spec, source, golden, run)
      expect(result).toSatisfy(({ deviation }) => deviation <= int8Tolerance)
      expect(result.deviation).toBeGreaterThan(exact.deviation)
    })
  },
)

/**
 * Relative to the root mean square of a state. A significand of eleven bits rounds a factor by 0.014 %, a product by 0.02 %; with
 * up to 28 products, everything between them in float32, errors that add as squares come to 0.11 %. ONNX Runtime has
 * products of 16 bits on CUDA; on the processor it computes them in float32, between the same roundings.
 */
const float16Tolerance = 0.0015

describe.skipIf(shared === undefined)('pico models with products in float16 stay near transformers', () => {
  test.each(goldenFolders)('%s', async (name) => {
    const golden = readGolden(name)
    const [, run] = runsOf(golden)[0] ?? ['', '' as const]
    const [spec, source] = [specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors'))]
    const result = await distance(spec, source, golden, run, {
      request: requestOf({ engine: 'onnxruntime', type: 'float16' }),
    })
    const exact = await distance(spec, source, golden, run)
    expect(result).toSatisfy(({ deviation }) => deviation <= float16Tolerance)
    expect(result.deviation).toBeGreaterThan(exact.deviation)
  })
})

/**
 * Relative to the root mean square of a state. A significand of eight bits rounds a factor by 0.1 %, a product by 0.16 %; with
 * up to 28 products, and as many sums and norms kept in the same type between them, errors that add as squares come to
 * 1.2 %; a block's states, where signs cancel, to twice that.
 */
const bfloat16Tolerance = 0.03

describe.skipIf(shared === undefined || !(precisions as readonly Precision[]).includes('bfloat16'))(
  'pico models in bfloat16 stay near transformers',
  () => {
    test.each(goldenFolders)('%s', async (name) => {
      const golden = readGolden(name)
      const [, run] = runsOf(golden)[0] ?? ['', '' as const]
      const [spec, source] = [specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors'))]
      const askedIn = (precision: Precision) => ({
        request: requestOf({ engine: 'openvino', type: 'float32' }),
        load: (graph: Graph) => openGraph(graph, 'openvino', precision),
      })
      const result = await distance(spec, source, golden, run, askedIn('bfloat16'))
      const exact = await distance(spec, source, golden, run, askedIn('float32'))
      expect(result).toSatisfy(({ deviation }) => deviation <= bfloat16Tolerance)
      expect(result.deviation).toBeGreaterThan(exact.deviation)
    })
  },
)

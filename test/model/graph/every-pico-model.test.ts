/** Every pico model against the reference implementation's own numbers: each folder with a golden file is a test. */
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import type { Graph } from '#model/graph'
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
      const result = await distance(specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors')), golden, run)
      const wanted = [...golden.keys()].filter((key) => key.startsWith(run) && /^(?:hidden_states|last|pooler|logits)/.test(key.slice(run.length)))
      expect(result.compared.map((key) => run + key).toSorted()).toEqual(wanted.toSorted())
      expect(result).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })
})

const openvino = engineOf('openvino').available

describe.skipIf(shared === undefined || !openvino)('pico models agree with transformers on OpenVINO', () => {
  describe.each(goldenFolders)('%s', (name) => {
    const golden = readGolden(name)
    test.each(runsOf(golden))('%s', async (_title, run) => {
      const load = (graph: Graph) => openGraph(graph, 'openvino')
      const result = await distance(specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors')), golden, run, {
        request: { rotary: 'plain' },
        load,
      })
      expect(result).toSatisfy(({ difference }) => difference <= (tolerances.get(name) ?? 0))
    })
  })
})

/**
 * Every family cut before its last block, as a checkpoint and as a graph: the folder gives the vectors of the state.
 */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { exportModel } from '#experiment/write'
import type { ExportForm } from '#representation/export'
import { openModel } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'
import { difference, onnxVectors, picoWithTokenizer, vectorsOf } from './exported.ts'

const { path } = scratchFolder()
const texts = ['one two', 'a much longer text, with 17 words', 'x']
/** Tokens of a text: some are cut. One model has fewer positions. */
const most = 24
const positions = new Map([['llama-rope-dynamic', 10]])
const families =
  shared === undefined
    ? []
    : readdirSync(sharedPath('models', 'pico')).filter((name) =>
        existsSync(sharedPath('models', 'pico', name, 'golden.safetensors')),
      )

/** The same operators on the same weights. */
const sameGraph = 1e-6
/**
 * Other fusions of the engine, another layout of the sums: float32 through a few layers, where values near 0 stand
 * beside large ones.
 */
const otherGraph = 5e-5

describe.runIf(shared !== undefined)('an exported folder gives the vectors of its state', () => {
  test.each(families)('%s', async (name) => {
    const folder = picoWithTokenizer(name, path(name))
    const maxLength = positions.get(name) ?? most
    const model = await openModel(folder, { maxLength })
    const representation = `h${(model.states?.count ?? 0) - 2}`
    const ours = await encode(model, texts, { representation })
    await model.close()
    const to = (as: ExportForm): string => path(`${name}-${as}`)

    await exportModel(folder, { representation, as: 'onnx', out: to('onnx'), maxLength })
    const { alone, padded } = await onnxVectors(to('onnx'), texts, maxLength)
    expect([difference(ours, alone) < otherGraph, difference(ours, padded) < otherGraph]).toEqual([
      true,
      !byBatch.has(name),
    ])

    const written = exportModel(folder, {
      representation,
      as: 'sentence-transformers',
      out: to('sentence-transformers'),
      maxLength,
    })
    const again = await written.then(
      async () => difference(ours, await vectorsOf(to('sentence-transformers'), texts)) < sameGraph,
      (error: unknown) => (error instanceof Fault ? error.code : error),
    )
    expect(again).toBe(refused.get(name) ?? true)
  })
})

/** Frequencies go by the longest text of the batch, in the reference too: short texts have others beside long ones. */
const byBatch = new Set(['phi3-longrope'])

/** Behind the last block there is a projection: no shorter model ends with an inner state. */
const refused = new Map([['opt-post', 'usage.conflict']])

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '#core'
import { openSession as openOn, type RunnableGraph, type Session } from '#platform/runtime'
import { createSession } from '../../../src/platform/runtime/onnxruntime.ts'
import { placeWeights } from '../../../src/platform/runtime/weights.ts'
import { body, external, type External, float32, model, node, sum, value } from '../onnx/small-graphs.ts'
import { engines } from './engines.ts'

let folder: string

/** Bytes of floats after `before` bytes of something else. */
function weights(values: readonly number[], before = 0): Uint8Array {
  const bytes = new Uint8Array(before + values.length * 4).fill(0xab)
  bytes.set(new Uint8Array(Float32Array.from(values).buffer), before)
  return bytes
}

async function file(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, bytes)
  return path
}

describe.each(engines)('$engine', ({ engine, here }) => {
  describe.skipIf(!here)('as every engine', () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(await realpath(tmpdir()), 'strata-weights-'))
    })

    afterAll(() => rm(folder, { recursive: true }))

    const openSession = (graph: RunnableGraph, options = {}): Promise<Session> => openOn(graph, { engine, ...options })
    /** y for x = [1, 10] through a worker. */
    async function answer(opened: RunnableGraph): Promise<number | undefined> {
      const session = await openSession(opened, { threads: 1 })
      try {
        return (await session.run({ x: float32([1, 2], [1, 10]) }))['y']?.data[0] as number
      } finally {
        await session.close()
      }
    }

    describe('weights are read where they lie', () => {
      test('in files of two folders, at offsets of any alignment', async () => {
        const [one, two] = [
          await file('one/a.safetensors', weights([1, 2], 3)),
          await file('two/b.bin', weights([3, 4], 13)),
        ]
        const opened = {
          model: sum({ location: 'a', offset: 3 }, { location: 'b', offset: 13 }),
          externals: [
            { location: 'a', path: one },
            { location: 'b', path: two },
          ],
          inline: [],
        }
        expect(await answer(opened)).toBe(1 + 20 + 3 + 40)
      })

      test('twice in one file', async () => {
        const path = await file('both', weights([1, 2, 3, 4]))
        expect(
          await answer({
            model: sum({ location: 'w', offset: 0 }, { location: 'w', offset: 8 }),
            externals: [{ location: 'w', path }],
            inline: [],
          }),
        ).toBe(64)
      })

      test('in a blob behind a relative link, as in the hub cache, and behind a link to a folder', async () => {
        await file('hub/blobs/0123abcd', weights([1, 2], 1))
        await mkdir(join(folder, 'hub/snapshots/main'), { recursive: true })
        await symlink('../../blobs/0123abcd', join(folder, 'hub/snapshots/main/model.safetensors'))
        await symlink('hub/snapshots/main', join(folder, 'latest'))
        const path = join(folder, 'latest/model.safetensors')
        expect(
          await answer({
            model: sum({ location: 'm', offset: 1 }, { location: 'm', offset: 1 }),
            externals: [{ location: 'm', path }],
            inline: [],
          }),
        ).toBe(42)
      })

      test.each(['with space', 'mit Umlaut ä 模型', "quote'd", '-dash', '.hidden', 'percent%20'])(
        'in a file named “%s”',
        async (name) => {
          const path = await file(join('names', name), weights([1, 2]))
          expect(
            await answer({
              model: sum({ location: 'w' }, { location: 'w' }),
              externals: [{ location: 'w', path }],
              inline: [],
            }),
          ).toBe(42)
        },
      )

      test('in memory alone, and in memory beside files', async () => {
        const path = await file('beside', weights([3, 4], 2))
        const inline = [{ location: 'm', data: weights([1, 2], 5) }]
        expect(
          await answer({
            model: sum({ location: 'm', offset: 5 }, { location: 'm', offset: 5 }),
            externals: [],
            inline,
          }),
        ).toBe(42)
        expect(
          await answer({
            model: sum({ location: 'm', offset: 5 }, { location: 'f', offset: 2 }),
            externals: [{ location: 'f', path }],
            inline,
          }),
        ).toBe(64)
      })

      test.each([false, true])('of no bytes (in memory: %s)', async (inMemory) => {
        const parts = {
          nodes: [node('Concat', ['x', 'u'], ['y'], { axis: 0 })],
          initializers: [external({ name: 'u', dims: [0], location: 'w' })],
          inputs: [value('x', 'float32', ['n'])],
          outputs: [value('y', 'float32', ['m'])],
        }
        const opened = {
          model: model(parts),
          externals: inMemory ? [] : [{ location: 'w', path: await file('none', new Uint8Array()) }],
          inline: inMemory ? [{ location: 'w', data: new Uint8Array() }] : [],
        }
        const session = await openSession(opened)
        expect(await session.run({ x: float32([2], [1, 2]) })).toEqual({ y: float32([2], [1, 2]) })
        await session.close()
      })

      test('in the body of a branch', async () => {
        const path = await file('branch', weights([1, 2, 3, 4]))
        const branch = (name: string, offset: number) =>
          body({
            nodes: [node('MatMul', ['x', name], [`${name}_y`])],
            initializers: [external({ name, dims: [2, 1], location: 'w', offset })],
            inputs: [],
            outputs: [value(`${name}_y`, 'float32', ['n', 1])],
          })
        const opened = model({
          nodes: [
            node('ReduceSum', ['x'], ['total'], { keepdims: 0 }),
            node('Greater', ['total', 'zero'], ['positive']),
            node('If', ['positive'], ['y'], { then_branch: branch('u', 0), else_branch: branch('v', 8) }),
          ],
          initializers: [external({ name: 'zero', dims: [], location: 'z' })],
          inputs: [value('x', 'float32', ['n', 2])],
          outputs: [value('y', 'float32', ['n', 1])],
        })
        expect(
          await answer({
            model: opened,
            externals: [{ location: 'w', path }],
            inline: [{ location: 'z', data: weights([0]) }],
          }),
        ).toBe(21)
      })

      test('or copied to memory where the engine cannot reach them, with the same result', async () => {
        const path = await file('remote', weights([3, 4], 2))
        const opened = {
          model: sum({ location: 'm', offset: 5 }, { location: 'f', offset: 2 }),
          externals: [{ location: 'f', path }],
          inline: [{ location: 'm', data: weights([1, 2], 5) }],
        }
        const placed = await placeWeights(opened, { inMemory: true })
        expect(placed.folder).toBeUndefined()
        const session = await createSession(placed, { threads: 1, device: 'cpu' })
        const { Tensor } = await import('onnxruntime-node')
        const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 10), [1, 2]) })
        expect(y?.data).toEqual(Float32Array.of(64))
        await session.release()
      })
    })

    describe('refused', () => {
      const inline = [{ location: 'm', data: weights([1, 2]) }]
      /** Codes of both ways, in place and from memory, with one weight told otherwise. */
      const codes = async (u: Partial<External> & { location: string }, path: string): Promise<unknown[]> => {
        const opened = { model: sum(u, { location: 'w' }), externals: [{ location: 'w', path }], inline }
        return Promise.all(
          [openSession(opened), placeWeights(opened, { inMemory: true })].map((work) =>
            work.then(
              () => 'opened',
              ({ code }: Fault) => code,
            ),
          ),
        )
      }

      test.each([
        { offset: 1 },
        { offset: 8 },
        { offset: 9 },
        { offset: 2 ** 40 },
        { offset: 2 ** 53 - 1 },
        { byteLength: 9 },
      ])('weights that end beyond their file or their bytes: %o', async (place) => {
        const path = await file('short', weights([1, 2]))
        expect(await codes({ location: 'w', ...place }, path)).toEqual(['engine.load', 'engine.load'])
        expect(await codes({ location: 'm', ...place }, path)).toEqual(['engine.load', 'engine.load'])
      })

      test.each([
        { location: 'w', offset: -1 },
        { location: 'w', offset: 0.5 },
        { location: 'w', offset: 2 ** 53 },
        { location: '/etc/hostname' },
        { location: '../right' },
      ])('offsets that are no byte counts, locations nobody gave: %o', async (place) => {
        expect(await codes(place, await file('right', weights([1, 2])))).toEqual(['engine.load', 'engine.load'])
      })

      test('files that are missing, folders, and links that end nowhere', async () => {
        await symlink('nowhere', join(folder, 'dangling'))
        expect(await codes({ location: 'w' }, join(folder, 'absent'))).toEqual(['file.missing', 'file.missing'])
        expect(await codes({ location: 'w' }, join(folder, 'dangling'))).toEqual(['file.missing', 'file.missing'])
        expect(await codes({ location: 'w' }, folder)).toEqual(['file.unreadable', 'file.unreadable'])
      })

      test('a weight whose length is not that of its shape', async () => {
        const externals = [{ location: 'w', path: await file('lengths', weights([1, 2])) }]
        await expect(
          openSession({ model: sum({ location: 'w', byteLength: 4 }, { location: 'w' }), externals, inline }),
        ).rejects.toMatchObject({
          code: 'engine.load',
        })
      })
    })
  })
})

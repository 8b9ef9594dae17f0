import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openSession as openOn, type RunnableGraph, type Session, type SessionOptions } from '#platform/runtime'
import { float32, node, plain, product, value } from '../onnx/small-graphs.ts'
import { engines } from './engines.ts'

const identity = plain({
  nodes: [node('Identity', ['f'], ['f_out']), node('Identity', ['i'], ['i_out']), node('Identity', ['l'], ['l_out'])],
  inputs: [value('f', 'float32', ['n']), value('i', 'int32', ['n', 2]), value('l', 'int64', ['n'])],
  outputs: [value('f_out', 'float32', ['n']), value('i_out', 'int32', ['n', 2]), value('l_out', 'int64', ['n'])],
})

describe.each(engines)('$engine', ({ engine, here }) => {
  describe.skipIf(!here)('as every engine', () => {
    const openSession = (graph: RunnableGraph, options: SessionOptions = {}): Promise<Session> =>
      openOn(graph, { engine, ...options })
    const identityFeeds = () => ({
      f: float32([2], [0.5, -1]),
      i: { dtype: 'int32' as const, dims: [2, 2], data: Int32Array.of(1, -2, 3, 2 ** 31 - 1) },
      l: {
        dtype: 'int64' as const,
        dims: [2],
        data: BigInt64Array.of(-1n, engine === 'openvino' ? 2n ** 31n - 1n : 2n ** 62n),
      },
    })

    async function using<T>(
      graph: Parameters<typeof openSession>[0],
      options: Parameters<typeof openSession>[1],
      work: (session: Session) => Promise<T>,
    ): Promise<T> {
      const session = await openSession(graph, options)
      try {
        return await work(session)
      } finally {
        await session.close()
      }
    }

    describe('a session', () => {
      test('carries float32, int32 and int64 in and out unchanged', () =>
        using(identity, {}, async (session) => {
          const outputs = await session.run(identityFeeds())
          expect(outputs).toEqual({
            f_out: identityFeeds().f,
            i_out: identityFeeds().i,
            l_out: identityFeeds().l,
          })
        }))

      test('says which inputs and outputs the graph has, free sizes by name', () =>
        using(identity, {}, async ({ inputs, outputs }) => {
          expect(inputs).toEqual([
            { name: 'f', dtype: 'float32', dims: ['n'] },
            { name: 'i', dtype: 'int32', dims: ['n', 2] },
            { name: 'l', dtype: 'int64', dims: ['n'] },
          ])
          expect(outputs.map(({ name }) => name)).toEqual(['f_out', 'i_out', 'l_out'])
        }))

      test('returns only the outputs asked for', () =>
        using(identity, {}, async (session) => {
          expect(Object.keys(await session.run(identityFeeds(), { outputs: ['l_out'] }))).toEqual(['l_out'])
          await expect(session.run(identityFeeds(), { outputs: ['nope'] })).rejects.toMatchObject({
            code: 'engine.run',
          })
        }))

      test('takes whole buffers over and copies views', () =>
        using(product, {}, async (session) => {
          const whole = float32([1, 2], [1, 2])
          const ground = Float32Array.of(9, 3, 4, 9)
          const outputs = await session.run({
            a: whole,
            b: { dtype: 'float32', dims: [2, 1], data: ground.subarray(1, 3) },
          })
          expect(outputs['c']).toEqual(float32([1, 1], [11]))
          expect(whole.data.length).toBe(0)
          expect([...ground]).toEqual([9, 3, 4, 9])
        }))

      test('gives buffers that were fed back, to be written to and fed again', () =>
        using(product, {}, async (session) => {
          const a = float32([1, 2], [1, 2])
          const b = float32([2, 1], [3, 4])
          const outputs = await session.run({ a, b }, { handBack: ['b'] })
          expect(Object.keys(outputs).toSorted((one, other) => one.localeCompare(other))).toEqual(['b', 'c'])
          expect(outputs).toEqual({ b: float32([2, 1], [3, 4]), c: float32([1, 1], [11]) })
          const back = outputs['b']?.data as Float32Array
          back[1] = 5
          expect(
            (await session.run({ a: float32([1, 2], [1, 2]), b: { dtype: 'float32', dims: [2, 1], data: back } }))['c'],
          ).toEqual(float32([1, 1], [13]))
          await expect(
            session.run({ a: float32([1, 2], [1, 2]), b: float32([2, 1], [3, 4]) }, { handBack: ['nope'] }),
          ).rejects.toMatchObject({
            code: 'engine.run',
          })
        }))

      test('takes the same buffer for two inputs', () =>
        using(product, {}, async (session) => {
          const both = float32([2, 2], [1, 1, 0, 1])
          expect((await session.run({ a: both, b: both }))['c']).toEqual(float32([2, 2], [1, 2, 0, 1]))
        }))

      test('carries tensors without elements', () =>
        using(product, {}, async (session) => {
          expect((await session.run({ a: float32([0, 3], []), b: float32([3, 2], new Float32Array(6)) }))['c']).toEqual(
            float32([0, 2], []),
          )
        }))

      test.each([1, 3])('gives parallel runs back to who asked, with %i workers', (workers) =>
        using(product, { workers, threads: 1 }, async (session) => {
          const sizes = Array.from({ length: 60 }, (_, i) => 1 + ((i * 37) % 50))
          const outputs = await Promise.all(
            sizes.map((size, i) =>
              session.run({ a: float32([size, 1], new Float32Array(size).fill(i)), b: float32([1, 1], [2]) }),
            ),
          )
          outputs.forEach((output, i) =>
            expect(output['c']).toEqual(float32([sizes[i] ?? 0, 1], new Float32Array(sizes[i] ?? 0).fill(2 * i))),
          )
        }),
      )

      test('goes on after a run that failed', () =>
        using(product, {}, async (session) => {
          await expect(
            session.run({ a: float32([1, 2], [1, 2]), b: float32([3, 1], [1, 2, 3]) }),
          ).rejects.toMatchObject({
            code: 'engine.run',
            message: expect.stringMatching(/dimension|shapes are incompatible/),
          })
          expect((await session.run({ a: float32([1, 1], [3]), b: float32([1, 1], [2]) }))['c']).toEqual(
            float32([1, 1], [6]),
          )
        }))

      test.each([
        ['a missing input', { a: float32([1, 1], [1]) }],
        ['an unknown input', { a: float32([1, 1], [1]), b: float32([1, 1], [1]), c: float32([1, 1], [1]) }],
        [
          'another type',
          { a: float32([1, 1], [1]), b: { dtype: 'int32' as const, dims: [1, 1], data: Int32Array.of(1) } },
        ],
        ['another rank', { a: float32([1, 1], [1]), b: float32([1], [1]) }],
        ['a shape that is not whole', { a: float32([1, 1], [1]), b: float32([1, 0.5], [1]) }],
        ['a negative shape', { a: float32([1, 1], [1]), b: float32([-1, -1], [1]) }],
        ['too little data', { a: float32([1, 1], [1]), b: float32([1, 2], [1]) }],
      ])('refuses %s', (_, feeds) =>
        using(product, {}, (session) => expect(session.run(feeds)).rejects.toMatchObject({ code: 'engine.run' })),
      )
    })

    describe('opening', () => {
      test.each([
        ['no bytes', new Uint8Array()],
        ['text', new TextEncoder().encode('hello world')],
        ['half a graph', product.model.subarray(0, 40)],
        [
          'an operator nobody knows',
          plain({
            nodes: [node('Frobnicate', ['x'], ['y'])],
            inputs: [value('x', 'float32', [1])],
            outputs: [value('y', 'float32', [1])],
          }).model,
        ],
      ])('refuses %s with engine.load', (_, model) =>
        expect(openSession({ model, externals: [], inline: [] })).rejects.toMatchObject({ code: 'engine.load' }),
      )

      test('refuses outputs of a type that sessions do not carry', () => {
        const cast = plain({
          nodes: [node('Cast', ['x'], ['y'], { to: 11 })],
          inputs: [value('x', 'float32', [1])],
          outputs: [value('y', 'float64', [1])],
        })
        return expect(openSession(cast)).rejects.toMatchObject({
          code: 'engine.load',
          message: expect.stringContaining('float64'),
        })
      })

      test.each([
        { threads: 0 },
        { threads: 1.5 },
        { threads: 1e9 },
        { workers: 0 },
        { workers: 1000 },
        { device: 'abacus' as 'cpu' },
        { engine: 'steam' as 'openvino' },
        { precision: 'float8' as 'float16' },
      ])('refuses %o', (options) =>
        expect(openSession(product, options)).rejects.toMatchObject({ code: 'usage.value' }),
      )

      test('ends when cancelled before or while', async () => {
        await expect(openSession(product, { signal: AbortSignal.abort() })).rejects.toMatchObject({
          code: 'run.cancelled',
        })
        const controller = new AbortController()
        const opening = openSession(product, { signal: controller.signal })
        setImmediate(() => controller.abort())
        await expect(opening).rejects.toMatchObject({ code: 'run.cancelled' })
      })
    })

    describe('closing', () => {
      const big = () => ({
        a: float32([700, 700], new Float32Array(490_000)),
        b: float32([700, 700], new Float32Array(490_000)),
      })

      test('refuses what is unfinished, waiting or computing, and resolves every time it is called', async () => {
        const session = await openSession(product)
        const runs = Array.from({ length: 6 }, () =>
          session.run(big()).then(Object.keys, ({ code }: { code: string }) => code),
        )
        await Promise.all([session.close(), session.close()])
        const ends = await Promise.all(runs)
        expect(ends.at(-1)).toBe('run.cancelled')
        for (const end of ends) expect(end === 'run.cancelled' || Array.isArray(end)).toBe(true)
        await expect(session.run(big())).rejects.toMatchObject({ code: 'engine.run' })
        await session.close()
      })

      test('cancelling one run leaves the others alone', () =>
        using(product, {}, async (session) => {
          const controller = new AbortController()
          const before = session.run(big())
          const runs = [0, 1, 2].map(() => session.run(big(), { signal: controller.signal }))
          const after = session.run(big())
          controller.abort()
          for (const run of runs) await expect(run).rejects.toMatchObject({ code: 'run.cancelled' })
          expect(Object.keys(await before)).toEqual(['c'])
          expect(Object.keys(await after)).toEqual(['c'])
          await expect(session.run(big(), { signal: controller.signal })).rejects.toMatchObject({
            code: 'run.cancelled',
          })
        }))

      const door = new URL('../../../dist/platform/runtime/index.js', import.meta.url).href
      const run = promisify(execFile)
      const script = (body: string) => [
        '--input-type=module',
        '--eval',
        `import { openSession } from ${JSON.stringify(door)}
     const graph = { model: Uint8Array.from(${JSON.stringify([...product.model])}), externals: [], inline: [] }
     const square = (n) => ({ dtype: 'float32', dims: [n, n], data: new Float32Array(n * n) })
     const session = await openSession(graph, { engine: ${JSON.stringify(engine)} })
     ${body}`,
      ]

      test('is not needed for the process to end', async () => {
        const { stdout } = await run(
          process.execPath,
          script(`console.log(Object.keys(await session.run({ a: square(2), b: square(2) })).join())`),
        )
        expect(stdout).toBe('c\n')
      })

      test.each([0, 1, 100, 10_000])(
        'process.exit %i turns of the loop into a run ends with its own code, not with a signal',
        async (turns) => {
          const body = `session.run({ a: square(1500), b: square(1500) }).catch(() => undefined)
     const turn = (left) => (left === 0 ? process.exit(3) : setImmediate(turn, left - 1))
     turn(${turns})`
          await expect(run(process.execPath, script(body))).rejects.toMatchObject({ code: 3, signal: null })
        },
      )
    })
  })
})

describe.skipIf(!engines.some(({ engine, here }) => engine === 'openvino' && here))('openvino', () => {
  test('refuses numbers that it would cut to 32 bits', async () => {
    const session = await openOn(identity, { engine: 'openvino' })
    const feeds = {
      f: float32([1], [0]),
      i: { dtype: 'int32' as const, dims: [0, 2], data: new Int32Array() },
      l: { dtype: 'int64' as const, dims: [1], data: BigInt64Array.of(2n ** 31n) },
    }
    await expect(session.run(feeds)).rejects.toMatchObject({ code: 'engine.run', parts: { place: 'l' } })
    await session.close()
  })
})

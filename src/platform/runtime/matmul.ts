/**
 * Dense products on the engine, in the calling thread.
 *
 * Measured on 2 cores for [616 × 384] · [384 × 77] in float64, the size of a logistic regression: 0.29 ms here; 0.39 ms
 * through a worker when both factors may be given away, 0.81 ms when they must be copied, as they must from one
 * iteration to the next. Large products go in blocks of rows, so that no call holds the thread for longer than a few
 * dozen milliseconds.
 */
import { fault, type Floats, type Matrix } from '#core'
import { denseGraph, type DenseType } from './dense-graph.ts'
import { threadBudget } from '#platform/threads'
import { createSession, loadEngine, runFault, type EngineSession } from './onnxruntime.ts'

export interface DenseArrays {
  float32: Float32Array
  float64: Float64Array
}

export interface MatmulOptions<Type extends DenseType = DenseType> {
  transposeA?: boolean | undefined
  transposeB?: boolean | undefined
  /**
   * Arithmetic and result; factors of the other type are converted. Default: float64 when either factor is, otherwise
   * float32.
   */
  dtype?: Type | undefined
  /**
   * Memory of the product's size and type, written over; default: new memory, whose first touch may cost as much as a
   * small product.
   */
  into?: DenseArrays[Type] | undefined
  signal?: AbortSignal | undefined
}

/** op(a) · op(b); throws `tensor.shape` when the inner sizes differ. The factors stay as they are. */
export interface Matmul {
  (a: Matrix, b: Matrix, options?: Omit<MatmulOptions, 'dtype' | 'into'>): Promise<Matrix>
  <Type extends DenseType>(
    a: Matrix<Floats>,
    b: Matrix<Floats>,
    options: MatmulOptions<Type> & { dtype: Type },
  ): Promise<Matrix<DenseArrays[Type]>>
  (a: Matrix<Floats>, b: Matrix<Floats>, options?: MatmulOptions): Promise<Matrix<Floats>>
}

export interface OpenMatmul {
  readonly matmul: Matmul
  close(): Promise<void>
}

const arrays = { float32: Float32Array, float64: Float64Array } as const
/** Multiply-adds of one call: about 30 ms on two cores. */
const blockWork = 2 ** 31

/**
 * A product wider than it is high is dealt out by columns. A thread that gets fewer than these adds up longer stretches
 * of the inner size than one that has them all (`MlasSgemmOperation` of mlas, `StrideK`): bits would depend on the number
 * of threads.
 */
const fewColumns = { float32: 128, float64: 64 } as const
/** An inner size up to this is one stretch either way. */
const stretch = 128

/** Kernels with threads of their own (default: the budget of the process), made when first needed. */
export function openMatmul({ threads = threadBudget() }: { threads?: number } = {}): OpenMatmul {
  const kernels = new Map<string, Promise<EngineSession>>()
  const kernel = (
    { type, transposeA, transposeB }: { type: DenseType; transposeA: boolean; transposeB: boolean },
    pool: number,
  ): Promise<EngineSession> => {
    const key = `${type} ${transposeA} ${transposeB} ${pool}`
    const known = kernels.get(key)
    if (known !== undefined) return known
    const made = createSession(
      { model: denseGraph(type, transposeA, transposeB), folder: undefined, memory: [] },
      { threads: pool, device: 'cpu' },
    )
    kernels.set(key, made)
    return made
  }

  const multiply = async (
    a: Matrix<Floats>,
    b: Matrix<Floats>,
    { transposeA = false, transposeB = false, dtype = widest(a, b), into, signal }: MatmulOptions = {},
  ): Promise<Matrix<Floats>> => {
    const { rows, inner, width } = sizes(a, b, transposeA, transposeB)
    const out = into ?? new arrays[dtype](rows * width)
    if (out.length !== rows * width)
      throw fault('tensor.shape', {
        place: 'matmul',
        what: 'memory for the product',
        seen: out.length,
        wanted: [rows, width],
      })
    if (out.length === 0 || inner === 0) return { rows, width, data: out.fill(0) }
    const [left, right] = [converted(a.data, dtype), converted(b.data, dtype)]
    const { Tensor } = await loadEngine()
    const byColumns = inner > stretch ? evenThreads(threads, width / fewColumns[dtype]) : threads
    const tensor = (data: Float32Array | Float64Array, dims: number[]) => new Tensor(dtype, data as Float32Array, dims)
    const factor = tensor(right, [b.rows, b.width])
    const block = Math.max(1, Math.min(rows, Math.floor(blockWork / (inner * width))))
    for (let first = 0; first < rows; first += block) {
      signal?.throwIfAborted()
      const last = Math.min(rows, first + block)
      // Rows of op(a): rows of a, or columns of a when it is transposed; those are gathered.
      const session = await kernel({ type: dtype, transposeA, transposeB }, last - first < width ? byColumns : threads)
      const part = transposeA ? takeColumns(left, a, first, last) : left.subarray(first * inner, last * inner)
      try {
        const target = tensor(out.subarray(first * width, last * width), [last - first, width])
        await session.run(
          { a: tensor(part, transposeA ? [inner, last - first] : [last - first, inner]), b: factor },
          { c: target },
        )
      } catch (error) {
        throw runFault(error)
      }
    }
    return { rows, width, data: out }
  }
  return {
    matmul: multiply as Matmul,
    async close() {
      const sessions = await Promise.all(kernels.values())
      kernels.clear()
      await Promise.all(sessions.map((session) => session.release()))
    },
  }
}

/** `threads`, or the largest power of two up to `most`: few widths of pools, since each has kernels of its own. */
function evenThreads(threads: number, most: number): number {
  return threads <= most ? threads : 2 ** Math.max(0, Math.floor(Math.log2(most)))
}

let common: OpenMatmul | undefined

/**
 * The product on kernels shared by the whole process: op(a) [rows × inner] · op(b) [inner × width]. Throws
 * `tensor.shape`, `engine.run`.
 */
export const matmul: Matmul = ((a: Matrix<Floats>, b: Matrix<Floats>, options?: MatmulOptions) => {
  common ??= openMatmul()
  return common.matmul(a, b, options)
}) as Matmul

function sizes(
  a: Matrix<Floats>,
  b: Matrix<Floats>,
  transposeA: boolean,
  transposeB: boolean,
): { rows: number; inner: number; width: number } {
  for (const [place, { rows, width, data }] of [
    ['a', a],
    ['b', b],
  ] as const) {
    if (data.length !== rows * width)
      throw fault('tensor.shape', {
        place,
        what: 'length does not fit the shape',
        seen: data.length,
        wanted: [rows, width],
      })
  }
  const [rows, inner] = transposeA ? [a.width, a.rows] : [a.rows, a.width]
  const [innerB, width] = transposeB ? [b.width, b.rows] : [b.rows, b.width]
  if (inner !== innerB)
    throw fault('tensor.shape', {
      place: 'matmul',
      what: 'inner sizes differ',
      seen: [rows, inner],
      wanted: [innerB, width],
    })
  return { rows, inner, width }
}

function widest(a: Matrix<Floats>, b: Matrix<Floats>): DenseType {
  return a.data instanceof Float64Array || b.data instanceof Float64Array ? 'float64' : 'float32'
}

/** The engine reads ordinary memory of the right type; anything else is copied. */
function converted(data: Float32Array | Float64Array, dtype: DenseType): Float32Array | Float64Array {
  return data instanceof arrays[dtype] && data.buffer instanceof ArrayBuffer ? data : new arrays[dtype](data)
}

/** Columns [first, last) of a row-major matrix: the same memory when that is all of them. */
function takeColumns(
  data: Float32Array | Float64Array,
  { rows, width }: Matrix<Floats>,
  first: number,
  last: number,
): Float32Array | Float64Array {
  if (first === 0 && last === width) return data
  const out =
    data instanceof Float64Array ? new Float64Array(rows * (last - first)) : new Float32Array(rows * (last - first))
  for (let r = 0; r < rows; r++) out.set(data.subarray(r * width + first, r * width + last), r * (last - first))
  return out
}

/**
 * How alike the changes are that models made to a common ancestor: cosines of their task vectors (Ilharco et al. 2023,
 * https://arxiv.org/abs/2212.04089, figure 5).
 */
import { type CallOptions, type Dtype, elementCount, fault, type ModelHeaders, type TensorInfo } from '#core'
import { missingTensor, widen64 } from '#files/formats'
import { belongsToHead, tensorRoles } from '#model/architectures'
import { sourceReader } from './source-reader.ts'

export interface TaskVectorOptions extends Pick<CallOptions, 'signal' | 'onProgress'> {
  /** Models that are compared with every model, by their places; the values of the others' pairs are 0. Default: all. */
  readonly rows?: readonly number[] | undefined
  /** Elements of a tensor that are read at once from every model. Default: 32,768. */
  readonly blockElements?: number | undefined
}

/**
 * Cosines of model − base for every pair of models, [models × models], over all tensors of the models but their heads
 * and buffers; sums are in float64, and a pair has the same bits whatever other models there are. A model whose weights
 * are the base's has no direction: 0. Memory: 20 bytes per element of a block and model, and one whole tensor per model
 * that does not lie in a file as it is (an adapter, a merge). Throws `tensor.missing` and `tensor.shape` where a model
 * lacks a tensor of another or of the base or has it in another shape, `tensor.dtype` for weights that are not floats,
 * and `tensor.value` for one that is not finite.
 */
export async function taskVectorCosines(
  models: readonly ModelHeaders[],
  base: ModelHeaders,
  { rows = [...models.keys()], blockElements = 2 ** 15, signal, onProgress }: TaskVectorOptions = {},
): Promise<Float64Array> {
  const size = models.length
  const all = [base, ...models]
  const names = bodyNames(models)
  const pairs = upperPairs(size, new Set(rows))
  const sums = new Float64Array(size * size)
  const reader = sourceReader(all.map(({ tensors }) => tensors))
  const elements = new Map(names.map((name) => [name, countElements(name, all)] as const))
  const total = [...elements.values()].reduce((sum, count) => sum + count, 0)
  let [done, read] = [0, 0]
  try {
    for (const [name, count] of elements) {
      const infos = all.map((one) => findInfo(one, name))
      for (let from = 0; from < count; from += blockElements) {
        signal?.throwIfAborted()
        const to = Math.min(count, from + blockElements)
        const [ancestor = new Float64Array(), ...values] = await Promise.all(
          infos.map(async (info, input) => widen64(await reader.read({ input, info }, from, to), info.dtype)),
        )
        const vectors = values.map((own) => own.map((value, i) => value - ancestor[i]!))
        for (const [i, j] of pairs) sums[i * size + j]! += dot(vectors[i]!, vectors[j]!)
        read += to - from
      }
      onProgress?.({
        stage: 'task vectors',
        done: ++done,
        total: elements.size,
        unit: 'tensors',
        work: { done: read, total },
      })
    }
  } finally {
    await reader.close()
  }
  return cosines(sums, models)
}

/** Names of all models together, each of which every model must have. */
function bodyNames(models: readonly ModelHeaders[]): readonly string[] {
  const each = models.map(({ config, tensors }) => {
    const all = tensors.names()
    const roleOf = tensorRoles(config, all)
    return all.filter((name) => roleOf(name).kind !== 'buffer' && !belongsToHead(roleOf(name), name))
  })
  const union = [...new Set(each.flat())]
  models.forEach(({ model }, i) => {
    const own = new Set(each[i])
    const lacking = union.find((name) => !own.has(name))
    if (lacking !== undefined) throw missingTensor(model, lacking)
  })
  return union
}

function findInfo({ model, tensors }: ModelHeaders, name: string): TensorInfo {
  const info = tensors.info(name)
  if (info === undefined) throw missingTensor(model, name)
  return info
}

const floats: ReadonlySet<Dtype> = new Set<Dtype>(['F64', 'F32', 'F16', 'BF16'])

function countElements(name: string, [base, ...models]: readonly ModelHeaders[]): number {
  const wanted = base === undefined ? undefined : findInfo(base, name)
  for (const one of [...(base === undefined ? [] : [base]), ...models]) {
    const { shape, dtype } = findInfo(one, name)
    if (!floats.has(dtype))
      throw fault('tensor.dtype', {
        place: `${one.model} › ${name}`,
        what: 'task vectors are differences of floating point weights',
        seen: dtype,
      })
    if (shape.join() !== wanted?.shape.join())
      throw fault('tensor.shape', {
        place: `${one.model} › ${name}`,
        what: `the shape is not that of ${base?.model ?? ''}`,
        seen: shape,
        wanted: wanted?.shape,
      })
  }
  return elementCount(wanted?.shape ?? [])
}

/** Pairs of the upper half with one in `rows`, and the diagonal. */
function upperPairs(size: number, rows: ReadonlySet<number>): (readonly [number, number])[] {
  return Array.from({ length: size ** 2 }, (_, at) => [Math.floor(at / size), at % size] as const).filter(
    ([i, j]) => i === j || (i < j && (rows.has(i) || rows.has(j))),
  )
}

/** In four lanes, so that an addition need not wait for the one before it. */
function dot(a: Float64Array, b: Float64Array): number {
  let [p, q, r, s] = [0, 0, 0, 0]
  const whole = a.length - (a.length % 4)
  for (let i = 0; i < whole; i += 4) {
    p += a[i]! * b[i]!
    q += a[i + 1]! * b[i + 1]!
    r += a[i + 2]! * b[i + 2]!
    s += a[i + 3]! * b[i + 3]!
  }
  for (let i = whole; i < a.length; i++) p += a[i]! * b[i]!
  return p + q + (r + s)
}

function cosines(sums: Float64Array, models: readonly ModelHeaders[]): Float64Array {
  const size = models.length
  const squares = models.map(({ model }, i) => {
    const square = sums[i * size + i]!
    if (!Number.isFinite(square))
      throw fault('tensor.value', { place: model, what: 'a weight is not finite, here or in the base' })
    return square
  })
  const out = new Float64Array(size * size)
  for (let i = 0; i < size; i++)
    for (let j = i; j < size; j++) {
      const scale = Math.sqrt(squares[i]!) * Math.sqrt(squares[j]!)
      out[j * size + i] = out[i * size + j] = scale === 0 ? 0 : sums[i * size + j]! / scale
    }
  return out
}

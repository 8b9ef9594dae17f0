import { adamRates, perceptronKernel, rowBytes } from '../../../src/platform/linalg/perceptron-simd.ts'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

const { fround } = Math
const across = rowBytes / 4

/** Numbers of a row, padded with zeros. */
function padded(values: Float32Array): Float32Array {
  const row = new Float32Array(Math.max(across, Math.ceil(values.length / across) * across))
  row.set(values)
  return row
}

/** Rows one after the other in the kernel's memory; `run` gets their addresses, and gives those to read. */
function inMemory(
  rows: readonly Float32Array[],
  run: (kernel: ReturnType<typeof perceptronKernel>, at: readonly number[]) => readonly number[],
): Float32Array[] {
  const at = rows.map((_, i) => rows.slice(0, i).reduce((sum, row) => sum + row.byteLength, 0))
  const kernel = perceptronKernel(rows.reduce((sum, row) => sum + row.byteLength, 0))
  rows.forEach((row, i) => new Float32Array(kernel.memory, at[i], row.length).set(row))
  const read = run(kernel, at).map((i) => new Float32Array(kernel.memory, at[i], rows[i]?.length).slice())
  kernel.release()
  return read
}

function products({ floats }: Draw) {
  const [a, b] = [['a0', 'a1', 'a2', 'a3'].map((name) => padded(floats(name))), padded(floats('b'))]
  const [out = new Float32Array(4)] = inMemory([...a, b, new Float32Array(across)], (kernel, at) => {
    kernel.products(b.byteLength, at[0] ?? 0, at[4] ?? 0, at[5] ?? 0)
    return [5]
  })
  const plain = a.map((row) => {
    const sums = [0, 0, 0, 0]
    row.forEach((value, i) => (sums[i % 4] = fround((sums[i % 4] ?? 0) + fround((b[i] ?? 0) * value))))
    const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = sums
    return fround(fround(s0 + s2) + fround(s1 + s3))
  })
  return { kernel: { products: out.slice(0, 4) }, loop: { products: Float32Array.from(plain) } }
}

function combined({ floats }: Draw) {
  const [rows, by] = [['r0', 'r1', 'r2'].map((name) => padded(floats(name))), Float32Array.from([0.5, -3, 1.25])]
  const width = rows[0]?.length ?? across
  const [out = new Float32Array(0)] = inMemory([...rows, padded(by), new Float32Array(width)], (kernel, at) => {
    kernel.combine(4 * width, at[3] ?? 0, 4, at[0] ?? 0, at[3] ?? 0, at[4] ?? 0)
    return [4]
  })
  const plain = Float32Array.from({ length: width }, (_, i) =>
    rows.reduce((sum, row, r) => fround(sum + fround((by[r] ?? 0) * (row[i] ?? 0))), 0),
  )
  return { kernel: { combined: out }, loop: { combined: plain } }
}

function adam({ floats }: Draw) {
  const [weights, gradients, firsts] = ['w', 'g', 'm'].map((name) => padded(floats(name)))
  const seconds = padded(floats('v').map(Math.abs))
  const [step, root] = [0.01, 1.5]
  const rows = [weights, gradients, firsts, seconds].map((row) => row ?? new Float32Array(across))
  const [w, m, v] = inMemory(rows, (kernel, at) => {
    kernel.adam(seconds.byteLength, at[0] ?? 0, at[1] ?? 0, at[2] ?? 0, at[3] ?? 0, step, root)
    return [0, 2, 3]
  })
  const mixed = (old: number, added: number, rate: number): number =>
    fround(fround(old * fround(rate)) + fround(added * fround(1 - rate)))
  const plain = Array.from(seconds, (second, i) => {
    const gradient = gradients?.[i] ?? 0
    const newFirst = mixed(firsts?.[i] ?? 0, gradient, adamRates.first)
    const newSecond = mixed(second, fround(gradient * gradient), adamRates.second)
    const divisor = fround(fround(fround(Math.sqrt(newSecond)) * fround(root)) + fround(adamRates.guard))
    return [fround((weights?.[i] ?? 0) - fround(fround(fround(step) * newFirst) / divisor)), newFirst, newSecond]
  })
  const column = (at: number) => Float32Array.from(plain, (row) => row[at] ?? 0)
  return { kernel: [w, m, v].map((row) => row ?? new Float32Array(0)), loop: [column(0), column(1), column(2)] }
}

sameBits('platform/linalg/perceptron-simd.ts', { lanes: 16, chunk: 64 }, { products, combined, adam })

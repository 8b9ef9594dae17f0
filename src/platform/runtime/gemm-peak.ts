/** How fast this machine multiplies: the yardstick for every other speed. */
import { matmul } from './matmul.ts'

const warmUps = 3

/** Best of `rounds` float32 products of `size` × `size`, in GFLOP/s (a multiply-add counts two). */
export async function measureGemmPeak({ rounds = 20, size = 1024 } = {}): Promise<number> {
  const a = { rows: size, width: size, data: new Float32Array(size * size).fill(0.5) }
  const b = { rows: size, width: size, data: new Float32Array(size * size).fill(0.25) }
  let best = Infinity
  for (let round = -warmUps; round < rounds; round++) {
    const start = performance.now()
    await matmul(a, b)
    if (round >= 0) best = Math.min(best, performance.now() - start)
  }
  return (2 * size ** 3) / best / 1e6
}

let estimate: Promise<number> | undefined

/** The same from small products, in a tenth of a second and once per process: for plans. */
export function estimateGemmPeak(): Promise<number> {
  estimate ??= measureGemmPeak({ rounds: 10, size: 512 })
  return estimate
}

/**
 * The libraries that others encode with, each at its best: batch sizes by a scan of their own, types that the processor
 * has, vectors that agree.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, runOnce } from './contest.ts'
import { scratchFolder } from './places.ts'

/**
 * Elsewhere the libraries take bfloat16 as well: PyTorch emulates it, many times slower than float32, and OpenVINO
 * computes in float32 all the same.
 */
export function hasBfloat16(): boolean {
  return existsSync('/proc/cpuinfo') && /\b(?:amx|avx512)_bf16\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
}

/** The contestant at its best batch size of each set, found once for `input` and kept, or looked for `again`. */
export async function atBestBatch(
  contestant: Contestant,
  { input, again = false }: { input: string; again?: boolean },
): Promise<Contestant> {
  const scans = join(scratchFolder('scans'), `${input}.json`)
  const found = (existsSync(scans) && !again ? JSON.parse(readFileSync(scans, 'utf8')) : {}) as Record<
    string,
    Record<string, number>
  >
  const best = (found[contestant.name] ??= (await runOnce({ ...contestant, args: [...contestant.args, '--scan'] }))
    .report['batch'] as Record<string, number>)
  writeFileSync(scans, JSON.stringify(found))
  const sizes = Object.entries(best)
  console.log(`${contestant.name}: best batch ${sizes.map(([name, size]) => `${name} ${size}`).join(', ')}`)
  return { ...contestant, args: [...contestant.args, '--batch', sizes.map(([name, size]) => `${name}=${size}`).join()] }
}

export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

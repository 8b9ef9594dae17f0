/** Flags that a run passes on to its workers. */
import type { Flags } from './flags.ts'

type Handed = Pick<Flags, 'out' | 'cacheDir' | 'cacheLimit' | 'threads' | 'batchTokens' | 'device'>

export function workerFlags({ out, cacheDir, cacheLimit, threads, batchTokens, device }: Handed): string[] {
  const values = {
    '--out': out,
    '--cache-dir': cacheDir,
    '--cache-limit': cacheLimit,
    '--threads': threads,
    '--batch-tokens': batchTokens,
    '--device': device,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]))
}

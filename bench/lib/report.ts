/**
 * What every bench says at its end: a table for people, a file for the README's tables, the machine it was measured on.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { results } from './places.ts'
import { engineVersion } from './strata.ts'

export async function machine(): Promise<Record<string, unknown>> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform}-${process.arch}`,
    node: process.version,
    engine: await engineVersion(),
    // Other work on the machine spoils times: near 0 before a bench that counts.
    loadBefore: loadavg()[0],
  }
}

/** `folder`: that of the benches, or that of the comparisons with references. */
export function writeResult(name: string, result: unknown, { folder = results }: { folder?: string } = {}): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`)
}

/** What a bench wrote before; undefined when it was not run. */
// What a file holds is known to the bench that wrote it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readResult<Result>(name: string): Result | undefined {
  const path = join(results, `${name}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Result) : undefined
}

/** Columns aligned, numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell)))
  const widths = cells.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
    [],
  )
  return cells
    .map((row, r) =>
      row
        .map((cell, i) =>
          typeof rows[r]?.[i] === 'number' ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

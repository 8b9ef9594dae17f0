/** Parsed flags as the options of an export. */
import type { ExportModelOptions } from '#experiment/write'
import { poolingNamed } from '#model/passes'
import type { form, normalize, storedType } from '../flags/export.ts'
import type { threads } from '../flags/machine.ts'
import type { finalNorm, maxLength, pooling } from '../flags/reading.ts'
import type { results } from '../flags/results.ts'
import type { overwrite } from '../flags/writing.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'

type ExportFlags = FlagValues<
  | typeof form
  | typeof storedType
  | typeof normalize
  | typeof pooling
  | typeof finalNorm
  | typeof maxLength
  | typeof results
  | typeof threads
  | typeof overwrite
>

/**
 * The options shared by every command that writes an export; the representation, the folder and the card's command line
 * are the command's own.
 */
export function exportOptions(
  { as: form, dtype, normalize, pooling, finalNorm, maxLength, results, threads, overwrite }: ExportFlags,
  { signal, progress: onProgress }: Terminal,
): Omit<ExportModelOptions, 'representation' | 'out' | 'command'> {
  const reading = { pooling: pooling === undefined ? undefined : poolingNamed(pooling), finalNorm, maxLength }
  return {
    as: form,
    dtype,
    normalize: normalize === true,
    ...reading,
    outputFolder: results,
    threads,
    overwrite: overwrite === true,
    signal,
    onProgress,
  }
}

/** A failure in words: one line for the event, one for the remedy, and the exit code. */
import { Fault } from '#core'
import type { Everywhere } from './program.ts'

/**
 * A stack only for `--debug`; the note about a defect in Strata only where it is not a fault. `document` is for
 * `--json`.
 */
export function failureLines(
  error: unknown,
  { json, debug }: Everywhere,
): { readonly document: string | undefined; readonly lines: readonly string[] } {
  const known = error instanceof Fault ? error : undefined
  const code = known?.code ?? 'internal'
  const message = error instanceof Error ? error.message : String(error)
  const stack = debug === true && error instanceof Error ? (error.stack?.split('\n') ?? []) : []
  return {
    document: json === true ? JSON.stringify({ error: { code, message, hint: known?.hint ?? null } }) : undefined,
    lines: [
      `error ${code}  ${message}`,
      ...(known?.hint?.split('\n').map((line) => `  ${line}`) ?? []),
      ...(known === undefined && debug !== true
        ? ['  this is a defect in Strata: run again with --debug and report the output']
        : []),
      ...stack,
    ],
  }
}

/** 2 for a usage error, 1 for any other failure. */
export function toExitCode(error: unknown): number {
  const code = error instanceof Fault ? error.code : ''
  return code.startsWith('usage.') || code === 'task.unknown' || code === 'representation.unknown' ? 2 : 1
}

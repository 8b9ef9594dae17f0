/** The system's own word for what went wrong. */
import { Fault } from '#core'

/**
 * `ENOSPC`, `EACCES`, … of an error of the system, or of the one that a fault was made of; undefined for every other
 * error.
 */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Fault) return systemCode(error.cause)
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined
}

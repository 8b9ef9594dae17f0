/** Content hashes: same input, same key, on every machine. */
import { createHash } from 'node:crypto'
import { compareUnits } from './code-points.ts'

/** Hex SHA-256 of text or bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/**
 * JSON with keys sorted at every level, so that equal values have equal text. `undefined` fields are left out;
 * infinities and NaN, which JSON would make null, are their names.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field === 'number' && !Number.isFinite(field)) return String(field)
    if (field === null || typeof field !== 'object' || Array.isArray(field)) return field
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareUnits(a, b)))
  })
}

/** Hex SHA-256 of a plain value. */
export function fingerprint(value: unknown): string {
  return sha256(canonicalJson(value))
}

/**
 * The schema language of users' files, for the rooms that describe some. Loaded when the first schema is made: most
 * commands need none.
 */
import { createRequire } from 'node:module'
import type { z } from 'zod'

export type Zod = typeof z
export type Schema = z.ZodType

export function zod(): Zod {
  return (createRequire(import.meta.url)('zod') as { z: Zod }).z
}

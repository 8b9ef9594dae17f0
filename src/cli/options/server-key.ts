/** The key that a server asks for. */
import { fault } from '#core'
import type { apiKeyEnv, noKey } from '../flags/listening.ts'
import type { FlagValues } from '../spec/flag-values.ts'

/**
 * From the environment: a key on the command line would be in the list of processes. Throws `usage.value` for a variable
 * that is not there, `usage.conflict`.
 */
export function serverKey({
  apiKeyEnv: name,
  key: asks,
}: FlagValues<typeof apiKeyEnv | typeof noKey>): string | undefined {
  if (name === undefined) return undefined
  if (asks === false)
    throw fault('usage.conflict', { place: '--no-key', what: 'cannot be combined with --api-key-env' })
  const key = process.env[name]
  if (key === undefined || key === '')
    throw fault('usage.value', {
      place: '--api-key-env',
      what: 'the environment has no such variable, or it is empty',
      seen: name,
      hint: `export ${name}=…`,
    })
  return key
}

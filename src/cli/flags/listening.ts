/** Flags of commands that listen. */
import type { Flag } from '../spec/flag.ts'

export const host = {
  flags: '--host <address>',
  help: 'address to listen on; others than this machine need a key',
  fallback: '127.0.0.1',
} as const satisfies Flag

export const apiKeyEnv = {
  flags: '--api-key-env <name>',
  help: 'variable of the environment with the key that requests must bring',
} as const satisfies Flag

export const noKey = { flags: '--no-key', help: 'answer other machines without a key' } as const satisfies Flag

/** Definitions of the user's own, in every command that can use one. */
import type { Flag } from '../spec/flag.ts'

export const plugin = {
  flags: '--plugin <file>',
  help: 'file of your own definitions, TypeScript or JavaScript; repeatable',
  repeated: true,
} as const satisfies Flag

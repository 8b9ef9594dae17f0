/** Models beside those that are named, and what they are seen through. */

import type { Flag } from '../spec/flag.ts'
import { list } from '../spec/parsers.ts'

export const merge = {
  flags: '--merge <recipe>',
  help: 'score a merge without writing it, like the model merge:<recipe>; repeatable',
  repeated: true,
} as const satisfies Flag

export const representation = {
  flags: '--representation <names>',
  help: 'default, h<n>, h<n>-<pooling>, mean:<n>-<n> or representation files, comma-separated',
  parse: list,
} as const satisfies Flag

export const layers = {
  flags: '--layers <list>',
  help: 'hidden states: all, or indices such as 0,3,-1 (0 = embedding output)',
} as const satisfies Flag

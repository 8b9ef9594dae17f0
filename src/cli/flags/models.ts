/** Models in addition to the named ones, and their representations. */

import type { Flag } from '../spec/flag.ts'
import { list } from '../spec/parsers.ts'

export const merge = {
  flags: '--merge <recipe>',
  help: 'recipe of a merge to score without writing it, as the model merge:<recipe>; repeatable',
  repeated: true,
} as const satisfies Flag

const names = 'default, splade, h<n>, h<n>-<pooling>, mean:<n>-<n>'
const searched = 'default, splade, h<n>, h<n>-<pooling>, h<n>-maxsim, mean:<n>-<n>'

export const representation = {
  flags: '--representation <names>',
  help: `representations, comma-separated: ${searched}, or files; :<dims>, :<type> or both behind one`,
  joined: true,
  parse: list,
} as const satisfies Flag

/** In addition to the hidden states that a command uses anyway. */
export const furtherRepresentations = {
  flags: '--representation <names>',
  help: `further representations, comma-separated: ${names}, or files`,
  joined: true,
  parse: list,
} as const satisfies Flag

export const oneRepresentation = {
  flags: '--representation <name>',
  help: `representation: ${names}, or a file; :<dims>, :<type> or both behind it (default: default)`,
  parse: list,
} as const satisfies Flag

/** Among existing results. */
export const onlyRepresentations = {
  flags: '--representation <names>',
  help: 'only these representations, comma-separated',
  parse: list,
} as const satisfies Flag

export const layers = {
  flags: '--layers <list>',
  help: 'hidden states: all, or indices such as 0,3,-1 (0 is the embedding output)',
} as const satisfies Flag

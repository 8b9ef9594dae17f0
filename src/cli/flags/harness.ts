/** Task files of lm-evaluation-harness. */

import type { Flag } from '../spec/flag.ts'

export const includePath = {
  flags: '--include_path <folder>',
  help: 'folder with your own task files; repeatable',
  repeated: true,
} as const satisfies Flag

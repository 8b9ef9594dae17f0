/** Output of a report. */

import type { Flag } from '../spec/flag.ts'

export const out = {
  flags: '--out <file>',
  help: 'file to write: .html, .md, .csv, .tex or .json (default: printed)',
} as const satisfies Flag

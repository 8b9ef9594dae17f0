/** Every family Strata opens. Model types, help, docs/support.md and the nearest-name hints derive from this list. */
import type { Family } from './family.ts'
import { bert } from './families/bert.ts'
import { llama } from './families/llama.ts'

export const families: readonly Family[] = [bert, llama]

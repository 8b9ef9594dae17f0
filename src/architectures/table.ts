/** Every family Strata opens. Model types, help, docs/support.md and the nearest-name hints derive from this list. */
import type { Family } from './family.ts'
import { albert } from './families/albert.ts'
import { bert } from './families/bert.ts'
import { distilbert } from './families/distilbert.ts'
import { electra } from './families/electra.ts'
import { llama } from './families/llama.ts'
import { modernbert } from './families/modernbert.ts'
import { mpnet } from './families/mpnet.ts'
import { mt5 } from './families/mt5.ts'
import { roberta } from './families/roberta.ts'
import { t5 } from './families/t5.ts'

export const families: readonly Family[] = [bert, roberta, distilbert, mpnet, albert, electra, modernbert, t5, mt5, llama]

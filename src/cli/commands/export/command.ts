/** What `strata export` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { form, storedType, normalize } from '../../flags/export.ts'
import { threads } from '../../flags/machine.ts'
import { oneRepresentation } from '../../flags/models.ts'
import { pooling, finalNorm, maxLength } from '../../flags/reading.ts'
import { results } from '../../flags/results.ts'
import { overwrite } from '../../flags/writing.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'

const out = { flags: '--out <folder>', help: 'folder to write the model to' } as const satisfies Flag

export const command = {
  name: 'export',
  group: 'make',
  summary: 'write a representation as a model of its own: for sentence-transformers, transformers or ONNX',
  args: [['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  flags: [
    oneRepresentation,
    form,
    out,
    storedType,
    normalize,
    pooling,
    finalNorm,
    maxLength,
    results,
    threads,
    overwrite,
    ...everywhere,
  ],
  examples: [
    'strata export sentence-transformers/all-MiniLM-L6-v2 --representation h4 --out ./MiniLM-4',
    'strata export sentence-transformers/all-MiniLM-L6-v2 --representation h4 --as onnx --normalize --out ./MiniLM-4-onnx',
    'strata export EleutherAI/pythia-410m --representation h12 --as transformers --dtype bfloat16 --out ./pythia-12',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>

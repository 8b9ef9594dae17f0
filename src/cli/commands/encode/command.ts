/** What `strata encode` takes. */
import { column } from '../../flags/corpus.ts'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { layers, oneRepresentation } from '../../flags/models.ts'
import { reading } from '../../flags/reading.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { out, inputIds, prefix, tokens, logits, chat, paddingSide, limit } from './flags.ts'

export const command = {
  name: 'encode',
  group: 'make',
  summary: 'turn texts or token ids into vectors of any layer',
  args: [
    ['<model>', 'org/name, org/name@revision, or a folder'],
    ['[files...]', 'txt, jsonl, csv, tsv or parquet (.gz too); none, or -, reads standard input'],
  ],
  flags: [
    layers,
    oneRepresentation,
    out,
    column,
    inputIds,
    prefix,
    tokens,
    logits,
    chat,
    paddingSide,
    limit,
    ...reading,
    ...machine,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata encode BAAI/bge-small-en-v1.5 texts.jsonl --out vectors.npy',
    'strata encode ./model texts.txt --out - | jq -c .vector',
    'strata encode ./llama --input-ids batch.safetensors --tokens --layers all --out states.safetensors',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>

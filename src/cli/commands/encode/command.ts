/** Help of `strata encode`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'encode',
  group: 'make',
  summary: 'turn texts or token ids into vectors of any layer',
  args: [
    ['<model>', 'org/name, org/name@revision, or a folder'],
    ['[files...]', 'txt, jsonl, csv, tsv or parquet (.gz too); none, or -, reads standard input'],
  ],
  examples: [
    'strata encode BAAI/bge-small-en-v1.5 texts.jsonl --out vectors.npy',
    'strata encode ./model texts.txt --out - | jq -c .vector',
    'strata encode ./llama --input-ids batch.safetensors --tokens --layers all --out states.safetensors',
  ],
}

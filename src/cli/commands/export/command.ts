/** Help of `strata export`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'export',
  group: 'make',
  summary: 'write a representation as a model of its own: for sentence-transformers, transformers or ONNX',
  args: [['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  examples: [
    'strata export sentence-transformers/all-MiniLM-L6-v2 --representation h4 --out ./MiniLM-4',
    'strata export sentence-transformers/all-MiniLM-L6-v2 --representation h4 --as onnx --normalize --out ./MiniLM-4-onnx',
    'strata export EleutherAI/pythia-410m --representation h12 --as transformers --dtype bfloat16 --out ./pythia-12',
  ],
}

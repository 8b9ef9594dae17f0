/** Help of `strata pull`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'pull',
  group: 'keep',
  summary: 'download a repository, or files of it, to the Hugging Face cache or a folder, and print the path',
  args: [
    ['<repo>', 'org/name, or org/name@revision'],
    ['[files...]', 'paths in the repository; folder/ means every file below it (default: everything)'],
  ],
  examples: [
    'strata pull EleutherAI/pythia-410m',
    'strata pull EleutherAI/pythia-410m config.json tokenizer.json',
    'strata pull EleutherAI/pythia-410m --include "*.safetensors" --include "*.json" --local-dir ./pythia',
  ],
}

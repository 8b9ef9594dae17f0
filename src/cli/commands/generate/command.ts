/** Help of `strata generate`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'generate',
  group: 'make',
  summary: 'generate text with a language model, or chat with it',
  args: [
    ['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml'],
    ['[prompt]', 'text to continue; none, or -, reads standard input'],
  ],
  examples: [
    'strata generate EleutherAI/pythia-410m "The capital of France is" --max-new-tokens 8',
    'strata generate merge:ties.yml --chat --system "Answer in one sentence."',
    'strata generate ./model "Once upon a time" --temperature 0.8 --top-p 0.95 --seed 7 --stop "The end" --json',
    'strata generate ./model "Once upon a time" --dtype int8',
  ],
}

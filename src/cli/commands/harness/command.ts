/** Help of `strata harness`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'harness',
  group: 'measure',
  summary: 'run tasks of lm-evaluation-harness on a language model',
  args: [
    ['[model]', 'org/name, org/name@revision, a folder, or merge:recipe.yml; or --model hf --model_args pretrained=…'],
  ],
  examples: [
    'strata harness EleutherAI/pythia-70m --tasks blimp,arc_easy --output_path results --log_samples',
    'strata harness --model hf --model_args pretrained=./model,max_length=512 --tasks gsm8k --num_fewshot 5 --limit 20',
    'strata harness ./model --tasks my_task --include_path ./tasks',
  ],
}

/** Help of `strata transplant`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'transplant',
  aliases: ['tokensurgeon'],
  group: 'make',
  summary: 'give a model another model’s tokenizer: shared tokens keep their rows, the others are approximated',
  args: [
    ['<model>', 'org/name or a folder'],
    ['<donor>', 'model whose tokenizer it gets'],
    ['[out]', 'folder to write'],
  ],
  examples: [
    'strata transplant org/model org/donor ./transplanted',
    'strata transplant ./model ./donor --approximation-method subword --dry-run',
  ],
}

/** Help of `strata distill`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'distill',
  aliases: ['distil'],
  group: 'make',
  summary: 'distil a model into a static table: one vector per token, no forward pass afterwards (model2vec)',
  args: [['<model>', 'org/name, a folder, or merge:recipe.yml']],
  examples: [
    'strata distill sentence-transformers/all-MiniLM-L6-v2 --out ./static',
    'strata distill ./model --out ./static --layers 4 --pca-dims 128 --dtype int8',
    'strata distill ./model --vocabulary words.txt --dry-run',
  ],
}

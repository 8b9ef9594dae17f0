/** Help of `strata bench`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'bench',
  group: 'measure',
  keeps: 'nothing',
  summary: 'measure how fast models encode on this machine, in turn, and their memory',
  args: [['<models...>', 'model, model@revision or model#representation; the others are compared with the first']],
  examples: [
    'strata bench sentence-transformers/all-MiniLM-L6-v2',
    'strata bench ./one ./two --batch 1,32 --rounds 10 --threads 2',
    'strata bench ./model --representation default,h3 --texts queries.txt --price-per-hour 0.19',
  ],
}

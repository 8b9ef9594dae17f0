/** Help of `strata verify`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'verify',
  group: 'measure',
  summary: 'check finished results against published scores',
  args: [['[models...]', 'models (default: every model with results)']],
  examples: ['strata verify sentence-transformers/all-MiniLM-L6-v2'],
}

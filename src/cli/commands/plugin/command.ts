/** Help of `strata plugin`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'plugin',
  group: 'look',
  summary: 'check a file of your own definitions against the laws that Strata’s own obey',
  args: [
    ['<action>', 'check'],
    ['<files...>', 'TypeScript or JavaScript, as --plugin takes it'],
  ],
  examples: ['strata plugin check ./mine.ts', 'strata merge recipe.yml ./merged --plugin ./mine.ts'],
}

/** Help of `strata push`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'push',
  group: 'keep',
  summary: 'upload a folder to a repository on the hub, resumable',
  args: [
    ['<repo>', 'org/name, or org/name@branch'],
    ['[folder]', 'folder or file (default: the one named like the repository)'],
    ['[path]', 'path in the repository'],
  ],
  examples: [
    'strata push me/merged ./merged --private',
    'strata push me/scores ./results --repo-type dataset',
    'strata push me/merged ./merged --exclude "*.bin" --delete "*.bin" --create-pr',
  ],
}

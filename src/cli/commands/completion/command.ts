/** Help of `strata completion`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'completion',
  group: 'look',
  summary: 'print the script that completes commands, flags and their values in a shell',
  args: [['<shell>', 'bash, zsh or fish']],
  examples: [
    'eval "$(strata completion bash)"',
    'strata completion zsh > "${fpath[1]}/_strata"',
    'strata completion fish > ~/.config/fish/completions/strata.fish',
  ],
}

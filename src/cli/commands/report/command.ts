/** Help of `strata report`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'report',
  group: 'compare',
  summary: 'make one report of folders of results: a page, Markdown, CSV, LaTeX or JSON',
  args: [
    ['<sources...>', 'folders of results, experiments or searches; recorded scores; replays and similarities (.json)'],
  ],
  examples: [
    'strata report results --out report.html',
    'strata report results older/results --tasks "STS*" --baseline h6 --format latex',
  ],
}

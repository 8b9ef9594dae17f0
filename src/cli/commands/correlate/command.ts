/** Help of `strata correlate`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'correlate',
  group: 'compare',
  summary: 'check whether two benchmarks rank models the same way',
  args: [],
  examples: ['strata correlate --x holmes:flash-holmes.csv --y harness:results --method kendall --minimum 4'],
}

/** Help of `strata doctor`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'doctor',
  group: 'look',
  summary: 'check machine, engines, cache and hub',
  args: [],
  examples: ['strata doctor', 'strata doctor --install openvino', 'strata doctor --install cuda'],
}

/** What `strata models` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { architecture } from '../../flags/reading.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'

export const command = {
  name: 'models',
  group: 'look',
  summary: 'describe a model or a file of tensors',
  args: [['<models...>', 'org/name, a folder, or one tensor file (.safetensors, .bin, .pt, .npy, .npz, .pkl)']],
  flags: [architecture, ...everywhere],
  examples: ['strata models EleutherAI/pythia-410m', 'strata models pytorch_model.bin'],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>

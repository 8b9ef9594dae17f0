/** Help of `strata models`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'models',
  group: 'look',
  summary: 'describe a model or a file of tensors',
  args: [['<models...>', 'org/name, a folder, or one tensor file (.safetensors, .bin, .pt, .npy, .npz, .pkl)']],
  examples: ['strata models EleutherAI/pythia-410m', 'strata models pytorch_model.bin'],
}

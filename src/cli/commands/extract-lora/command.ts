/** Help of `strata extract-lora`. */
import type { CommandWords } from '../../spec/command.ts'

export const command: CommandWords = {
  name: 'extract-lora',
  group: 'make',
  summary: 'extract what fine-tuning changed as a LoRA adapter for PEFT',
  args: [],
  examples: [
    'strata extract-lora --model ./tuned --base-model org/base --out-path ./adapter --max-rank 32',
    "strata extract-lora --model ./tuned --base-model org/base -e 'embed_tokens|lm_head' --dry-run",
  ],
}

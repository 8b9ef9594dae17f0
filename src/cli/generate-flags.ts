/** Flags of `strata generate`: the words of transformers and llama.cpp, which agree on most. */
import { atLeastZero, type Flag, positive, share, whole } from './flag.ts'

export const generateFlags = {
  dialogue: {
    flags: '--chat',
    help: 'the prompt is a turn of a chat, by the model’s chat template; without a prompt, at a terminal: a dialogue',
  },
  systemTurn: { flags: '--system <text>', help: 'what the chat begins with' },
  maxNewTokens: {
    flags: '-n, --max-new-tokens <n>',
    help: 'tokens of an answer at most (default: 256)',
    parse: positive('--max-new-tokens'),
  },
  temperature: {
    flags: '--temperature <t>',
    help: '0: always the most probable token (default; 1 where --top-k or --top-p is given)',
    parse: atLeastZero('--temperature'),
  },
  topK: { flags: '--top-k <k>', help: 'draw from the k most probable tokens', parse: positive('--top-k') },
  topP: {
    flags: '--top-p <p>',
    help: 'draw from the fewest tokens that have this probability together',
    parse: share('--top-p'),
  },
  drawSeed: {
    flags: '--seed <n>',
    help: 'of what is drawn: the same seed, the same text (default: another one each time)',
    parse: whole('--seed'),
  },
  stop: { flags: '--stop <text>', help: 'the answer ends before this text; repeatable', repeated: true },
} as const satisfies Record<string, Flag>

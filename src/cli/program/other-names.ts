/** Flags that other programs of the field have, and the words for the same here. */

interface Answer {
  /** Flags that a command may have for it, the first one that it has is named. */
  readonly flags: readonly string[]
  /** Where the command has none of these flags. */
  readonly otherwise?: string
}

const models = { flags: [], otherwise: 'models are named without a flag: strata COMMAND org/name' } as const
const types = { flags: ['--types Classification,Retrieval'] } as const
const folder = { flags: ['--results <folder>', '--out <folder>', '--out <file>'] } as const
const texts = { flags: ['--rows <n>'], otherwise: 'leave it out' } as const

/** By the flags of run_mteb_eval, run_grid_search, mteb-layersweep and lm-evaluation-harness. */
const answers: Readonly<Record<string, Answer>> = {
  '--model': models,
  '--models': models,
  '--model-name': models,
  '--base-model': models,
  '--task-types': types,
  '--task-categories': types,
  '--all-mteb-tasks': { flags: ['--tasks all'] },
  '--output-dir': folder,
  '--output': folder,
  '--lambda-values': { flags: ['--lambda 0.1,0.5,1'] },
  '--num-clusters': { flags: ['--clusters <n>'] },
  '--similarity-type': { flags: ['--similarity CKA'] },
  '--pca-cache-dir': { flags: ['--cache-dir <folder>'] },
  '--overwrite-results': { flags: ['--overwrite-strategy always'] },
  '--batch-size': {
    flags: ['--batch-tokens <n>'],
    otherwise: 'leave it out: it moves no score',
  },
  '--fp16': { flags: ['--dtype float16'] },
  '--max-samples': {
    flags: ['--rows <n>', '--tasks <names>'],
    otherwise: 'leave it out',
  },
  '--num-samples': texts,
  '--datasets': { flags: ['--data-set allenai/c4:en:train:text'] },
  '--dataset': { flags: ['--data-set allenai/c4:en:train:text'] },
  '--save-embeddings': { flags: [], otherwise: 'strata encode writes vectors' },
  '--continue-on-error': { flags: [], otherwise: 'leave it out: a task that fails never stops the others' },
  '--config': { flags: [], otherwise: 'strata run FILE runs a file of settings' },
  '--run-id': { flags: ['--out <folder>', '--results <folder>'] },
}

/** Names the flag of a command, whose flags are `known`, for one that it does not have; undefined for a stranger. */
export function nameHere(flag: string, known: readonly string[]): string | undefined {
  const answer = Object.hasOwn(answers, flag) ? answers[flag] : undefined
  if (answer === undefined) return undefined
  const here = answer.flags.find((one) => known.includes(one.split(' ', 1)[0] ?? ''))
  if (here === undefined) return answer.otherwise
  return flag === '--max-samples' && here.startsWith('--tasks')
    ? 'it left large tasks out: name the tasks you mean with --tasks; strata tasks NAME shows the size of one'
    : `here it is ${here}`
}

const lists = 'a list is joined by commas: --tasks STS12,STS13'

/** The same message, with the flag's name here in place of commander's guess. */
export function withNamesHere(message: string, known: readonly string[], command: string): string {
  const [, flag] = /unknown option '(--[\w-]+)/.exec(message) ?? []
  const here = flag === undefined ? undefined : nameHere(flag, known)
  if (here !== undefined) return `${message.split('\n', 1)[0] ?? ''}\n  ${here.replace('COMMAND', command)}\n`
  return message.includes('too many arguments') ? `${message.trimEnd()}\n  ${lists}\n` : message
}

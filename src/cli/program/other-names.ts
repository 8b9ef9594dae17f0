/** Flags that other programs of the field have, and the words for the same here. */

/** In braces: a value as an example, or the place for the values that were given. */
interface Answer {
  /** What a command may have for it; the first one that it has is named. */
  readonly here: readonly string[]
  /** Where the command has none of them. */
  readonly otherwise?: string
  /** Its values are arguments here. */
  readonly asArguments?: true
  /** Given once per value. */
  readonly isRepeated?: true
  /** Values that have another name here. */
  readonly values?: Readonly<Record<string, string>>
}

const models: Answer = {
  here: ['--models {<names>}'],
  otherwise: 'models are named without a flag: strata COMMAND org/name',
  asArguments: true,
}
const types: Answer = { here: ['--types {Classification,Retrieval}'] }
const folder: Answer = {
  here: ['--results {<folder>}', '--out {<folder>}', '--out {<file>}', '--out-path {<folder>}'],
}
const states: Answer = {
  here: ['--layers {h4}', '--representation {h4}'],
  otherwise: 'strata layers scores every layer, strata evaluate --representation h4 a single one',
}
const texts: Answer = { here: ['--rows {<n>}'], otherwise: 'leave it out' }
const dataSets: Answer = {
  here: ['--data-set {c4}'],
}

/** By the flags of run_mteb_eval, run_grid_search, mteb-layersweep, mteb and lm-evaluation-harness. */
const answers: Readonly<Record<string, Answer>> = {
  '--model': models,
  '--models': models,
  '--model-name': models,
  '--base-model': models,
  '-m': models,
  '-t': { here: ['--tasks {STS12,STS13}'] },
  '--task-types': types,
  '--task-categories': types,
  '--all-mteb-tasks': { here: ['--tasks all'] },
  '--benchmarks': { here: ['--benchmark {"MTEB(eng, v2)"}'], isRepeated: true },
  '--output-dir': folder,
  '--output': folder,
  '--layers': states,
  '--layer': states,
  '--representations': states,
  '--max-tokens': { here: ['--max-new-tokens {100}', '--max-length {512}'] },
  '--lambda-values': { here: ['--lambda {0.1,0.5,1}'] },
  '--num-clusters': { here: ['--clusters {<n>}'] },
  '--similarity-type': { here: ['--similarity {CKA}'] },
  '--pca-cache-dir': { here: ['--cache-dir {<folder>}'] },
  '--overwrite-results': { here: ['--overwrite-strategy always'] },
  '--batch-size': { here: ['--batch-tokens <n>'], otherwise: 'leave it out: it moves no score' },
  '--fp16': { here: ['--dtype float16'] },
  '--max-samples': texts,
  '--num-samples': texts,
  '--datasets': dataSets,
  '--dataset': dataSets,
  '--save-embeddings': { here: [], otherwise: 'strata encode writes vectors' },
  '--continue-on-error': { here: [], otherwise: 'leave it out: a task that fails never stops the others' },
  '--config': { here: [], otherwise: 'strata run FILE runs a file of settings', asArguments: true },
  '--run-id': { here: ['--out {<folder>}', '--results {<folder>}'] },
}

/** Counts of rows are no counts of tokens: batches are left to the program. */
const leftOut: Readonly<Record<string, string>> = { '--batch-size': 'is left out: it moves no score' }

/** The first template for the flag that is a flag of the command; undefined for a stranger. */
function templateFor(flag: string, known: readonly string[]): { answer: Answer; template?: string } | undefined {
  const answer = Object.hasOwn(answers, flag) ? answers[flag] : undefined
  if (answer === undefined) return undefined
  const template = answer.here.find((one) => known.includes(one.split(' ', 1)[0] ?? ''))
  return template === undefined ? { answer } : { answer, template }
}

/** Names the flag of a command, whose flags are `known`, for one that it does not have; undefined for a stranger. */
export function nameHere(flag: string, known: readonly string[]): string | undefined {
  const found = templateFor(flag, known)
  if (found === undefined) return undefined
  return found.template === undefined ? found.answer.otherwise : `here it is ${found.template.replaceAll(/[{}]/g, '')}`
}

/** Words of a line here that say what a flag of another program and its values say; undefined for a stranger. */
export function wordsHere(
  flag: string,
  values: readonly string[],
  known: readonly string[],
): { readonly words: readonly string[]; readonly isArgument: boolean; readonly note: string | undefined } | undefined {
  const found = templateFor(flag, known)
  if (found === undefined) return undefined
  const { answer, template } = found
  const own = values.map((value) =>
    Object.hasOwn(answer.values ?? {}, value) ? (answer.values?.[value] ?? '') : value,
  )
  const note = leftOut[flag]
  if (note !== undefined) return { words: [], isArgument: false, note: `${flag} ${note}` }
  if (answer.asArguments === true && template === undefined) return { words: own, isArgument: true, note: undefined }
  if (template === undefined) return { words: [], isArgument: false, note: `${flag}: ${answer.otherwise ?? ''}` }
  const [name = '', sample] = template.split(' ', 2)
  if (sample === undefined) return { words: [name], isArgument: false, note: undefined }
  if (!sample.startsWith('{')) return { words: [name, sample], isArgument: false, note: undefined }
  // a benchmark's name may hold a comma
  const words = answer.isRepeated === true ? own.flatMap((value) => [name, value]) : [name, own.join(',')]
  return { words, isArgument: false, note: undefined }
}

const lists = 'a list is joined by commas: --tasks STS12,STS13'

/** The message for a person, with the flag's name here in place of commander's guess, and the line it comes to. */
export function withNamesHere(
  message: string,
  {
    known,
    command,
    line,
  }: { readonly known: readonly string[]; readonly command: string; readonly line: readonly string[] },
): string {
  const [, flag] = /unknown option '(--?[\w-]+)/.exec(message) ?? []
  const here = flag === undefined ? undefined : nameHere(flag, known)
  const whole = line.map((one) => `  ${one}\n`).join('')
  if (here !== undefined) return `${message.split('\n', 1)[0] ?? ''}\n  ${here.replace('COMMAND', command)}\n${whole}`
  return message.includes('too many arguments') ? `${message.trimEnd()}\n  ${lists}\n${whole}` : message
}

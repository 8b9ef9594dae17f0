/** A line for every flag of every command: what it is given, and the command line to which it is added. */
import { making } from './flag-lines-make.ts'
import { measuring } from './flag-lines-measure.ts'
import type { Places } from './flag-lines.ts'

export interface Line {
  /** Without the flag. */
  readonly words: readonly string[]
  readonly flag: readonly string[]
}

/** What a flag of this name is given wherever a command says nothing else. */
const usual = ({ one, recipe, scratch, task }: Places): Readonly<Record<string, readonly string[]>> => ({
  // not one that the line's own `STS1*` finds
  '--tasks': ['BIOSSES'],
  '--benchmark': ['MTEB(eng, v2)'],
  '--task-file': [task],
  '--types': ['Retrieval'],
  '--languages': ['nld'],
  '--domains': ['Legal'],
  '--max-samples': ['1000'],
  '--splits': ['train'],
  '--subsets': ['en-en'],
  '--profile': ['mteb-1'],
  '--kmeans': ['B'],
  '--results': [`${scratch}/other`],
  '--overwrite-strategy': ['always'],
  '--against': ['published'],
  '--merge': [recipe],
  '--plugin': ['examples/plugins/merge-method.ts'],
  '--layers': ['0'],
  '--representation': ['h0'],
  '--plot': ['picture.gif'],
  '--background': ['dark'],
  '--pooling': ['cls'],
  '--final-norm': ['always'],
  '--max-length': ['8'],
  '--prompt': ['query: '],
  '--prompt-name': ['nobody'],
  '--adapter': ['nobody'],
  '--architecture': ['nothing'],
  '--batch-tokens': ['64'],
  '--threads': ['1'],
  '--device': ['webgpu'],
  '--engine': ['openvino'],
  '--dtype': ['int8'],
  '--cache-dir': [`${scratch}/other-cache`],
  '--cache-limit': ['1G'],
  '--column': ['other'],
  '--task': ['STS12:test'],
  '--data-set': [one],
  '--rows': ['3'],
  '--sample-size': ['5'],
  '--trials': ['2'],
  '--seed': ['7'],
  '--transform': ['log'],
  '--random-seed': ['7'],
  '--out-shard-size': ['1M'],
  '--memory': ['2G'],
  '--overwrite': [],
  '--out': [`${scratch}/written`],
  '--as': ['onnx'],
  '--normalize': [],
  '--json': [],
  '--dry-run': [],
  '--repo-type': ['dataset'],
  '--revision': ['other'],
  '--include': ['*.json'],
  '--exclude': ['*.json'],
  '--token': ['hf_x'],
  '--context-corpus': ['words'],
})

/** What a command may list and nobody sees, with the reason. */
export const withoutEffect: Readonly<Record<string, string>> = {
  '--quiet': 'acts in main.ts, on what a command notes: usage.test.ts',
  '--debug': 'acts in main.ts, on what a failure prints: usage.test.ts',
  'push --dry-run': 'the hub stops before the plan is printed: push-processes.test.ts',
  'pull --dry-run': 'the hub stops before the plan is printed: pull.test.ts',
  'locales --layout': 'acts when the scores are there: locales.test.ts',
  'locales --write-models': 'acts when the scores are there: locales.test.ts',
  'serve --dry-run': 'without it a server runs: serve.test.ts',
  'board --dry-run': 'without it a server runs: serve-board.test.ts',
  'push --json': 'the hub stops before anything is printed',
  'pull --json': 'the hub stops before anything is printed',
  'push --token': 'a secret, which the settings of the hub hold back: hub-options.ts',
  'pull --token': 'a secret, which the settings of the hub hold back: hub-options.ts',
  'harness --batch_size':
    'acts on servers alone; taken for checkpoints, because every command line of the reference has it',
}

/** The line of a flag: undefined where the table says nothing of it. */
export function everyFlag(command: string, long: string, places: Places): Line | undefined {
  const known = { ...measuring(places), ...making(places) }[command]
  const flag = known?.flags?.[long] ?? usual(places)[long]
  return known === undefined || flag === undefined
    ? undefined
    : { words: known.on?.[long] ?? known.at, flag: [long, ...flag] }
}

/**
 * Command lines of the field's other programs, in the words of this one: `strata` followed by such a line is answered
 * with the line that does the same.
 */
import { basename } from 'node:path'
import { fault } from '#core'
import type { Flag } from '../spec/flag.ts'
import { wordsHere } from './other-names.ts'

export interface LineHere {
  /** Complete, to be copied. */
  readonly line: string
  /** What has no place in it, and why. */
  readonly notes: readonly string[]
}

type Given = ReadonlyMap<string, readonly string[]>

type OtherProgram =
  /**
   * Its flags are those of a command under other names. `drop`: words in front of them; `add`: what it does without
   * being asked.
   */
  | {
      readonly command: string
      readonly drop?: readonly string[]
      readonly add?: (given: Given) => readonly string[]
    }
  /** Anything else; `first`: the values in front of the flags. */
  | { readonly lines: (given: Given, first: readonly string[]) => LineHere }

const said = (line: string, ...notes: string[]): OtherProgram => ({ lines: () => ({ line, notes }) })
const nothing = said('strata doctor', 'nothing is to be set up or installed for it; this checks the machine')
const merges = 'docs/recipes/merge-and-evaluate.md shows the file'

/** By the name of the program, without `.py` and `.sh`. */
const programs: Readonly<Record<string, OtherProgram>> = {
  // layer aggregation
  run_mteb_eval: { command: 'aggregate', add: allTasks },
  run_full_pipeline: { command: 'aggregate', add: allTasks },
  run_aggregation_experiments: { command: 'aggregate', add: allTasks },
  run_grid_search: { command: 'similarity', add: (given) => ['--grid', ...fourMetrics(given)] },
  run_pipeline: { command: 'similarity', add: fourMetrics },
  pip: nothing,
  // search over checkpoints
  'mteb-layersweep': { command: 'run' },
  // merges and the harness
  setup: nothing,
  script: said('strata run merge.yaml', merges),
  merge_only: said('strata merge recipe.yml ./merged', merges, 'strata push org/name ./merged uploads it'),
  evaluation_only: said('strata run evaluate.yaml', `a file with models, harness and probes; ${merges}`),
  'eval-harness': said(
    'strata harness --model hf --model_args pretrained=org/name --tasks gsm8k --output_path results',
  ),
  organize_harness: said('strata results import harness_results', 'then strata report and strata correlate read them'),
  'mergekit-yaml': { command: 'merge' },
  lm_eval: { command: 'harness' },
  'lm-eval': { command: 'harness' },
  mteb: { command: 'evaluate', drop: ['run'] },
  // classifiers of many locales
  run_large_scale_experiment: { lines: localeStudy },
  aggregate_results: {
    lines: (given) => {
      const [format, prefix] = ['--format', '--output-prefix'].map((flag) => given.get(flag)?.[0])
      return {
        line: [
          'strata locales aggregate results',
          ...(given.has('--show-missing') ? ['--show-missing'] : []),
          ...(format === undefined ? [] : ['--format', format]),
          ...(prefix === undefined ? [] : ['--output-prefix', prefix]),
        ].join(' '),
        notes: [],
      }
    },
  },
  run_merging_pipeline: {
    lines: (given) => {
      const name = `${one(given, '--mode', 'average')}_merge_${one(given, '--target-lang', 'sq-AL')}`
      return {
        line: `strata merge ${name}.yml merged_models/${name}`,
        notes: ['docs/coming-from.md shows such a recipe'],
      }
    },
  },
  evaluate_specific_model: { lines: evaluation },
  // static embeddings
  run_mteb_full: { lines: () => staticEvaluation(new Map([['--mode', ['full']]])) },
  run_mteb_quick: { lines: () => staticEvaluation(new Map()) },
  mteb_evaluation: { lines: staticEvaluation },
  quick_eval_qwen25_1024d: said(
    'strata evaluate ./model --tasks "Contrast*"',
    'the six parts, each with negatives; docs/task-files.md shows a list of your own',
  ),
}

/** Types alone would mean those tasks of every language. */
function allTasks(given: Given): readonly string[] {
  return ['--tasks', '--all-mteb-tasks'].some((flag) => given.has(flag)) ? [] : ['--tasks', 'all']
}

function fourMetrics(given: Given): readonly string[] {
  return given.has('--metrics') ? [] : ['--metrics', 'cka', 'rsa', 'jaccard', 'distance_correlation']
}

/** Its models are no longer on the hub: they are named as folders. */
function localeStudy(given: Given): LineHere {
  const [from] = given.get('--start-from') ?? []
  const isPlace = from !== undefined && /^\d+$/.test(from)
  const words = [...given].flatMap(([flag, values]) => {
    if (flag === '--locales') return [flag, values.join(',')]
    return flag === '--start-from' && isPlace ? [] : [flag, ...values]
  })
  return {
    line: ['strata locales --models ./k', ...words].join(' '),
    notes: [
      './k has a folder for every locale; a pattern such as ./k/{locale} does as well',
      ...(isPlace
        ? ['--start-from: finished jobs are kept, and only the others run; a name such as ja-JP is taken']
        : []),
    ],
  }
}

/** Its lists of tasks are presets; it asks for English alone. */
function staticEvaluation(given: Given): LineHere {
  const mode = one(given, '--mode', 'quick')
  const tasks = mode === 'custom' ? (given.get('--tasks') ?? []).join(',') : mode
  const [model, output] = [one(given, '--model', './model'), given.get('--output')?.[0]]
  return {
    line: [
      `strata evaluate ${model} --tasks ${tasks === '' ? 'STSBenchmark' : tasks}`,
      ...(mode === 'quick' ? [] : ['--languages eng']),
      ...(output === undefined ? [] : [`--results ${output}`]),
    ].join(' '),
    notes: ['its own results: strata results import mteb_results --models org/name'],
  }
}

/** A repository with one model per folder is downloaded first: a reference names a whole repository. */
function evaluation(given: Given): LineHere {
  const [base, inner, locale] = [
    one(given, '--base-model', './model'),
    one(given, '--model-dir', ''),
    one(given, '--locale', 'en-US'),
  ]
  const prefix = one(given, '--prefix', basename(base))
  const copy = `./${basename(base)}`
  const model = inner === '' ? base : `${copy}/${inner}`
  return {
    line: `strata evaluate ${model} --tasks MASSIVEIntent --subsets ${locale} --results results/${prefix}_${locale}`,
    notes: inner === '' ? [] : [`first: strata pull ${base} ${copy} --include "${inner}/*"`],
  }
}

function one(given: Given, flag: string, otherwise: string): string {
  return given.get(flag)?.[0] ?? otherwise
}

/** Programs in front of a program. */
const starters = ['python', 'python3', 'uv', 'bash', 'sh']

/**
 * Throws `usage.value` with the line of this program, for the line of another one: `python scripts/run_mteb_eval.py …`.
 * `loadFlags`: of a command.
 */
export async function refuseOtherLine(
  words: readonly string[],
  loadFlags: (command: string) => Promise<readonly Flag[]>,
): Promise<void> {
  const [first = '', second] = words
  const starting = first === 'uv' && second === 'run' ? 2 : 1
  const from = starters.includes(first) ? starting : 0
  const script = words[from] ?? ''
  if (from > 0 && script === '-c') return refuse('mteb', pythonLine(words[from + 1] ?? ''))
  const name = basename(script).replace(/\.(?:py|sh)$/, '')
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (program === undefined) return
  const rest = words.slice(from + 1)
  if ('lines' in program) {
    const { first, given } = flagsIn(rest)
    return refuse(name, program.lines(given, first))
  }
  const own = program.drop?.includes(rest[0] ?? '') === true ? rest.slice(1) : rest
  const added = program.add?.(flagsIn(own).given) ?? []
  refuse(name, lineHere(program.command, [...own, ...added], await loadFlags(program.command)))
}

function refuse(name: string, here: LineHere | undefined): never {
  throw fault('usage.value', {
    place: name,
    what: 'is another program',
    hint: here === undefined ? 'docs/coming-from.md names the commands here' : [here.line, ...here.notes].join('\n'),
  })
}

/** A task that is looked at in Python. */
function pythonLine(code: string): LineHere {
  const [, task = 'STSBenchmark'] = /get_task\(\s*['"]([\w.-]+)['"]/.exec(code) ?? []
  return { line: `strata tasks ${task}`, notes: [`strata tasks ${task} --rows shows its rows`] }
}

/** The line of `command` that says what these words say; undefined where a flag is unknown in either program. */
export function lineHere(command: string, words: readonly string[], flags: readonly Flag[]): LineHere | undefined {
  const takes = new Map(
    flags.flatMap((flag) =>
      [flag.flags, ...Object.keys(flag.formerly ?? {})]
        .flatMap((notation) => notation.split(/[ ,]+/).filter((part) => part.startsWith('-')))
        .map((name) => [name, flag] as const),
    ),
  )
  const { first, given } = flagsIn(words)
  const [args, out, notes]: [string[], string[], string[]] = [[...first], [], []]
  for (const [name, values] of given) {
    const flag = takes.get(name)
    if (flag !== undefined) {
      const isSwitch = !/[<[]/.test(flag.flags)
      if (flag.repeated === true) out.push(...values.flatMap((value) => [name, value]))
      else out.push(name, ...(isSwitch || values.length === 0 ? [] : [values.join(',')]))
      if (isSwitch) args.push(...values)
      continue
    }
    const here =
      given.has('--similarity-matrix') && name === '--similarity-type'
        ? matrixSays
        : wordsHere(name, values, [...takes.keys()])
    if (here === undefined) return undefined
    ;(here.isArgument ? args : out).push(...here.words)
    if (here.note !== undefined) notes.push(here.note)
  }
  return { line: ['strata', command, ...args, ...out].map(quoted).join(' '), notes }
}

const matrixSays = {
  words: [],
  isArgument: false,
  note: '--similarity-type: the matrix says which; FILE#CKA names one of several',
}

/** Flags with the values up to the next flag, as Python's argparse reads them. */
function flagsIn(words: readonly string[]): { readonly first: readonly string[]; readonly given: Given } {
  const [first, given]: [string[], Map<string, string[]>] = [[], new Map()]
  let into = first
  for (const word of words) {
    const [, name, value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined) into.push(word)
    else {
      into = given.get(name) ?? []
      if (value !== undefined) into.push(value)
      given.set(name, into)
    }
  }
  return { first, given }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./#-]+$/.test(word) ? word : `"${word.replaceAll(/(["\\$`])/g, '\\$1')}"`
}

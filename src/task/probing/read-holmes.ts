/**
 * Holmes's own folders, `<data set>/samples.csv` with a `config-none.yaml` next to it, as they are (Waldis et al. 2024;
 * Holmes-Benchmark/holmes-evaluation).
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { isObject, parseYaml } from '#files/formats'
import { readColumns } from '#files/tables'
import { type Literal, literalEval, PythonLiteralError } from '#platform/python'
import {
  type ProbeDataSet,
  type ProbeInput,
  type ProbeInstance,
  type ProbeSplit,
  type TaskType,
  taskTypes,
} from './data-set.ts'

const samples = 'samples.csv'

/** Names of the data sets below a folder, or of the one that it is. Throws `file.missing` where there is none. */
export async function holmesFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw fault('file.missing', { place: folder, what: 'the folder cannot be read', cause })
  })
  if (entries.some(({ name }) => name === samples)) return [folder]
  const found: string[] = []
  for (const { name } of entries) {
    const inside: string[] = await readdir(join(folder, name)).catch(() => [])
    if (inside.includes(samples)) found.push(join(folder, name))
  }
  if (found.length === 0)
    throw fault('file.missing', {
      place: folder,
      what: `no ${samples} in it or in a folder below`,
      hint: 'the folder data/holmes of holmes-evaluation',
    })
  return found.sort((a, b) => (a < b ? -1 : 1))
}

interface HolmesConfig {
  readonly name: string
  readonly taskType: TaskType
  readonly classes: number
  readonly inputs: number | undefined
}

/** Throws `table.*`, `task.label`, `task.value`, `config.value` for a folder that does not say what its probe is. */
export async function readHolmesFolder(folder: string): Promise<ProbeDataSet> {
  const config = await readConfig(folder)
  const path = join(folder, samples)
  const { columns, rows } = await readColumns([path], {
    columns: ['inputs', 'label', 'set-0'],
    optional: ['id', 'context'],
    place: config.name,
  })
  const instances: (ProbeInstance & { readonly order: number })[] = []
  for (let row = 0; row < rows; row++) {
    const cell = (name: string): string => {
      const value = columns[name]?.[row]
      return typeof value === 'string' ? value : ''
    }
    const place = `${path} › row ${row + 1}`
    const id = cell('id') === '' ? String(row) : cell('id')
    const context = cell('context')
    instances.push({
      id,
      order: Number(id),
      inputs: inputsOf(literalOf(cell('inputs'), place), config, place),
      contexts: context === '' || context === 'nan' ? [] : textsOf(literalOf(context, place), place),
      label: labelOf(cell('label'), config, place),
      split: splitOf(cell('set-0'), place),
    })
  }
  // as the original: by id, which decides what the first rows are that a description length begins with
  if (instances.every(({ order }) => Number.isFinite(order))) instances.sort((a, b) => a.order - b.order)
  for (const { inputs, contexts, id } of instances) checkSpans(inputs, contexts, `${path} › id ${id}`)
  return { name: config.name, taskType: config.taskType, classes: config.classes, labels: [], instances }
}

async function readConfig(folder: string): Promise<HolmesConfig> {
  const files = (await readdir(folder))
    .filter((name) => /^config-.*\.ya?ml$/.test(name))
    .sort((a, b) => Number(b.includes('none')) - Number(a.includes('none')) || (a < b ? -1 : 1))
  const [file] = files
  if (file === undefined) throw fault('file.missing', { place: folder, what: 'no config-*.yaml next to the samples' })
  const path = join(folder, file)
  const config = parseYaml(await readFile(path, 'utf8'), path)
  if (!isObject(config)) throw fault('config.value', { place: path, what: 'not a mapping', seen: config })
  const taskType = taskTypes.find((name) => name === String(config['probe_task_type']).replace(/^.*\./, ''))
  if (taskType === undefined)
    throw fault('config.value', {
      place: `${path} › probe_task_type`,
      what: 'not known',
      seen: config['probe_task_type'],
      wanted: taskTypes,
    })
  const classes = Number(config['num_labels'])
  if (!Number.isSafeInteger(classes) || classes < 1)
    throw fault('config.value', {
      place: `${path} › num_labels`,
      what: 'not a number of labels',
      seen: config['num_labels'],
    })
  const inputs = Number(config['num_inputs'])
  const named = typeof config['probe_name'] === 'string' ? config['probe_name'] : basename(folder)
  // the packaged configs carry the collection's name in front; the original's evaluation takes it off as well
  return {
    name: named.replace('flash-holmes-', '').replace('holmes-', ''),
    taskType,
    classes,
    inputs: Number.isSafeInteger(inputs) ? inputs : undefined,
  }
}

function literalOf(text: string, place: string): Literal {
  try {
    return literalEval(text)
  } catch (error) {
    if (!(error instanceof PythonLiteralError)) throw error
    const wanted = 'a Python tuple of strings and numbers'
    throw fault('table.read', { place, what: `not read as Python: ${error.message}`, seen: text.slice(0, 40), wanted })
  }
}

/** NaN for anything but a number. */
function numberOf(literal: Literal | undefined): number {
  if (typeof literal === 'number') return literal
  return isObject(literal) && literal['kind'] === 'float' ? Number(literal['value']) : NaN
}

function listOf(literal: Literal): readonly Literal[] {
  return Array.isArray(literal) ? (literal as readonly Literal[]) : [literal]
}

function inputsOf(literal: Literal, { taskType, inputs: wanted }: HolmesConfig, place: string): ProbeInput[] {
  const inputs = listOf(literal).map((input): ProbeInput => {
    if (typeof input === 'string') return { text: input }
    const [text, ...rest] = listOf(input)
    const [context = NaN, start = NaN, end = NaN, slot = NaN] = rest.map(numberOf)
    if (typeof text !== 'string' || ![context, start, end].every((value) => Number.isSafeInteger(value) && value >= 0))
      throw fault('table.read', {
        place: `${place} › inputs`,
        what: 'neither a text nor (text, context, start, end)',
        seen: input,
      })
    return {
      text,
      span: { context, start, end },
      ...(taskType === 'SENTENCE_SPANS' && !Number.isNaN(slot) ? { slot } : {}),
    }
  })
  const spans = taskType === 'SENTENCE_TOKENS' || taskType === 'SENTENCE_SPANS' || taskType.includes('PAIR_TOKENS')
  const wrong = inputs.find(({ span }) => (span !== undefined) !== spans)
  if (inputs.length === 0 || wrong !== undefined)
    throw fault('table.read', {
      place: `${place} › inputs`,
      what: `does not fit ${taskType}`,
      seen: wrong ?? literal,
      wanted: spans ? '(text, context, start, end)' : 'texts',
    })
  if (wanted !== undefined && taskType !== 'SENTENCE_SPANS' && inputs.length !== wanted)
    throw fault('table.read', {
      place: `${place} › inputs`,
      what: 'not as many as num_inputs',
      seen: inputs.length,
      wanted,
    })
  return inputs
}

function textsOf(literal: Literal, place: string): string[] {
  return listOf(literal).map((text) => {
    if (typeof text === 'string') return text
    throw fault('table.read', { place: `${place} › context`, what: 'not a text', seen: text })
  })
}

function labelOf(text: string, { classes }: HolmesConfig, place: string): number {
  const label = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(label))
    throw fault('task.label', { place: `${place} › label`, what: 'not a number', seen: text })
  if (classes > 1 && (!Number.isSafeInteger(label) || label < 0 || label >= classes))
    throw fault('task.label', {
      place: `${place} › label`,
      what: 'outside the classes',
      seen: label,
      wanted: `0 … ${classes - 1}`,
    })
  return label
}

function splitOf(text: string, place: string): ProbeSplit {
  if (text === 'train' || text === 'dev' || text === 'test') return text
  throw fault('task.split', {
    place: `${place} › set-0`,
    what: 'no such split',
    seen: text,
    wanted: ['train', 'dev', 'test'],
  })
}

/** Offsets count code points of a context that is there. */
function checkSpans(inputs: readonly ProbeInput[], contexts: readonly string[], place: string): void {
  for (const { span } of inputs) {
    if (span === undefined) continue
    const context = contexts[span.context]
    const length = context === undefined ? 0 : Array.from(context).length
    if (context === undefined || span.start >= span.end || span.end > length)
      throw fault('task.value', {
        place,
        what: 'a span that its context does not have',
        seen: span,
        wanted: context === undefined ? `${contexts.length} contexts` : `within 0 … ${length}`,
      })
  }
}

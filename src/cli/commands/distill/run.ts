/** `strata distill`: a model as a static table, or the plan of it. */
import { basename } from 'node:path'
import { decimals, fault, quantity } from '#core'
import { openTeacher } from '#experiment/open'
import { readCorpus } from '#experiment/encode'
import { type DistilTexts, openDistillation } from '#experiment/write'
import { readTexts } from '#files/tables'
import { type Model, statesOf } from '#model/checkpoint'
import { type Representation, representationsNamed, statesNamed } from '#representation/layers'
import type { CommandRun } from '../../spec/command.ts'
import { distilLines, sizeText, stepLine } from './distil-lines.ts'
import { column as columnFlag, rows as rowsFlag } from '../../flags/corpus.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { corpus as corpusFlag, corpusSteps, type Flags } from './flags.ts'

export const run: CommandRun<Flags> = async ([reference = ''], flags, terminal) => {
  if (flags.out === undefined && flags.dryRun !== true)
    throw fault('usage.value', {
      place: 'strata distill',
      what: 'no output folder is given',
      hint: `strata distill ${reference} --out ./static, or --dry-run for the plan`,
    })
  const words = flags.vocabulary === undefined ? [] : await readWords(flags.vocabulary)
  const remove = flags.removePattern === 'none' ? 'none' : readPattern(flags.removePattern)
  const corpus = await readTextsOf(flags)
  const call = { signal: terminal.signal, onProgress: terminal.progress }
  const { batchTokens, threads, device } = flags
  const teacher = await openTeacher(reference, {
    batchTokens,
    threads,
    device,
    onNotice: (text) => terminal.note(text),
    ...call,
  })
  try {
    const distillation = await openDistillation(teacher, {
      representation: await findRepresentation(flags.layers, teacher.model),
      pooling: flags.pooling,
      dims: flags.pcaDims,
      sif: flags.sif,
      dtype: flags.dtype,
      clusters: flags.vocabularyQuantization,
      remove,
      words,
      corpus,
      corpusSteps: flags.corpusSteps,
      instruction: flags.instruction,
      overwrite: flags.overwrite,
      ...call,
    })
    const { plan } = distillation
    if (flags.dryRun === true) {
      if (flags.json === true) terminal.print(JSON.stringify(plan))
      else for (const line of distilLines(plan)) terminal.print(line)
      return 0
    }
    if (flags.json !== true) for (const line of distilLines(plan)) terminal.note(line)
    const written = await distillation.write(flags.out ?? '')
    if (flags.json === true) {
      terminal.print(JSON.stringify(written))
      return 0
    }
    for (const step of written.steps) terminal.note(stepLine(step))
    for (const note of written.notes.slice(plan.notes.length)) terminal.note(note)
    const share = written.explained === null ? '' : `, ${decimals(100 * written.explained, 1)} % of the variance`
    terminal.print(
      `${quantity(written.tokens, 'token')} × ${written.width}${share}, ${sizeText(written.bytes)} in ${written.dtype} (the model: ${sizeText(written.modelBytes)}) → ${written.folder}`,
    )
    return 0
  } finally {
    await teacher.model.close()
  }
}

/** An index, `h4`, or anything else that names one representation. */
async function findRepresentation(name: string, model: Model): Promise<Representation> {
  const { count } = statesOf(model)
  if (/^-?\d+$/.test(name)) {
    const [h = count - 1] = statesNamed(name, count)
    // the last one as transformers returns it, final norm and all
    return h === count - 1 ? { kind: 'default' } : { kind: 'state', h }
  }
  const named = name.includes(',') ? [] : await representationsNamed([name], model)
  const [first, ...more] = named
  if (first !== undefined && more.length === 0) return first
  throw fault('usage.value', {
    place: '--layers',
    what: 'one state or representation is distilled at a time',
    seen: name,
    wanted: '4, -1, h4 or a representation file',
  })
}

/** The corpus; the flags that say how it is read and used have no effect without it. */
async function readTextsOf(flags: Flags): Promise<DistilTexts | undefined> {
  refuseWithout(flags, corpusFlag, [corpusSteps, columnFlag, rowsFlag])
  const { corpus: path, column, rows: most } = flags
  if (path === undefined) return undefined
  return readCorpus(basename(path), readTexts({ kind: 'file', path, column }), { most })
}

/** A word, or words, far beyond any that a text could hold is a file of another kind. */
const longestWord = 1000

async function readWords(path: string): Promise<string[]> {
  const words: string[] = []
  for await (const rows of readTexts({ kind: 'file', path, format: 'txt' }))
    for (const { text, id } of rows) {
      if (text.length > longestWord)
        throw fault('usage.value', {
          place: `${path}, line ${Number(id) + 1}`,
          what: 'not a word',
          seen: `${text.length} characters`,
          wanted: `one word per line, ${longestWord} characters at most`,
        })
      words.push(text)
    }
  if (words.every((word) => word.trim() === ''))
    throw fault('usage.value', { place: path, what: 'the vocabulary holds no word', wanted: 'one word per line' })
  return words
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u')
  } catch (cause) {
    throw fault('usage.value', { place: '--remove-pattern', what: 'must be a regular expression', seen: text, cause })
  }
}

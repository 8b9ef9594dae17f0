/**
 * Sentences of a UD treebank: `*-{train,dev,test}.conllu`, or tables of the same fields (`train.jsonl`,
 * `validation.jsonl` …). https://universaldependencies.org/format.html
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fault } from '#core'
import { readColumns } from '#files/tables'
import type { ProbeSplit } from './data-set.ts'

export interface TreebankWord {
  readonly form: string
  readonly upos: string
  readonly xpos: string
  /** 1-based; 0 is the root. */
  readonly head: number
  readonly relation: string
}

export interface Sentence {
  readonly id: string
  readonly text: string
  readonly words: readonly TreebankWord[]
}

const file = /(?:^|[-_.])(train|dev|validation|test)(?:[-_][^.]*)?\.(conllu|jsonl|parquet)(\.gz|\.zst)?$/

export async function readTreebank(folder: string): Promise<Record<ProbeSplit, Sentence[]>> {
  const files = await treebankFiles(folder)
  const found: Record<ProbeSplit, Sentence[]> = { train: [], dev: [], test: [] }
  for (const { split, path, format } of files)
    found[split].push(...(format === 'conllu' ? await conlluSentences(path) : await tableSentences(path)))
  refuseLacking(folder, found, files)
  return found
}

interface TreebankFile {
  readonly split: ProbeSplit
  readonly path: string
  readonly format: string | undefined
}

/** Files of a treebank, none of them read. Throws `file.missing` for a folder without one of each split. */
export async function treebankFiles(folder: string): Promise<readonly TreebankFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fault('file.missing', { place: folder, what: 'the folder cannot be read', cause })
  })
  const files: TreebankFile[] = []
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    const [, part, format] = file.exec(name) ?? []
    if (part === undefined) continue
    const split = part === 'validation' ? 'dev' : (part as ProbeSplit)
    files.push({ split, path: join(folder, name), format })
  }
  const of = (split: ProbeSplit): readonly unknown[] => files.filter((one) => one.split === split)
  refuseLacking(folder, { train: of('train'), dev: of('dev'), test: of('test') }, files)
  return files
}

function refuseLacking(
  folder: string,
  found: Readonly<Record<ProbeSplit, readonly unknown[]>>,
  files: readonly TreebankFile[],
): void {
  const lacking = (Object.keys(found) as ProbeSplit[]).filter((split) => found[split].length === 0)
  if (lacking.length > 0)
    throw fault('file.missing', {
      place: folder,
      what: `no sentences for ${lacking.join(', ')}`,
      seen: files.slice(0, 8).map(({ path }) => basename(path)),
      wanted: '*-train.conllu, *-dev.conllu, *-test.conllu',
    })
}

async function conlluSentences(path: string): Promise<Sentence[]> {
  const bytes = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split(/\r?\n\r?\n/).flatMap((block, index) => {
    const lines = block.split(/\r?\n/)
    const comment = (key: string): string | undefined =>
      lines
        .find((line) => line.startsWith(`# ${key} =`))
        ?.slice(key.length + 4)
        .trim()
    const words = lines.flatMap((line, at): TreebankWord[] => {
      // 3-4 are words written as one, 8.1 is a word that is not written
      if (!/^\d+\t/.test(line)) return []
      const [, form, , upos, xpos, , head, relation] = line.split('\t')
      return [
        checked({ form, upos, xpos, head: Number(head), relation }, `${path} › sentence ${index + 1} › line ${at + 1}`),
      ]
    })
    return words.length === 0
      ? []
      : [
          {
            id: comment('sent_id') ?? String(index),
            text: comment('text') ?? words.map(({ form }) => form).join(' '),
            words,
          },
        ]
  })
}

const lists = ['tokens', 'upos', 'xpos', 'head', 'deprel'] as const

async function tableSentences(path: string): Promise<Sentence[]> {
  const { columns, rows } = await readColumns([path], {
    columns: ['text', ...lists],
    optional: ['sent_id'],
    place: path,
  })
  return Array.from({ length: rows }, (_, row) => {
    const place = `${path} › row ${row + 1}`
    const values = lists.map((name) => {
      const value = columns[name]?.[row]
      return Array.isArray(value) ? (value as unknown[]) : []
    })
    const [forms = [], upos = [], xpos = [], heads = [], relations = []] = values
    if (values.some(({ length }) => length !== forms.length))
      throw fault('table.read', { place, what: 'lists of different lengths', seen: values.map(({ length }) => length) })
    const words = forms.map((form, i) =>
      checked({ form, upos: upos[i], xpos: xpos[i], head: Number(heads[i]), relation: relations[i] }, place),
    )
    const [id, text] = [columns['sent_id']?.[row], columns['text']?.[row]]
    return { id: typeof id === 'string' ? id : String(row), text: typeof text === 'string' ? text : '', words }
  })
}

function checked(word: { readonly [field in keyof TreebankWord]: unknown }, place: string): TreebankWord {
  const { form, upos, xpos, head, relation } = word
  if (
    ![form, upos, xpos, relation].every((value) => typeof value === 'string') ||
    !Number.isSafeInteger(head) ||
    Number(head) < 0
  )
    throw fault('table.read', { place, what: 'not a word of a treebank', seen: word })
  return word as TreebankWord
}

/** Results in the forms of other programs: the table of forms, and their files on disk. */
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fault } from '#core'
import { writeWhole } from '#platform/disk'
import { type Listed, metaFile } from '#result/ledger'
import { evalResults } from './eval-results.ts'
import type { ExportedFile, FinishedResult, FormatContext, ResultFormat } from './exported.ts'
import { mlflow } from './mlflow.ts'
import { modelIndex } from './model-index.ts'
import { mtebRepo } from './mteb-repo.ts'
import { tensorboard } from './tensorboard.ts'

/** A form is one file in this room and one line here. */
const formats = {
  'eval-results': evalResults,
  'model-index': modelIndex,
  'mteb-repo': mtebRepo,
  mlflow,
  tensorboard,
} as const satisfies Record<string, ResultFormat>

export type ResultFormatName = keyof typeof formats

export interface ExportOptions extends Pick<FormatContext, 'taskFacts'> {
  as: ResultFormatName
  /** Output folder, for forms that contain its address. */
  out: string
}

/**
 * The files of finished results in one form, not yet written; failures and files that are not results are left out.
 * Throws `file.missing` where nothing remains, `usage.value` where a form describes one model and the results are of
 * several.
 */
export async function exportedFiles(
  listed: readonly Listed[],
  { as, out, taskFacts }: ExportOptions,
): Promise<ExportedFile[]> {
  const format: ResultFormat = formats[as]
  const results = await finished(listed)
  const place = `--as ${as}`
  if (results.length === 0) throw fault('file.missing', { place, what: 'no finished result passes the filters' })
  if (format.isOfOneModel) checkOne(results, place)
  const address = pathToFileURL(resolve(out)).href.replace(/\/$/, '')
  const files = format.files(results, { taskFacts, address })
  if (files.length === 0) throw fault('file.missing', { place, what: 'no task has a data set on the hub' })
  return files
}

/** Throws `usage.value` with what there is to choose from. */
function checkOne(results: readonly FinishedResult[], place: string): void {
  const views = [
    ...new Set(results.map(({ model, revision, representation }) => `${model}@${revision} ${representation}`)),
  ]
  if (views.length === 1) return
  const flags = (['model', 'revision', 'representation'] as const)
    .filter((part) => new Set(results.map((one) => one[part])).size > 1)
    .map((part) => ({ model: '--models', revision: '--revision', representation: '--representation' })[part])
  throw fault('usage.value', {
    place,
    what: 'the results belong to several models, revisions or representations, and the files describe one',
    seen: views.slice(0, 5),
    hint: `choose one with ${flags.join(' and ')}`,
  })
}

async function finished(listed: readonly Listed[]): Promise<FinishedResult[]> {
  const metas = new Map<string, Promise<string | undefined>>()
  const metaOf = (path: string): Promise<string | undefined> => {
    const place = join(dirname(path), metaFile)
    const found = metas.get(place) ?? readFile(place, 'utf8').catch(() => undefined)
    metas.set(place, found)
    return found
  }
  const results: FinishedResult[] = []
  for (const { result, path, model, revision, representation, task } of listed)
    if (result !== undefined && result.strata?.status !== 'failed')
      results.push({ model, revision, representation, task, result, meta: await metaOf(path) })
  return results
}

/** Files of the same names are replaced, others stay. Throws `file.write`. */
export async function writeExported(out: string, files: readonly ExportedFile[]): Promise<void> {
  for (const { path, content } of files) await writeWhole(join(out, path), content, { folders: true })
}

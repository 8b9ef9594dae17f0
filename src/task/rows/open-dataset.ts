/** A data set at a revision – or, where its files cannot be read, as the hub has converted it. */
import { Fault, fault, type RepoFiles } from '#core'
import { exportLayout, holdsRowFiles, readLayout } from './dataset-layout.ts'
import type { Dataset, OpenDataset } from './opened-dataset.ts'

/** The branch to which the hub converts data sets that it can read. */
export const parquetBranch = 'refs/convert/parquet'

/**
 * Throws hub faults, `format.yaml`, `task.split`, and `task.unsupported` when there is nothing but a script or files of
 * other kinds.
 */
export async function openDatasetAt(
  open: OpenDataset,
  path: string,
  revision: string,
  place: string,
): Promise<Dataset> {
  const files = await open(path, revision)
  const layout =
    files.layout ?? (revision === parquetBranch ? exportLayout(await files.list()) : await readLayout(files))
  const script = files.layout === undefined && !layout.declared ? await scriptOf(files, path) : undefined
  if (files.layout !== undefined || (script === undefined && holdsRowFiles(layout)))
    return { files, layout, revision: files.revision ?? revision, place }
  const converted = await open(path, parquetBranch).catch((error: unknown) => {
    if (error instanceof Fault && ['hub.missing', 'hub.offline', 'file.missing'].includes(error.code)) return undefined
    throw error
  })
  const exported = converted && exportLayout(await converted.list())
  if (converted === undefined || exported === undefined || !holdsRowFiles(exported))
    throw await unreadable(files, { path, place, script })
  return { files: converted, layout: exported, revision: converted.revision ?? parquetBranch, place }
}

/** A script with the data set's name makes the rows from the other files: files next to it are not rows. */
async function scriptOf(files: RepoFiles, path: string): Promise<string | undefined> {
  const name = `${path.slice(path.lastIndexOf('/') + 1)}.py`
  return (await files.list()).includes(name) ? name : undefined
}

async function unreadable(
  files: RepoFiles,
  { path, place, script }: { path: string; place: string; script: string | undefined },
): Promise<Fault> {
  const paths = await files.list()
  return fault('task.unsupported', {
    place,
    what:
      script === undefined
        ? 'the data set has no file that rows can be read from'
        : 'the rows of the data set come out of a Python script, which is not run',
    seen: script ?? paths.filter((file) => !file.startsWith('.')).slice(0, 10),
    wanted: 'jsonl, json, csv, tsv, parquet, or zip archives of them',
    hint: `fetch the hub's own conversion: hf download --repo-type dataset --revision ${parquetBranch} ${path}; or convert the data and use --task-file`,
  })
}

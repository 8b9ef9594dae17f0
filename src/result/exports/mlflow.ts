/**
 * MLflow's file store (`mlflow.store.tracking.file_store`, MLflow 3.17): experiment 0 with one finished run per model,
 * revision and representation. Metrics: `<Task>/main_score` over all parts, `<Task>/<split>/<subset>/<metric>` of each.
 * MLflow opens it where MLFLOW_ALLOW_FILE_STORE is true, and `mlflow migrate-filestore` brings it into a database.
 */
import { fingerprint } from '#core'
import { yamlText } from '#files/formats'
import { scoreMeans } from '#result/ledger'
import { type ExportedFile, type FinishedResult, inGroups, type ResultFormat } from './exported.ts'

export const mlflow: ResultFormat = {
  isOfOneModel: false,
  files: (results, { address }) => {
    const runs = inGroups(results, ({ model, revision, representation }) =>
      JSON.stringify([model, revision, representation]),
    )
    const times = results.map(milliseconds)
    const experiment = {
      artifact_location: `${address}/0`,
      creation_time: Math.min(...times),
      experiment_id: '0',
      last_update_time: Math.max(...times),
      lifecycle_stage: 'active',
      name: 'Default',
    }
    return [
      { path: '0/meta.yaml', content: yamlText(experiment) },
      ...[...runs.values()].flatMap((run) => runFiles(run, address)),
    ]
  },
}

function runFiles(run: readonly FinishedResult[], address: string): ExportedFile[] {
  const [first] = run
  if (first === undefined) return []
  const { model, revision, representation } = first
  const id = fingerprint([model, revision, representation]).slice(0, 32)
  const name = representation === 'default' ? model : `${model} ${representation}`
  const times = run.map(milliseconds)
  const meta = {
    artifact_uri: `${address}/0/${id}/artifacts`,
    end_time: Math.max(...times),
    entry_point_name: '',
    experiment_id: '0',
    lifecycle_stage: 'active',
    run_id: id,
    run_name: name,
    run_uuid: id,
    source_name: '',
    // SourceType.LOCAL and RunStatus.FINISHED of mlflow's protocol
    source_type: 4,
    source_version: '',
    start_time: Math.min(...times),
    status: 3,
    tags: [],
    user_id: 'strata',
  }
  const folder = `0/${id}`
  const texts = (kind: string, values: Readonly<Record<string, unknown>>): ExportedFile[] =>
    Object.entries(values).map(([key, value]) => ({
      path: `${folder}/${kind}/${storeName(key)}`,
      content: typeof value === 'string' ? value : JSON.stringify(value),
    }))
  return [
    { path: `${folder}/meta.yaml`, content: yamlText(meta) },
    ...texts('params', { model, revision, representation, ...commonSettings(run) }),
    ...texts('tags', { 'mlflow.runName': name, 'mlflow.source.name': 'strata', 'mlflow.user': 'strata' }),
    ...run.flatMap((one) => metricFiles(one, folder)),
  ]
}

/** Settings that all results of a run have: others are a task's own. */
function commonSettings([first, ...others]: readonly FinishedResult[]): Record<string, unknown> {
  const settings = Object.entries(first?.result.strata?.settings ?? {})
  const isShared = ([key, value]: readonly [string, unknown]): boolean =>
    others.every(({ result }) => JSON.stringify(result.strata?.settings?.[key]) === JSON.stringify(value))
  return Object.fromEntries(settings.filter(isShared))
}

/** One line per metric: time in milliseconds, value, step. */
function metricFiles(one: FinishedResult, folder: string): ExportedFile[] {
  const { task, result } = one
  const whole = scoreMeans(result.scores ?? {}).all
  const values: readonly (readonly [readonly string[], number])[] = [
    ...(whole === null ? [] : [[[task, 'main_score'], whole] as const]),
    ...Object.entries(result.scores ?? {}).flatMap(([split, parts]) =>
      parts.flatMap(({ hf_subset: subset, ...metrics }) =>
        Object.entries(metrics).flatMap(([metric, value]) =>
          typeof value === 'number' ? [[[task, split, subset, metric], value] as const] : [],
        ),
      ),
    ),
  ]
  return values.map(([key, value]) => ({
    path: `${folder}/metrics/${key.map(storeName).join('/')}`,
    content: `${milliseconds(one)} ${value} 0\n`,
  }))
}

/** A name that MLflow takes: letters, digits, `_`, `-`, `.` and spaces; never one of a folder above. */
function storeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_. -]/gu, '_').replace(/^\.+$/, '_')
}

function milliseconds({ result: { date } }: FinishedResult): number {
  return Math.round((date ?? 0) * 1000)
}

/** Slurm through its own programs: submit, query, cancel. The last submission is recorded next to the jobs. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { makeFolder, writeWhole } from '#platform/disk'

export interface Submitted {
  /** Id of the array. */
  readonly id: string
  readonly tasks: number
}

/** One task of the array. */
export interface Queued {
  readonly task: string
  /** `RUNNING`, `PENDING`, … */
  readonly state: string
  readonly node: string
  /** In squeue's notation. */
  readonly time: string
  readonly reason: string
}

const [scriptName, stateName] = ['slurm.sh', 'slurm.json'] as const

/**
 * Throws `usage.conflict` while an earlier array is still queued, `cluster.missing` without Slurm, `cluster.refused`
 * with Slurm's message.
 */
export async function submit(
  folder: string,
  script: string,
  { tasks, logs }: { tasks: number; logs: string },
): Promise<Submitted> {
  const earlier = await submitted(folder)
  if (earlier !== undefined && (await queue(earlier.id)).length > 0)
    throw fault('usage.conflict', {
      place: folder,
      what: `array ${earlier.id} is already running the jobs`,
      hint: 'wait for it, or cancel it with --cancel',
    })
  await makeFolder(logs)
  const path = join(folder, scriptName)
  await writeWhole(path, script)
  const [id = ''] = (await ask('sbatch', ['--parsable', path])).trim().split(';')
  await writeWhole(join(folder, stateName), `${JSON.stringify({ id, tasks })}\n`)
  return { id, tasks }
}

/** The last submission; undefined without one. */
export async function submitted(folder: string): Promise<Submitted | undefined> {
  const path = join(folder, stateName)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const value = text === undefined ? undefined : parseJson(text, path)
  return isObject(value) && typeof value['id'] === 'string' && typeof value['tasks'] === 'number'
    ? { id: value['id'], tasks: value['tasks'] }
    : undefined
}

/** Tasks of an array that are queued or running; none where Slurm no longer knows it. */
export async function queue(id: string): Promise<readonly Queued[]> {
  const text = await ask('squeue', ['--array', '--noheader', '--jobs', id, '--format', '%i|%T|%N|%M|%r']).catch(
    (error: unknown) => {
      if (error instanceof Error && /invalid job id/i.test(error.message)) return ''
      throw error
    },
  )
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [task = '', state = '', node = '', time = '', ...reason] = line.trim().split('|')
      return { task, state, node, time, reason: reason.join('|') }
    })
}

/** Stops its workers, which release their claims. Undefined where nothing was submitted. */
export async function cancel(folder: string): Promise<Submitted | undefined> {
  const found = await submitted(folder)
  if (found === undefined) return undefined
  await ask('scancel', [found.id])
  await rm(join(folder, stateName), { force: true })
  return found
}

function ask(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else if ('code' in error && error.code === 'ENOENT')
        reject(
          fault('cluster.missing', {
            place: program,
            what: 'Slurm is not installed here',
            hint: 'run on a node of the cluster, or without --on slurm',
          }),
        )
      else
        reject(
          fault('cluster.refused', {
            place: program,
            what: stderr.trim().replace(/^\w+: error: /, '') || error.message,
            seen: args.join(' '),
          }),
        )
    })
  })
}

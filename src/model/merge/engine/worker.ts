/**
 * Entry of a merge's worker thread: tensors one after another, read from the inputs' files, computed, written to their
 * places in the output; at last, files' hashes.
 */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { asFault, dtypeBytes, type FaultCode, type FaultParts } from '#core'
import { fileHash, threadFiles } from '#platform/disk'
import { importProgram } from '#platform/modules'
import { addMergeMethods, mergeMethodTable } from '#model/merge-methods'
import type { PlacedTensor } from '../plan/layout.ts'
import type { PlannedTensor } from '../plan/plan.ts'
import { fileReader, type OperandPlace } from './file-reader.ts'
import type { ReadOperand } from './read-operand.ts'
import { type Emit, mergeTensor, type RunPlan, type TensorOutcome } from './run-tensor.ts'
import { type SharedReader, sharedReader } from './shared-reader.ts'

/** What all tensors of one merge share. */
export interface WorkerShared {
  readonly plan: RunPlan
  /** Where the output's files are being written. */
  readonly folder: string
}

/** One tensor of one merge. */
export interface TensorJob {
  /** Position among the merges. */
  readonly merge: number
  readonly tensor: PlannedTensor
  /** Where each operand lies, the base first when there is one. */
  readonly places: readonly OperandPlace[]
  readonly target: PlacedTensor
  readonly blockElements: number
  readonly holdBytes: number
}

export type WorkerJob =
  /** Tensors of several merges that read the same operands; one alone otherwise. */
  | { readonly kind: 'tensors'; readonly tensors: readonly TensorJob[] }
  | { readonly kind: 'hash'; readonly path: string }

export interface WorkerAnswer {
  readonly finished?: readonly { readonly merge: number; readonly outcome: TensorOutcome }[]
  /** Hex SHA-256 of a whole file. */
  readonly sha256?: string
  /** The first failure; tensors that finished in spite of it count. */
  readonly problem?: { readonly code: FaultCode; readonly parts: FaultParts }
}

const merges = workerData as readonly WorkerShared[]
const files = threadFiles()
const plugged = addPlugins()

parentPort?.on('message', (job: WorkerJob | 'close') => {
  if (job === 'close') {
    files.close()
    parentPort?.close()
  } else void answer(job).then((reply) => parentPort?.postMessage(reply, []))
})

async function answer(job: WorkerJob): Promise<WorkerAnswer> {
  switch (job.kind) {
    case 'tensors':
      await plugged
      return merged(job.tensors)
    case 'hash':
      return fileHash(job.path).then(
        (sha256) => ({ sha256 }),
        (error: unknown) => ({ problem: problemOf(error, job.path) }),
      )
    default:
      return job satisfies never
  }
}

/** The table of methods is a thread's own. */
async function addPlugins(): Promise<void> {
  for (const { plan } of merges)
    if (plan.plugin !== undefined && mergeMethodTable.find(plan.method) === undefined)
      addMergeMethods(await importProgram(plan.plugin), plan.plugin)
}

async function merged(jobs: readonly TensorJob[]): Promise<WorkerAnswer> {
  const together =
    jobs.length < 2
      ? undefined
      : sharedReader(jobs.length, jobs[0]?.blockElements ?? 1, async (place, info, from, to) => {
          const size = dtypeBytes(info.dtype)
          return files.read(place.path, place.offset + from * size, (to - from) * size, info.name)
        })
  const outcomes = await Promise.allSettled(
    jobs.map(async (job, k) => one(job, readerOf(job, k, together)).finally(() => together?.ended(k))),
  )
  const finished = outcomes.flatMap((settled, k) =>
    settled.status === 'fulfilled' ? [{ merge: jobs[k]?.merge ?? 0, outcome: settled.value }] : [],
  )
  const failed = outcomes.findIndex(({ status }) => status === 'rejected')
  if (failed < 0) return { finished }
  return {
    finished,
    problem: problemOf((outcomes[failed] as PromiseRejectedResult).reason, jobs[failed]?.tensor.name ?? ''),
  }
}

/** Rows found by token are asked for in an order of their own: nobody can share them. */
function readerOf({ tensor, places }: TensorJob, consumer: number, together: SharedReader | undefined): ReadOperand {
  if (together !== undefined && !tensor.byToken) return together.reader(consumer, places)
  together?.ended(consumer)
  return fileReader(tensor, places, files)
}

async function one(
  { merge, tensor, target, blockElements, holdBytes }: TensorJob,
  read: ReadOperand,
): Promise<TensorOutcome> {
  const { plan, folder } = merges[merge]!
  const path = join(folder, target.file)
  const emit: Emit = async (bytes, offset) => files.write(path, bytes, target.offset + offset, target.file)
  return mergeTensor(plan, tensor, read, emit, { blockElements, holdBytes })
}

function problemOf(error: unknown, place: string): { code: FaultCode; parts: FaultParts } {
  const { code, parts } = asFault(error, 'file.write', place)
  return { code, parts: { ...parts, cause: undefined } }
}

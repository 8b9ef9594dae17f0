/** Entry of a merge's worker thread: tensors one after another, read from the inputs' files, computed, written to their places in the output. */
import { open, type FileHandle } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { asFault, type FaultCode, type FaultParts } from '../core/index.ts'
import type { PlacedTensor } from './layout.ts'
import type { PlannedTensor } from './plan.ts'
import { placedReader, type OperandPlace } from './placed-reader.ts'
import { mergeTensor, type RunPlan, type TensorOutcome } from './run-tensor.ts'
import { writeAt } from './write-at.ts'

export interface WorkerShared {
  readonly plan: RunPlan
  /** Where the output's files are being written. */
  readonly folder: string
}

export interface WorkerJob {
  readonly tensor: PlannedTensor
  /** Where each operand lies, the base first when there is one. */
  readonly places: readonly OperandPlace[]
  readonly target: PlacedTensor
  readonly blockElements: number
}

export type WorkerAnswer = { readonly outcome: TensorOutcome } | { readonly code: FaultCode; readonly parts: FaultParts }

const { plan, folder } = workerData as WorkerShared
const files = new Map<string, Promise<FileHandle>>()

parentPort?.on('message', (job: WorkerJob | 'close') => {
  if (job === 'close') void closeAll()
  else void answer(job).then((reply) => parentPort?.postMessage(reply, []))
})

async function answer({ tensor, places, target, blockElements }: WorkerJob): Promise<WorkerAnswer> {
  try {
    const read = placedReader(tensor, places, (path) => opened(path, 'r'))
    const file = await opened(`${folder}/${target.file}`, 'r+')
    return { outcome: await mergeTensor(plan, tensor, read, (bytes, offset) => writeAt(file, bytes, target.offset + offset, target.file), { blockElements }) }
  } catch (error) {
    const { code, parts } = asFault(error, 'file.write', tensor.name)
    return { code, parts: { ...parts, cause: undefined } }
  }
}

function opened(path: string, flags: 'r' | 'r+'): Promise<FileHandle> {
  const file = files.get(path) ?? open(path, flags)
  files.set(path, file)
  return file
}

async function closeAll(): Promise<void> {
  await Promise.allSettled([...files.values()].map(async (file) => (await file).close()))
  parentPort?.close()
}

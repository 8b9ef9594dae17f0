/** A plan's tensors onto the disk: files of their final size first, tensors into their places by worker threads, a journal of what is finished. */
import { createHash } from 'node:crypto'
import { appendFile, constants, mkdir, open, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { asFault, dtypeBytes, elementCount, fault, fingerprint, type OnProgress } from '../core/index.ts'
import type { MergeInput } from './align.ts'
import { startCrew } from './crew.ts'
import { inputStamp } from './input-files.ts'
import { layoutOf, type OutputLayout, type PlacedTensor } from './layout.ts'
import { mergeIdentity } from './merged-source.ts'
import { type MergeMethod } from './method.ts'
import { mergeMethods } from './methods/table.ts'
import { type MergePlan, operandsOf, type PlannedTensor } from './plan.ts'
import { readAt, type OperandPlace } from './placed-reader.ts'
import { rangeReader } from './range-reader.ts'
import { mergeTensor, type RunPlan, type TensorOutcome, usualBlock } from './run-tensor.ts'
import { visited } from './visits.ts'
import { writeAt } from './write-at.ts'

export interface WriteOptions {
  maxShardBytes?: number
  /** Worker threads; default: the cores there are. The result does not depend on it. */
  threads?: number
  /** Bound on the memory that blocks take, whatever the models' size. */
  memoryBytes?: number
  onProgress?: OnProgress
  signal?: AbortSignal
}

export interface WrittenTensors {
  readonly layout: OutputLayout
  readonly outcomes: readonly TensorOutcome[]
  /** Tensors found finished from a run before. */
  readonly resumed: number
  readonly identity: string
}

const defaultMemory = 2 ** 30
/** Node, the compiled program and the files' headers. */
const fixedMemory = 128 * 2 ** 20

/**
 * Writes the weights of a plan below `folder`, which may hold the journal of an earlier run of the same merge: what that run finished is checked by its hash and
 * kept. Throws `file.write` (no room is found out before the first byte), `tensor.value`, `run.cancelled`; after a fault the same call goes on where it stopped.
 */
export async function writeTensors(plan: MergePlan, inputs: readonly MergeInput[], folder: string, options: WriteOptions = {}): Promise<WrittenTensors> {
  const { maxShardBytes, threads = availableParallelism(), memoryBytes = defaultMemory, onProgress, signal } = options
  const layout = layoutOf(plan.tensors, maxShardBytes)
  // By the files' stamps: hashing the inputs would take longer than merging them.
  const identity = await mergeIdentity(plan, inputs, inputStamp)
  const journal = await openJournal(folder, layout, fingerprint({ identity, shards: layout.shards.map(({ file, byteLength }) => [file, byteLength]) }))
  const outcomes = new Map(journal.finished)
  const placed = new Map(layout.shards.flatMap(({ tensors }) => tensors.map((tensor) => [tensor.name, tensor] as const)))
  const open = plan.tensors.filter(({ name }) => !outcomes.has(name))
  let done = 0
  const total = open.reduce((sum, { name }) => sum + (placed.get(name)?.byteLength ?? 0), 0)
  const finished = async (outcome: TensorOutcome): Promise<void> => {
    outcomes.set(outcome.name, outcome)
    await journal.add(outcome)
    done += placed.get(outcome.name)?.byteLength ?? 0
    onProgress?.({ stage: 'merge', done, total, unit: 'bytes' })
  }
  const blockElements = (tensor: PlannedTensor): number => blockSize(tensor, threads, memoryBytes)
  const inFiles = open.flatMap((tensor) => {
    const places = placesOf(tensor, inputs)
    const target = placed.get(tensor.name)
    return places === undefined || target === undefined || isWhole(plan) ? [] : [{ tensor, places, target, blockElements: blockElements(tensor) }]
  })
  const elsewhere = new Set(open)
  for (const { tensor } of inFiles) elsewhere.delete(tensor)
  const run = await visited(plan, inputs, signal ? { signal } : {})
  const crew = startCrew({ plan: run, folder }, Math.min(threads, inFiles.length))
  try {
    await Promise.all([crew.run(inFiles, finished, signal), mergeHere(run, [...elsewhere], inputs, { folder, placed, blockElements, finished, signal })])
  } finally {
    await crew.close()
  }
  await syncFiles(layout, folder)
  return { layout, identity, resumed: journal.finished.size, outcomes: plan.tensors.flatMap(({ name }) => outcomes.get(name) ?? []) }
}

function isWhole({ method }: Pick<MergePlan, 'method'>): boolean {
  const { streaming }: MergeMethod = mergeMethods[method]
  return streaming === 'whole'
}

interface Here {
  readonly folder: string
  readonly placed: ReadonlyMap<string, PlacedTensor>
  readonly blockElements: (tensor: PlannedTensor) => number
  readonly finished: (outcome: TensorOutcome) => Promise<void>
  readonly signal: AbortSignal | undefined
}

/** Tensors whose inputs do not lie in files (adapters applied), or that need the dense kernels of this thread. */
async function mergeHere(plan: RunPlan, tensors: readonly PlannedTensor[], inputs: readonly MergeInput[], here: Here): Promise<void> {
  if (tensors.length === 0) return
  const reader = rangeReader(inputs)
  try {
    for (const tensor of tensors) {
      const target = here.placed.get(tensor.name)
      if (target === undefined) continue
      const file = await open(join(here.folder, target.file), 'r+')
      try {
        const emit = (bytes: Uint8Array, offset: number): Promise<void> => writeAt(file, bytes, target.offset + offset, target.file)
        const options = { blockElements: here.blockElements(tensor), ...(here.signal ? { signal: here.signal } : {}) }
        await here.finished(await mergeTensor(plan, tensor, reader.read, emit, options))
      } finally {
        await file.close()
      }
    }
  } finally {
    await reader.close()
  }
}

/** Where the operands lie, the base first; undefined when one lies in no file. */
function placesOf(tensor: PlannedTensor, inputs: readonly MergeInput[]): OperandPlace[] | undefined {
  const places = operandsOf(tensor).map(({ input, info }) => {
    const place = inputs[input]?.tensors.locate(info.name)
    return place === undefined ? undefined : { input, tensor: info.name, path: place.path, offset: place.offset }
  })
  return places.every((place) => place !== undefined) ? places : undefined
}

/** Elements of a block so that all threads' blocks fit: stored bytes, widened values of every operand, the output twice. */
function blockSize(tensor: PlannedTensor, threads: number, memoryBytes: number): number {
  const count = operandsOf(tensor).length
  // The next block is read while one is computed: operands count twice.
  const bytesPerElement = 2 * count * 8 + 16
  const most = Math.floor(Math.max(2 ** 24, memoryBytes - fixedMemory) / Math.max(1, threads) / bytesPerElement)
  return Math.max(2 ** 12, Math.min(usualBlock, most))
}

interface Journal {
  readonly finished: ReadonlyMap<string, TensorOutcome>
  add(outcome: TensorOutcome): Promise<void>
}

/** The journal of the same merge is gone on with; any other is started again. */
async function openJournal(folder: string, layout: OutputLayout, identity: string): Promise<Journal> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw asFault(
      fault('file.write', { place: folder, what: 'the folder cannot be made', seen: cause instanceof Error ? cause.message : cause, cause }),
      'file.write',
      folder,
    )
  })
  const path = join(folder, 'journal.jsonl')
  const known = await readJournal(path, identity)
  if (known === undefined) {
    await rm(path, { force: true })
    await checkRoom(folder, layout)
    await writeFile(path, `${JSON.stringify({ merge: identity })}\n`)
  }
  // Headers and sizes again after an interruption too: whatever happened to the files, what the journal says is checked below.
  await makeFiles(folder, layout)
  const finished = new Map<string, TensorOutcome>()
  for (const shard of known === undefined ? [] : layout.shards) {
    for (const tensor of shard.tensors) {
      const outcome = known?.get(tensor.name)
      if (outcome !== undefined && (await hashAt(join(folder, shard.file), tensor)) === outcome.sha256) finished.set(tensor.name, outcome)
    }
  }
  return { finished, add: (outcome) => appendFile(path, `${JSON.stringify(outcome)}\n`) }
}

async function readJournal(path: string, identity: string): Promise<Map<string, TensorOutcome> | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // A line that a kill cut short is no line.
  const [head, ...lines] = text.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
  if ((head as { merge?: unknown } | undefined)?.merge !== identity) return undefined
  return new Map((lines as TensorOutcome[]).map((outcome) => [outcome.name, outcome]))
}

async function checkRoom(folder: string, { totalBytes }: OutputLayout): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= totalBytes) return
  throw fault('file.write', {
    place: folder,
    what: 'there is not enough room on the disk',
    seen: `${(bavail * bsize) / 1e9} GB free`,
    wanted: `${totalBytes / 1e9} GB`,
  })
}

async function makeFiles(folder: string, { shards }: OutputLayout): Promise<void> {
  for (const { file, header, byteLength } of shards) {
    const handle = await open(join(folder, file), constants.O_RDWR | constants.O_CREAT)
    try {
      await writeAt(handle, header, 0, file)
      await handle.truncate(byteLength)
    } finally {
      await handle.close()
    }
  }
}

async function hashAt(path: string, { offset, byteLength }: PlacedTensor): Promise<string | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const hash = createHash('sha256')
      const step = 2 ** 24
      for (let at = 0; at < byteLength; at += step) hash.update(await readAt(file, offset + at, Math.min(step, byteLength - at), path))
      return hash.digest('hex')
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}

async function syncFiles({ shards }: OutputLayout, folder: string): Promise<void> {
  for (const { file } of shards) {
    const handle = await open(join(folder, file), 'r+')
    await handle.sync().finally(() => handle.close())
  }
}

/** Bytes of memory that a plan may take, for the person who asks before. */
export function planMemory({ tensors, method }: MergePlan, { threads = availableParallelism(), memoryBytes = defaultMemory }: WriteOptions = {}): number {
  const whole = isWhole({ method })
  const bytesOf = (tensor: PlannedTensor): number => elementCount(tensor.shape) * (operandsOf(tensor).length + 2) * dtypeBytes('F64')
  const largest = tensors.reduce((most, tensor) => Math.max(most, bytesOf(tensor)), 0)
  return whole ? largest + fixedMemory : Math.min(memoryBytes, largest * threads + fixedMemory)
}

/**
 * Plans' tensors onto the disk: files of their final size first, tensors into their places by worker threads, a journal
 * of the finished ones, hashes of all files.
 */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dtypeBytes, elementCount, fault, fingerprint, type OnProgress, type TensorSource } from '#core'
import { startWorkerPool } from './worker-pool.ts'
import { earlySync, writeAt, orWriteFault } from '#platform/disk'
import { fileHashes } from './file-hashes.ts'
import { threadBudget } from '#platform/threads'
import { inputPaths, inputStamp } from '#files/formats'
import { type Journal, openJournal } from './journal.ts'
import { layoutOf, type OutputLayout } from '../plan/layout.ts'
import { mergeIdentity } from './merged-source.ts'
import { type MergePlan, operandsOf, type PlannedTensor } from '../plan/plan.ts'
import { sourceReader } from './source-reader.ts'
import { mergeTensor, type RunPlan, type TensorOutcome } from './run-tensor.ts'
import { defaultMemory, type Memory, memoryFor, type OpenTensors, tensorJobs } from './tensor-jobs.ts'
import { withTotals } from './totals.ts'
import type { WorkerAnswer } from './worker.ts'

export interface WriteOptions {
  maxShardBytes?: number | undefined
  /** Worker threads; default: the budget of the process. The result does not depend on it. */
  threads?: number | undefined
  /** Bound on the memory that blocks take, whatever the models' size. */
  memoryBytes?: number | undefined
  /**
   * SHA-256 of the inputs' files too: each is read once more at the end, except blobs of the hub's cache, which are
   * named by it.
   */
  hashInputs?: boolean | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/** A plan, what it reads from, and the folder for its files. */
export interface WrittenPlan {
  readonly plan: MergePlan
  /** The plan's models, then its further sources. */
  readonly sources: readonly TensorSource[]
  readonly folder: string
}

export interface WrittenTensors {
  readonly layout: OutputLayout
  readonly outcomes: readonly TensorOutcome[]
  /** Tensors found finished from a run before. */
  readonly resumed: number
  readonly identity: string
  /** Hex SHA-256 of the output's files, by name. */
  readonly outputHashes: ReadonlyMap<string, string>
  /** Hex SHA-256 of the inputs' files, by path. */
  readonly inputHashes: ReadonlyMap<string, string>
}

/** A merge under way. */
interface Part extends WrittenPlan, OpenTensors {
  readonly layout: OutputLayout
  readonly identity: string
  readonly journal: Journal
  /** Finished outcomes, by tensor. */
  readonly outcomes: Map<string, TensorOutcome>
  readonly run: RunPlan
  readonly byName: ReadonlyMap<string, PlannedTensor>
}

/**
 * Writes the weights of several plans at once, each below its folder, which may hold the journal of an earlier run of
 * the same merge: what that run finished is checked by its checksum and kept. Tensors of different plans that read the
 * same operands are merged side by side and read them once. Throws `file.write` (no room is found out before the first
 * byte), `file.unreadable` (an input that changes meanwhile), `tensor.value`, `run.cancelled`; after a fault the same
 * call continues where it stopped.
 */
export async function writeTensors(
  plans: readonly WrittenPlan[],
  options: WriteOptions = {},
): Promise<WrittenTensors[]> {
  const {
    maxShardBytes,
    threads = threadBudget(),
    memoryBytes = defaultMemory,
    hashInputs = true,
    onProgress,
    signal,
  } = options
  const parts: Part[] = []
  for (const plan of plans) parts.push(await prepared(plan, parts, maxShardBytes, signal))
  const sizeOf = (part: Part | undefined, name: string): number => part?.placed.get(name)?.byteLength ?? 0
  const total = parts.reduce((sum, part) => part.open.reduce((own, { name }) => own + sizeOf(part, name), sum), 0)
  const memory: Memory = { threads, memoryBytes }
  const jobs = tensorJobs(parts, memory)
  const elsewhere = parts.map(({ open }, merge) => {
    const inFiles = new Set(
      jobs.flatMap(({ tensors }) => tensors.flatMap((job) => (job.merge === merge ? [job.tensor] : []))),
    )
    return open.filter((tensor) => !inFiles.has(tensor))
  })
  let done = 0
  const sizes = new Map(
    parts.flatMap(({ layout, folder }) =>
      layout.shards.map(({ file, byteLength }) => [join(folder, file), byteLength] as const),
    ),
  )
  const files = hashInputs
    ? [...new Set(parts.flatMap(({ sources }) => sources.flatMap((source) => inputPaths(source) ?? [])))]
    : []
  const hashes = await fileHashes({ outputs: sizes, inputs: files, threads })
  const disk = earlySync([...sizes.keys()])
  const inPlace = ({ placed, folder }: Part, name: string): void => {
    const place = placed.get(name)
    if (place !== undefined) hashes.wrote(join(folder, place.file), place.offset, place.offset + place.byteLength)
  }
  for (const part of parts) {
    for (const { file, header } of part.layout.shards) hashes.wrote(join(part.folder, file), 0, header.length)
    for (const name of part.journal.finished.keys()) inPlace(part, name)
  }
  const finished = async (merge: number, outcome: TensorOutcome): Promise<void> => {
    const part = parts[merge]!
    const file = part.placed.get(outcome.name)?.file
    await part.journal.add(outcome)
    part.outcomes.set(outcome.name, outcome)
    inPlace(part, outcome.name)
    for (const { path, bytes } of readFor(part, outcome.name)) hashes.read(path, bytes)
    if (file !== undefined) disk.wrote(join(part.folder, file), sizeOf(part, outcome.name))
    done += sizeOf(part, outcome.name)
    onProgress?.({ stage: 'merge', done, total, unit: 'bytes' })
  }
  const pool = startWorkerPool(
    parts.map(({ run, folder }) => ({ plan: run, folder })),
    Math.min(threads, Math.max(jobs.length, files.length)),
  )
  try {
    const here = async (stop: AbortSignal): Promise<void> => {
      for (const [merge, part] of parts.entries())
        await mergeHere(part, elsewhere[merge] ?? [], memory, (outcome) => finished(merge, outcome), stop)
    }
    const answered = async ({ finished: ended = [] }: WorkerAnswer): Promise<void> => {
      for (const { merge, outcome } of ended) await finished(merge, outcome)
    }
    await allToTheirEnds([(stop) => pool.run(jobs, answered, stop), here], signal)
    // Flushing to the disk takes time: the remaining bytes are hashed meanwhile.
    let sha256: ReadonlyMap<string, string> = new Map()
    const hashed = async (stop: AbortSignal): Promise<void> => {
      sha256 = await hashes.finish(pool, { onProgress, signal: stop })
    }
    await allToTheirEnds([hashed, () => disk.finish()], signal)
    for (const { plan, sources, identity } of parts) await checkUnchanged(plan, sources, identity)
    return parts.map((part) => written(part, files, sha256))
  } finally {
    await pool.close()
    await hashes.close()
    await disk.close()
  }
}

/** The first that fails stops the others; its fault is thrown when nothing writes any more. */
async function allToTheirEnds(
  works: readonly ((stop: AbortSignal) => Promise<void>)[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const failed = new AbortController()
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal])
  const faults: unknown[] = []
  await Promise.all(
    works.map((work) =>
      work(stop).catch((error: unknown) => {
        faults.push(error)
        failed.abort()
      }),
    ),
  )
  if (faults.length > 0) throw faults[0]
}

async function prepared(
  own: WrittenPlan,
  before: readonly Part[],
  maxShardBytes: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Part> {
  const { plan, sources, folder } = own
  const layout = layoutOf(plan.tensors, maxShardBytes)
  // By the files' stamps: hashing the inputs would take longer than merging them.
  const identity = await mergeIdentity(plan, sources, inputStamp)
  const stamp = fingerprint({ identity, shards: layout.shards.map(({ file, byteLength }) => [file, byteLength]) })
  const journal = await openJournal(folder, layout, stamp, { promised: await promisedBeside(folder, before) })
  const outcomes = new Map(journal.finished)
  return {
    ...own,
    layout,
    identity,
    journal,
    outcomes,
    placed: new Map(layout.shards.flatMap(({ tensors }) => tensors.map((tensor) => [tensor.name, tensor] as const))),
    open: plan.tensors.filter(({ name }) => !outcomes.has(name)),
    run: await withTotals(plan, sources, { signal }),
    byName: new Map(plan.tensors.map((tensor) => [tensor.name, tensor])),
  }
}

/** Bytes that the other outputs will take of the same disk. */
async function promisedBeside(folder: string, others: readonly Part[]): Promise<number> {
  const diskOf = (path: string): Promise<number | undefined> =>
    stat(path).then(
      ({ dev }) => dev,
      () => undefined,
    )
  const own = await diskOf(folder)
  const taken = others.map(async (other) => ((await diskOf(other.folder)) === own ? other.layout.totalBytes : 0))
  return (await Promise.all(taken)).reduce((sum, bytes) => sum + bytes, 0)
}

/** Number of bytes read from each file for a finished tensor. */
function readFor({ sources, byName }: Part, name: string): { path: string; bytes: number }[] {
  const tensor = byName.get(name)
  if (tensor === undefined) return []
  return operandsOf(tensor).flatMap(({ input, info }) => {
    const place = sources[input]?.locate(info.name)
    return place === undefined ? [] : [{ path: place.path, bytes: elementCount(info.shape) * dtypeBytes(info.dtype) }]
  })
}

function written(
  { plan, folder, layout, outcomes, journal, identity }: Part,
  inputs: readonly string[],
  sha256: ReadonlyMap<string, string>,
): WrittenTensors {
  return {
    layout,
    identity,
    resumed: journal.finished.size,
    outcomes: plan.tensors.flatMap(({ name }) => outcomes.get(name) ?? []),
    outputHashes: new Map(layout.shards.map(({ file }) => [file, sha256.get(join(folder, file)) ?? ''])),
    inputHashes: new Map(inputs.flatMap((path) => (sha256.has(path) ? [[path, sha256.get(path)!] as const] : []))),
  }
}

/** Tensors whose inputs do not lie in files (adapters applied), or that need the dense kernels of this thread. */
async function mergeHere(
  { run, sources, placed, folder }: Part,
  tensors: readonly PlannedTensor[],
  memory: Memory,
  finished: (outcome: TensorOutcome) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (tensors.length === 0) return
  const reader = sourceReader(sources)
  try {
    for (const tensor of tensors) {
      const target = placed.get(tensor.name)
      if (target === undefined) continue
      const file = await orWriteFault(open(join(folder, target.file), 'r+'), target.file)
      try {
        const emit = (bytes: Uint8Array, offset: number): Promise<void> =>
          writeAt(file, bytes, target.offset + offset, target.file)
        await finished(await mergeTensor(run, tensor, reader.read, emit, { ...memoryFor([tensor], memory), signal }))
      } finally {
        await file.close()
      }
    }
  } finally {
    await reader.close()
  }
}

async function checkUnchanged(plan: MergePlan, sources: readonly TensorSource[], identity: string): Promise<void> {
  if ((await mergeIdentity(plan, sources, inputStamp)) === identity) return
  throw fault('file.unreadable', {
    place: 'merge',
    what: 'an input was changed while it was merged',
    hint: 'run the same command again: everything is read anew',
  })
}

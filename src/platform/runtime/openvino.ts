/**
 * OpenVINO on the processor, through its C API.
 *
 * It refuses weights outside the model's folder, links included, but takes a graph from memory whose tensors lie at
 * addresses. So files are mapped: nothing is copied on the disk, and in memory only what the engine converts (weights
 * of 16 bits become float32 once, as in ONNX Runtime).
 */
import { join } from 'node:path'
import { fault } from '#core'
import { graphValues, moveTensors, type ExternalTensor, type GraphValue } from '#platform/onnx'
import type { EngineOptions, OpenedGraph, Precision } from './engine.ts'
import { mapFile, type MappedFile } from './mapped-file.ts'
import { loadOpenVino, type OpenVinoLibrary, type Pointer } from './openvino-library.ts'
import { findOpenVino } from './openvino-places.ts'
import { arrays, carriedType, type Feed, type ValueInfo } from './tensors.ts'
import { bytesOf, type PlacedGraph } from './weights.ts'

/** What the ONNX reader calls memory: the tensor's offset is then its address. */
const atAddress = '*/_ORT_MEM_ADDR_/*'
const elementTypes = { float32: 4, int32: 9, int64: 10 } as const satisfies Record<Feed['dtype'], number>
const hints = { float32: 'f32', bfloat16: 'bf16', float16: 'f16' } as const satisfies Record<Precision, string>
const capabilities = { float32: 'FP32', bfloat16: 'BF16', float16: 'FP16' } as const satisfies Record<Precision, string>

/** What the library is and can do on this processor. */
export interface OpenVinoState {
  readonly version: string
  /** File of the C API. */
  readonly path: string
  readonly precisions: readonly Precision[]
}

/** Throws `engine.device` when there is no library, or none that works. */
export async function openVinoState(): Promise<OpenVinoState> {
  const path = findOpenVino()
  const library = await loadOpenVino(path)
  const core = library.createCore()
  try {
    return { version: library.version(), path, precisions: precisionsOf(library, core) }
  } finally {
    library.freeCore(core)
  }
}

/**
 * Throws `engine.load`; `engine.device` without library, for another device than the processor, and for a precision
 * that the processor has not.
 */
export async function openOpenVino(
  placed: PlacedGraph,
  { threads, device, precision }: EngineOptions,
): Promise<OpenedGraph> {
  if (device !== 'cpu')
    throw fault('engine.device', { place: device, what: 'OpenVINO is asked for the processor alone', wanted: 'cpu' })
  const library = await loadOpenVino(findOpenVino())
  const { inputs, outputs } = valuesOf(placed.model)
  const releases: (() => void)[] = []
  const close = async (): Promise<void> => {
    for (const release of releases.splice(0).toReversed()) release()
  }
  /** Freed in reverse order. */
  const hold = (pointer: Pointer, free: (pointer: Pointer) => void): Pointer => {
    releases.push(() => free(pointer))
    return pointer
  }
  try {
    const core = hold(library.createCore(), library.freeCore)
    checkPrecision(precision, precisionsOf(library, core))
    const addressed = await placeAtAddresses(library, placed, releases)
    const model = library.readModel(core, addressed)
    let compiled: Pointer
    try {
      compiled = hold(
        library.compile(core, model, propertiesOf(library, core, threads, precision)),
        library.freeCompiled,
      )
    } finally {
      library.freeModel(model)
    }
    const got = library.compiledProperty(compiled, 'INFERENCE_PRECISION_HINT')
    if (got !== hints[precision])
      throw fault('engine.device', {
        place: 'openvino',
        what: 'the engine took another precision',
        seen: got,
        wanted: hints[precision],
      })
    checkSizes(library.sizes(compiled), inputs, outputs)
    const request = hold(library.createRequest(compiled), library.freeRequest)
    return {
      inputs,
      outputs,
      async run(feeds, wanted) {
        for (const [at, { name, dtype }] of inputs.entries()) {
          const { dims, data } = feeds[name] as Feed
          if (data instanceof BigInt64Array) checkNarrow(name, data)
          library.setInput(request, at, elementTypes[dtype], dims, data)
        }
        library.infer(request)
        return Object.fromEntries(wanted.map((name) => [name, outputAt(library, request, outputs, name)]))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * On the processor OpenVINO computes with 32 bits where the graph says int64; more would silently become another
 * number.
 */
function checkNarrow(name: string, data: BigInt64Array): void {
  const wide = data.find((value) => BigInt.asIntN(32, value) !== value)
  if (wide !== undefined)
    throw fault('engine.run', { place: name, what: 'OpenVINO takes whole numbers of 32 bits', seen: wide })
}

/**
 * Names, types and free sizes as the graph has them: the engine keeps their order, but merges names of equal values and
 * forgets those of sizes.
 */
function valuesOf(model: Uint8Array): { inputs: ValueInfo[]; outputs: ValueInfo[] } {
  const { inputs, outputs } = graphValues(model)
  const describe = ({ name, type, dims }: GraphValue): ValueInfo => ({ name, dtype: carriedType(name, type), dims })
  return { inputs: inputs.map(describe), outputs: outputs.map(describe) }
}

function checkSizes(
  [given, returned]: readonly [number, number],
  inputs: readonly ValueInfo[],
  outputs: readonly ValueInfo[],
): void {
  if (given === inputs.length && returned === outputs.length) return
  throw fault('engine.load', {
    place: 'openvino',
    what: 'the engine dropped inputs or outputs of the graph',
    seen: [given, returned],
    wanted: [inputs.length, outputs.length],
  })
}

function outputAt(library: OpenVinoLibrary, request: Pointer, outputs: readonly ValueInfo[], name: string): Feed {
  const at = outputs.findIndex((output) => output.name === name)
  const dtype = outputs[at]?.dtype ?? 'float32'
  const { type, dims, bytes } = library.output(request, at)
  if (type !== elementTypes[dtype])
    throw fault('engine.run', {
      place: name,
      what: 'the engine gave another type',
      seen: type,
      wanted: elementTypes[dtype],
    })
  return { dtype, dims, data: new arrays[dtype](bytes) } as Feed
}

function precisionsOf(library: OpenVinoLibrary, core: Pointer): Precision[] {
  const has = library.property(core, 'OPTIMIZATION_CAPABILITIES').split(' ')
  return (Object.keys(capabilities) as Precision[]).filter((precision) => has.includes(capabilities[precision]))
}

function checkPrecision(precision: Precision, possible: readonly Precision[]): void {
  if (possible.includes(precision)) return
  throw fault('engine.device', {
    place: 'precision',
    what: 'this processor does not have it',
    seen: precision,
    wanted: possible,
  })
}

function propertiesOf(
  library: OpenVinoLibrary,
  core: Pointer,
  threads: number,
  precision: Precision,
): Record<string, string> {
  const known = library.property(core, 'SUPPORTED_PROPERTIES').split(' ')
  const wanted: Record<string, string> = {
    INFERENCE_PRECISION_HINT: hints[precision],
    INFERENCE_NUM_THREADS: String(threads),
    NUM_STREAMS: '1',
    PERFORMANCE_HINT: 'LATENCY',
    // Threads tied to cores would stand in the way of the tokenizer's.
    ENABLE_CPU_PINNING: 'NO',
    // Without it a hint for latency takes one thread of each core, whatever number was asked for.
    ENABLE_HYPER_THREADING: 'YES',
    // Activations would be rounded to 8 bits where weights are stored in as many.
    DYNAMIC_QUANTIZATION_GROUP_SIZE: '0',
  }
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => known.includes(key)))
}

/**
 * The graph with every outside tensor at the address where its bytes now lie; they lie there until `releases` have run.
 */
async function placeAtAddresses(
  library: OpenVinoLibrary,
  { model, folder, memory }: PlacedGraph,
  releases: (() => void)[],
): Promise<Uint8Array> {
  const bytes = new Map<string, Uint8Array>()
  for (const { location, data } of memory) bytes.set(location, await bytesOf(data))
  const files = new Map<string, MappedFile>()
  releases.push(() => {
    for (const file of files.values()) file.unmap()
    bytes.clear()
  })
  if (folder !== undefined)
    for (const location of locationsOf(model)) files.set(location, await mapFile(join(folder, location)))
  return moveTensors(model, (tensor) => {
    const data = bytes.get(tensor.location)
    const file = files.get(tensor.location)
    if (data !== undefined) return within(tensor, library.address(data), data.byteLength)
    if (file !== undefined) return within(tensor, file.address, file.byteLength)
    throw fault('engine.load', {
      place: tensor.name,
      what: 'the graph names weights that were not given',
      seen: tensor.location,
    })
  })
}

function within({ offset, byteLength, name, location }: ExternalTensor, address: number, available: number) {
  const length = byteLength ?? available - offset
  if (length <= 0 || offset + length > available)
    throw fault('engine.load', {
      place: `${location} › ${name}`,
      what: 'weights end beyond their file',
      seen: offset + length,
      wanted: `at most ${available}`,
    })
  return { location: atAddress, offset: address + offset, byteLength: length }
}

function locationsOf(model: Uint8Array): Set<string> {
  const found = new Set<string>()
  moveTensors(model, ({ location }) => {
    found.add(location)
    return { location }
  })
  return found
}

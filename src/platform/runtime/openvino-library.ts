/** OpenVINO's C API as functions, each library loaded once in a thread; https://docs.openvino.ai/2026/api/c_cpp_api */
import { asFault, fault, type FaultCode } from '#core'
import { keepLoaded, type Koffi, loadKoffi } from './koffi.ts'

/** A pointer: what it points to only the library knows. */
export type Pointer = bigint

/** [rank, sizes]. */
interface Shape {
  readonly rank: number
  readonly dims: BigInt64Array
}

export interface OpenVinoLibrary {
  /** E.g. `2026.4.0-22959-…`. */
  readonly version: () => string
  readonly createCore: () => Pointer
  readonly freeCore: (core: Pointer) => void
  /** A property of the processor. */
  readonly property: (core: Pointer, key: string) => string
  readonly readModel: (core: Pointer, model: Uint8Array) => Pointer
  readonly freeModel: (model: Pointer) => void
  readonly compile: (core: Pointer, model: Pointer, properties: Readonly<Record<string, string>>) => Pointer
  readonly freeCompiled: (compiled: Pointer) => void
  readonly compiledProperty: (compiled: Pointer, key: string) => string
  /** How many inputs and outputs. */
  readonly sizes: (compiled: Pointer) => [inputs: number, outputs: number]
  readonly createRequest: (compiled: Pointer) => Pointer
  readonly freeRequest: (request: Pointer) => void
  /** The memory is read until the next run with another tensor: whoever gave it keeps it. */
  readonly setInput: (
    request: Pointer,
    at: number,
    type: number,
    dims: readonly number[],
    data: NodeJS.TypedArray,
  ) => void
  readonly infer: (request: Pointer) => void
  /** A copy of an output. */
  readonly output: (request: Pointer, at: number) => { type: number; dims: number[]; bytes: ArrayBuffer }
  /** Address of memory that stays where it is. */
  readonly address: (data: NodeJS.TypedArray) => number
}

/** Every function of the C API that is used. Functions with a status give 0 for success. */
const declarations = {
  version: 'int ov_get_openvino_version(_Out_ strata_ov_version *version)',
  freeVersion: 'void ov_version_free(strata_ov_version *version)',
  lastError: 'const char *ov_get_last_err_msg()',
  free: 'void ov_free(void *content)',
  createCore: 'int ov_core_create(_Out_ void **core)',
  freeCore: 'void ov_core_free(void *core)',
  property: 'int ov_core_get_property(void *core, const char *device, const char *key, _Out_ void **value)',
  readModel:
    'int ov_core_read_model_from_memory_buffer(void *core, void *model, size_t length, void *weights, _Out_ void **read)',
  freeModel: 'void ov_model_free(void *model)',
  compile:
    'int ov_core_compile_model(void *core, void *model, const char *device, size_t strings, _Out_ void **compiled, ...)',
  freeCompiled: 'void ov_compiled_model_free(void *compiled)',
  compiledProperty: 'int ov_compiled_model_get_property(void *compiled, const char *key, _Out_ void **value)',
  inputs: 'int ov_compiled_model_inputs_size(void *compiled, _Out_ size_t *size)',
  outputs: 'int ov_compiled_model_outputs_size(void *compiled, _Out_ size_t *size)',
  createRequest: 'int ov_compiled_model_create_infer_request(void *compiled, _Out_ void **request)',
  freeRequest: 'void ov_infer_request_free(void *request)',
  createTensor: 'int ov_tensor_create_from_host_ptr(int type, strata_ov_shape shape, void *data, _Out_ void **tensor)',
  freeTensor: 'void ov_tensor_free(void *tensor)',
  setInput: 'int ov_infer_request_set_input_tensor_by_index(void *request, size_t at, void *tensor)',
  infer: 'int ov_infer_request_infer(void *request)',
  getOutput: 'int ov_infer_request_get_output_tensor_by_index(void *request, size_t at, _Out_ void **tensor)',
  tensorType: 'int ov_tensor_get_element_type(void *tensor, _Out_ int *type)',
  tensorShape: 'int ov_tensor_get_shape(void *tensor, _Out_ strata_ov_shape *shape)',
  freeShape: 'int ov_shape_free(strata_ov_shape *shape)',
  tensorBytes: 'int ov_tensor_get_byte_size(void *tensor, _Out_ size_t *size)',
  tensorData: 'int ov_tensor_data(void *tensor, _Out_ void **data)',
} as const

type Calls = Record<keyof typeof declarations, (...values: unknown[]) => unknown>

const device = 'CPU'
/** Where a tensor without elements would lie; the library wants an address. */
const nothing = new Float64Array(16)

const loaded = new Map<string, Promise<OpenVinoLibrary>>()

/** Throws `engine.device` when the library or the package that calls it cannot be loaded here. */
export function loadOpenVino(path: string): Promise<OpenVinoLibrary> {
  const known = loaded.get(path) ?? load(path)
  loaded.set(path, known)
  return known
}

async function load(path: string): Promise<OpenVinoLibrary> {
  const koffi = await loadKoffi()
  try {
    return bind(koffi, path)
  } catch (error) {
    const { parts } = asFault(error, 'engine.device', path)
    throw fault('engine.device', {
      ...parts,
      place: path,
      hint: 'reinstall OpenVINO: strata doctor --install openvino',
      cause: error,
    })
  }
}

function bind(koffi: Koffi, path: string): OpenVinoLibrary {
  koffi.struct('strata_ov_shape', { rank: 'int64_t', dims: 'int64_t *' })
  koffi.struct('strata_ov_version', { buildNumber: 'const char *', description: 'const char *' })
  keepLoaded(koffi, path)
  const library = koffi.load(path)
  const names = Object.keys(declarations) as (keyof typeof declarations)[]
  const call = Object.fromEntries(names.map((name) => [name, library.func(declarations[name])])) as unknown as Calls

  const { check, out, count, text } = checkedCalls(koffi, call)
  return {
    version() {
      const version = { buildNumber: '' }
      check(call.version(version), 'engine.device')
      return version.buildNumber
    },
    createCore: () => out('engine.device', (into) => call.createCore(into)),
    freeCore: call.freeCore,
    property: (core, key) => text(out('engine.device', (into) => call.property(core, device, key, into))),
    readModel: (core, model) => out('engine.load', (into) => call.readModel(core, model, model.length, null, into)),
    freeModel: call.freeModel,
    compile(core, model, properties) {
      const strings = Object.entries(properties).flat()
      const values = strings.flatMap((string) => ['str', string])
      return out('engine.load', (into) => call.compile(core, model, device, strings.length, into, ...values))
    },
    freeCompiled: call.freeCompiled,
    compiledProperty: (compiled, key) => text(out('engine.load', (into) => call.compiledProperty(compiled, key, into))),
    sizes: (compiled) => [
      count('engine.load', (into) => call.inputs(compiled, into)),
      count('engine.load', (into) => call.outputs(compiled, into)),
    ],
    createRequest: (compiled) => out('engine.load', (into) => call.createRequest(compiled, into)),
    freeRequest: call.freeRequest,
    setInput(request, at, type, dims, data) {
      const shape: Shape = { rank: dims.length, dims: BigInt64Array.from(dims, BigInt) }
      const tensor = out('engine.run', (into) =>
        call.createTensor(type, shape, data.byteLength === 0 ? nothing : data, into),
      )
      try {
        check(call.setInput(request, at, tensor), 'engine.run')
      } finally {
        // The request keeps the contents alive.
        call.freeTensor(tensor)
      }
    },
    infer: (request) => check(call.infer(request), 'engine.run'),
    output: (request, at) => readOutput({ koffi, call, check, out, count }, request, at),
    address: (data) => Number(koffi.address(data)),
  }
}

/** Calls whose status is looked at, and what they write through pointers. */
function checkedCalls(koffi: Koffi, call: Calls) {
  const check = (status: unknown, code: FaultCode): void => {
    if (status !== 0)
      throw fault(code, {
        place: 'engine',
        what: firstReason((call.lastError() as string | null) ?? `status ${String(status)}`),
      })
  }
  /** What a function writes through its last pointer. */
  const out = (code: FaultCode, work: (into: [Pointer]) => unknown): Pointer => {
    const into: [Pointer] = [0n]
    check(work(into), code)
    return into[0]
  }
  const count = (code: FaultCode, work: (into: [Pointer]) => unknown): number => Number(out(code, work))
  const text = (pointer: Pointer): string => {
    const value = koffi.decode.string(pointer)
    call.free(pointer)
    return value
  }
  return { check, out, count, text }
}

interface Reading extends Pick<ReturnType<typeof checkedCalls>, 'check' | 'out' | 'count'> {
  readonly koffi: Koffi
  readonly call: Calls
}

function readOutput(
  { koffi, call, check, out, count }: Reading,
  request: Pointer,
  at: number,
): ReturnType<OpenVinoLibrary['output']> {
  const tensor = out('engine.run', (into) => call.getOutput(request, at, into))
  try {
    const shape = { rank: 0n, dims: 0n }
    check(call.tensorShape(tensor, shape), 'engine.run')
    const rank = Number(shape.rank)
    const dims =
      rank === 0 ? [] : Array.from(koffi.decode(shape.dims, 'int64_t', rank) as ArrayLike<number | bigint>, Number)
    check(call.freeShape(shape), 'engine.run')
    const type = count('engine.run', (into) => call.tensorType(tensor, into))
    const byteLength = count('engine.run', (into) => call.tensorBytes(tensor, into))
    if (byteLength === 0) return { type, dims, bytes: new ArrayBuffer(0) }
    // Copied: the next run writes over it.
    return {
      type,
      dims,
      bytes: koffi
        .view(
          out('engine.run', (into) => call.tensorData(tensor, into)),
          byteLength,
        )
        .slice(0),
    }
  } finally {
    call.freeTensor(tensor)
  }
}

/**
 * What OpenVINO's messages say, without the frames of its source around it and the headings of a report about the
 * reading of a graph.
 */
export function firstReason(message: string): string {
  const lines = message.split('\n').map((line) => line.replace(failedCheck, '').trim())
  const said = lines.filter((line) => line !== '' && !heading.test(line)).map((line) => line.replace(/^-- /, ''))
  return said.slice(0, 2).join(' ') || 'no reason given'
}

const failedCheck = /Check '.*' failed at \S+:\d+:/
const heading =
  /^(?:Exception from \S+:\d+:|\S+:\d+:|Loading input model|FrontEnd API failed .*|Model wasn't fully converted\..*|Summary:|-- .* with a message:|-- Conversion is failed for: .*|While validating .*|To facilitate .*)$/

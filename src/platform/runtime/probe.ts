/** Which devices and engines work here, tried in a process of its own, because drivers print, hang and crash. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { asFault, type Device, deviceIndex, deviceName, type DeviceName, deviceNames, fault, parseDevice } from '#core'
import { compiledSibling } from '#platform/threads'
import { denseGraph } from './dense-graph.ts'
import { cudaMemory, type DeviceMemory } from './cuda-library.ts'
import { engineNames, type Engine, type Precision } from './engine.ts'
import { exactIntegerWeights, type IntegerWeights } from './integer-weights.ts'
import { createSession, engineVersion, loadEngine } from './onnxruntime.ts'
import { openVinoState } from './openvino.ts'

export interface DeviceState {
  readonly name: Device
  readonly available: boolean
  /** Why not, in the engine's words. */
  readonly reason?: string
  /** What to do about it, where that depends on the reason. */
  readonly hint?: string
  /** Its own memory, where it has one and says so. */
  readonly memory?: DeviceMemory
}

/**
 * An engine as it is on this machine: the types it computes in, and the bytes of weights that it multiplies exactly,
 * where it has integer products.
 */
export type EngineState = { readonly name: Engine } & EngineAnswer

type EngineAnswer =
  | {
      readonly available: true
      readonly version: string
      readonly path?: string | undefined
      readonly precisions: readonly Precision[]
      readonly integerWeights?: IntegerWeights | undefined
    }
  | { readonly available: false; readonly reason: string; readonly hint?: string | undefined }

const timeoutMilliseconds = 30_000

const remedies = {
  cpu: 'install onnxruntime-node again on this machine',
  webgpu: 'needs a graphics card with a Vulkan, Metal or Direct3D 12 driver',
  cuda: 'needs Linux on x64, the NVIDIA driver, and the libraries that strata doctor --install cuda fetches',
  coreml: 'needs macOS, whose system has the driver',
  dml: 'needs Windows and a graphics card with a Direct3D 12 driver',
} as const satisfies Record<DeviceName, string>

/**
 * Every device a session can be asked for, and whether a trivial session can be made on it. Takes a tenth of a second
 * each.
 */
export async function devices(): Promise<DeviceState[]> {
  return Promise.all(deviceNames.map(probe))
}

/** Devices that this process has tried: loading CUDA takes seconds, and a model opens several graphs. */
const working = new Map<Device, Promise<DeviceState>>()

/** Throws `engine.device` with the engine's reason and what to install, unless the device works. */
export async function probeDevice(device: Device): Promise<DeviceState> {
  const known = working.get(device) ?? probe(device)
  working.set(device, known)
  const state = await known
  if (state.available) return state
  // A device may come back.
  working.delete(device)
  throw fault('engine.device', {
    place: device,
    what: 'the engine cannot use this device here',
    seen: state.reason,
    hint: state.hint ?? remedies[deviceName(device)],
  })
}

/**
 * Memory of a device, bytes; undefined where it shares that of the process, or does not say. Throws `engine.device` where
 * the device does not work.
 *
 * @example
 *   await deviceMemory('cuda') // { free: 150_000_000_000, total: 151_000_000_000 }
 */
export async function deviceMemory(device: Device): Promise<DeviceMemory | undefined> {
  return deviceName(device) === 'cuda' ? (await probeDevice(device)).memory : undefined
}

/** Every engine a session can be asked for: its version and what it computes in here, or why it is not there. */
export async function engineStates(): Promise<EngineState[]> {
  return Promise.all(
    engineNames.map(async (name) => {
      const found = await ask(name)
      return {
        name,
        ...('failure' in found ? { available: false as const, reason: found.failure } : (found.answer as EngineAnswer)),
      }
    }),
  )
}

/** The child's part: one line of JSON on standard output. */
export async function printProbe(name: string | undefined): Promise<void> {
  const engine = engineNames.find((known) => known === name)
  const answer = engine === undefined ? await tryDevice(parseDevice(name ?? '')) : await tryEngine(engine)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function tryEngine(name: Engine): Promise<EngineAnswer> {
  try {
    return { available: true, ...(await stateOf(name)) }
  } catch (error) {
    const { parts } = asFault(error, 'engine.device', name)
    const seen = typeof parts.seen === 'string' ? ` (${parts.seen})` : ''
    return { available: false, reason: `${parts.what}${seen}`, hint: parts.hint }
  }
}

async function stateOf(name: Engine): Promise<Omit<Extract<EngineAnswer, { available: true }>, 'available'>> {
  switch (name) {
    case 'onnxruntime':
      return { version: await engineVersion(), precisions: ['float32'], integerWeights: await exactIntegerWeights() }
    case 'openvino':
      return openVinoState()
    default:
      return name satisfies never
  }
}

type DeviceAnswer = Omit<DeviceState, 'name'>

async function tryDevice(device: Device): Promise<DeviceAnswer> {
  try {
    if (!(await isBuiltIn(deviceName(device))))
      return { available: false, reason: 'this build of the engine does not have it' }
    const session = await createSession(
      { model: denseGraph('float32', false, false), folder: undefined, memory: [] },
      { threads: 1, device },
    )
    await session.release()
    const memory = deviceName(device) === 'cuda' ? await cudaMemory(deviceIndex(device)) : undefined
    return { available: true, ...(memory === undefined ? {} : { memory }) }
  } catch (error) {
    const { what: reason, hint } = asFault(error, 'engine.device', device).parts
    return { available: false, reason, ...(hint === undefined ? {} : { hint }) }
  }
}

/** CUDA's build is a second one, which this process must not open after the first. */
async function isBuiltIn(name: DeviceName): Promise<boolean> {
  if (name === 'cuda') return process.platform === 'linux' && process.arch === 'x64'
  const { listSupportedBackends } = await loadEngine()
  return listSupportedBackends().some((backend) => backend.name === name)
}

async function probe(name: Device): Promise<DeviceState> {
  const found = await ask(name)
  if ('failure' in found) return { name, available: false, reason: found.failure }
  return { name, ...(found.answer as DeviceAnswer) }
}

/** What the child says about one device or engine. */
function ask(name: Device | Engine): Promise<{ answer: unknown } | { failure: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(compiledSibling(import.meta.url, 'worker')), name],
      { timeout: timeoutMilliseconds, windowsHide: true },
      (error, stdout) => {
        try {
          resolve({ answer: JSON.parse(stdout) as unknown })
        } catch {
          resolve({
            failure: error?.killed
              ? 'the engine did not answer'
              : `the engine crashed${error?.signal ? ` with ${error.signal}` : ''}`,
          })
        }
      },
    )
  })
}

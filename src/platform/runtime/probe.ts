/** Which devices and engines work here, tried in a process of its own, because drivers print, hang and crash. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { asFault, fault } from '#core'
import { compiledSibling } from '#platform/threads'
import { denseGraph } from './dense-graph.ts'
import { deviceNames, type Device, engineNames, type Engine, type Precision } from './engine.ts'
import { exactIntegerWeights, type IntegerWeights } from './integer-weights.ts'
import { createSession, engineVersion, loadEngine } from './onnxruntime.ts'
import { openVinoState } from './openvino.ts'

export interface DeviceState {
  readonly name: Device
  readonly available: boolean
  /** Why not, in the engine's words. */
  readonly reason?: string
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
  cuda: 'needs an NVIDIA driver, CUDA 12 with cuDNN 9, and the GPU part of the engine: ONNXRUNTIME_NODE_INSTALL=cuda12 npm rebuild onnxruntime-node',
} as const satisfies Record<Device, string>

/**
 * Every device a session can be asked for, and whether a trivial session can be made on it. Takes a tenth of a second
 * each.
 */
export async function devices(): Promise<DeviceState[]> {
  return Promise.all(deviceNames.map(probe))
}

/** Throws `engine.device` with the engine's reason and what to install, unless the device works. */
export async function probeDevice(device: Device): Promise<void> {
  const { available, reason } = await probe(device)
  if (!available)
    throw fault('engine.device', {
      place: device,
      what: 'the engine cannot use this device here',
      seen: reason,
      hint: remedies[device],
    })
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
  const device = deviceNames.find((known) => known === name)
  const engine = engineNames.find((known) => known === name)
  let answer: object = { available: false, reason: 'no such device' }
  if (device !== undefined) answer = await tryDevice(device)
  else if (engine !== undefined) answer = await tryEngine(engine)
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

async function tryDevice(name: Device): Promise<Omit<DeviceState, 'name'>> {
  try {
    const { listSupportedBackends } = await loadEngine()
    if (!listSupportedBackends().some((backend) => backend.name === name))
      return { available: false, reason: 'this build of the engine does not have it' }
    const session = await createSession(
      { model: denseGraph('float32', false, false), folder: undefined, memory: [] },
      { threads: 1, device: name },
    )
    await session.release()
    return { available: true }
  } catch (error) {
    return { available: false, reason: asFault(error, 'engine.device', name).parts.what }
  }
}

async function probe(name: Device): Promise<DeviceState> {
  const found = await ask(name)
  const { available, reason } =
    'failure' in found ? { available: false, reason: found.failure } : (found.answer as Omit<DeviceState, 'name'>)
  return { name, available, ...(reason === undefined ? {} : { reason }) }
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

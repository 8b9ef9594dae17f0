/** Whether a device works here: a trivial session on it, made in a process of its own, because drivers print, hang and crash. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { asFault, fault } from '#core'
import { compiledBeside } from '#platform/threads'
import { denseGraph } from './dense-graph.ts'
import { createSession, deviceNames, loadEngine, type Device } from './engine.ts'

export interface DeviceState {
  readonly name: Device
  readonly available: boolean
  /** Why not, in the engine's words. */
  readonly reason?: string
}

const timeoutMilliseconds = 30_000

const remedies = {
  cpu: 'install onnxruntime-node again on this machine',
  webgpu: 'needs a graphics card with a Vulkan, Metal or Direct3D 12 driver',
  cuda: 'needs an NVIDIA driver, CUDA 12 with cuDNN 9, and the GPU part of the engine: ONNXRUNTIME_NODE_INSTALL=cuda12 npm rebuild onnxruntime-node',
} as const satisfies Record<Device, string>

/** Every device a session can be asked for, and whether a trivial session can be made on it. Takes a tenth of a second each. */
export async function devices(): Promise<DeviceState[]> {
  return Promise.all(deviceNames.map(probe))
}

/** Throws `engine.device` with the engine's reason and what to install, unless the device works. */
export async function probeDevice(device: Device): Promise<void> {
  const { available, reason } = await probe(device)
  if (!available) throw fault('engine.device', { place: device, what: 'the engine cannot use this device here', seen: reason, hint: remedies[device] })
}

/** The child's part: one line of JSON on standard output. */
export async function printProbe(name: string | undefined): Promise<void> {
  const device = deviceNames.find((known) => known === name)
  process.stdout.write(`${JSON.stringify(device === undefined ? { available: false, reason: 'no such device' } : await tryDevice(device))}\n`)
}

async function tryDevice(name: Device): Promise<Omit<DeviceState, 'name'>> {
  try {
    const { listSupportedBackends } = await loadEngine()
    if (!listSupportedBackends().some((backend) => backend.name === name)) return { available: false, reason: 'this build of the engine does not have it' }
    const session = await createSession({ model: denseGraph('float32', false, false), folder: undefined, memory: [] }, { threads: 1, device: name })
    await session.release()
    return { available: true }
  } catch (error) {
    return { available: false, reason: asFault(error, 'engine.device', name).parts.what }
  }
}

function probe(name: Device): Promise<DeviceState> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(compiledBeside(import.meta.url, 'worker')), name],
      { timeout: timeoutMilliseconds, windowsHide: true },
      (error, stdout) => {
        try {
          const { available, reason } = JSON.parse(stdout) as Omit<DeviceState, 'name'>
          resolve({ name, available, ...(reason === undefined ? {} : { reason }) })
        } catch {
          resolve({
            name,
            available: false,
            reason: error?.killed ? 'the engine did not answer' : `the engine crashed${error?.signal ? ` with ${error.signal}` : ''}`,
          })
        }
      },
    )
  })
}

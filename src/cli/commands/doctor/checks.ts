/** Checks of the installation: machine, engine, devices, hub, cache, and one golden model computed again here. */
import { access, constants, statfs, mkdir } from 'node:fs/promises'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { asFault, quantity, version } from '#core'
import { typesOf } from '#model/passes'
import { hubSettings, reachable } from '#files/hub'
import {
  devices,
  type DeviceState,
  type EngineState,
  engineStates,
  engineVersion,
  measureGemmPeak,
} from '#platform/runtime'
import { readBudget } from '#platform/threads'
import { compareWithGolden } from '#experiment/open'

interface Check {
  readonly name: string
  /** `note` is worth knowing but not a defect: an absent GPU, a hub that is switched off. */
  readonly status: 'ok' | 'note' | 'failed'
  readonly text: string
}

/**
 * The golden model in the package; reference values are float64, the bound is the one its golden file was published
 * with.
 */
const goldenTolerance = 1e-5

export async function checks(cacheFolder: string): Promise<Check[]> {
  const states = await engineStates()
  const types = states.flatMap((state) => (state.name === 'onnxruntime' ? typesOf(state) : [])).join(', ')
  return [
    { name: 'strata', status: 'ok', text: `${version}, Node ${process.versions.node}` },
    {
      name: 'machine',
      status: 'ok',
      text: `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})${limited()}, ${gigabytes(totalmem())} memory, ${gigabytes(freemem())} free`,
    },
    await check(
      'engine',
      async () =>
        `onnxruntime ${await engineVersion()}, ${Math.round(await measureGemmPeak())} GFLOP/s in float32; ${types}`,
    ),
    ...states.filter(({ name }) => name !== 'onnxruntime').map(secondEngine),
    ...(await devices()).map(deviceCheck),
    await check('self-check', selfCheck),
    await hub(),
    await cache(cacheFolder),
  ]
}

function deviceCheck({ name, available, reason = 'unknown', hint, memory }: DeviceState): Check {
  const unavailable = [`not available: ${reason}`, ...(hint === undefined ? [] : [hint])].join('; ')
  const room = memory === undefined ? '' : `, ${gigabytes(memory.free)} of ${gigabytes(memory.total)} free`
  return {
    name: `device ${name}`,
    status: available ? 'ok' : 'note',
    text: available ? `available${room}` : unavailable,
  }
}

/** An engine in addition to the first one, which needs no further library. */
function secondEngine(state: EngineState): Check {
  if (state.available)
    return {
      name: state.name,
      status: 'ok',
      text: `${state.version} in ${state.path ?? 'the package'}; ${typesOf(state).join(', ')}`,
    }
  return {
    name: state.name,
    status: 'note',
    text: [`not available: ${state.reason}`, ...(state.hint === undefined ? [] : [state.hint])].join('; '),
  }
}

async function selfCheck(): Promise<string> {
  const { difference, compared } = await compareWithGolden(
    fileURLToPath(new URL('../../../../assets/golden/bert', import.meta.url)),
  )
  if (!(difference <= goldenTolerance))
    throw new Error(
      `largest difference ${difference.toExponential(1)} to the reference, wanted at most ${goldenTolerance}`,
    )
  return `${compared} tensors of a golden BERT within ${difference.toExponential(1)} of the reference`
}

async function cache(folder: string): Promise<Check> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return { name: 'cache', status: 'ok', text: `${folder}, ${((bavail * bsize) / 1e9).toFixed(0)} GB free` }
  } catch (error) {
    return {
      name: 'cache',
      status: 'failed',
      text: `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function hub(): Promise<Check> {
  const settings = hubSettings()
  const { ok, reason, milliseconds } = await reachable(settings)
  return {
    name: 'hub',
    status: ok ? 'ok' : 'note',
    text: ok
      ? `${settings.endpoint} answers in ${milliseconds ?? 0} ms`
      : `${settings.endpoint} not reached: ${reason ?? 'offline'}; cached models work`,
  }
}

async function check(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, status: 'ok', text: await work() }
  } catch (error) {
    return { name, status: 'failed', text: asFault(error, 'engine.run', name).message }
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}

/** What narrows the number of threads, where something does. */
function limited(): string {
  const { threads, from } = readBudget()
  return from === 'processors'
    ? ''
    : `, ${quantity(threads, 'thread')} by ${from === 'cgroup' ? 'the control group' : from}`
}

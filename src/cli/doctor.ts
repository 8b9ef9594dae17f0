/** Is everything there: machine, engine, devices, hub, and one golden model computed again here. Facts as values; `cli` draws them. */
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { asFault, version } from '#core'
import { openTensors, readFloat32 } from '#files/formats'
import { hubSettings, reachable } from '#files/hub'
import { devices, engineVersion, measureGemmPeak } from '#platform/runtime'
import { compareWithGolden, openModel } from '#experiment/open'

export interface Check {
  readonly name: string
  /** `note` is worth knowing and no defect: an absent GPU, a hub that is switched off. */
  readonly status: 'ok' | 'note' | 'failed'
  readonly text: string
}

/** The golden model that the package carries; reference values are float64, the bound is the one its golden file was published with. */
const goldenTolerance = 1e-5

export async function doctor(): Promise<Check[]> {
  return [
    { name: 'strata', status: 'ok', text: `${version}, Node ${process.versions.node}` },
    {
      name: 'machine',
      status: 'ok',
      text: `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${gigabytes(totalmem())} memory, ${gigabytes(freemem())} free`,
    },
    await check('engine', async () => `onnxruntime ${await engineVersion()}, ${Math.round(await measureGemmPeak())} GFLOP/s in float32`),
    ...(await devices()).map(({ name, available, reason }): Check => ({
      name: `device ${name}`,
      status: available ? 'ok' : 'note',
      text: available ? 'available' : `not available: ${reason ?? 'unknown'}`,
    })),
    await check('self-check', selfCheck),
    await hub(),
  ]
}

async function selfCheck(): Promise<string> {
  const folder = fileURLToPath(new URL('../../assets/golden/bert', import.meta.url))
  await readFile(`${folder}/config.json`)
  const golden = await openTensors(`${folder}/golden.safetensors`)
  const model = await openModel(folder)
  try {
    const { difference, compared } = await compareWithGolden(model, golden, readFloat32)
    if (!(difference <= goldenTolerance))
      throw new Error(`largest difference ${difference.toExponential(1)} to the reference, wanted at most ${goldenTolerance}`)
    return `${compared} tensors of a golden BERT within ${difference.toExponential(1)} of the reference`
  } finally {
    await model.close()
    await golden.close()
  }
}

async function hub(): Promise<Check> {
  const settings = hubSettings()
  const { ok, reason, milliseconds } = await reachable(settings)
  return {
    name: 'hub',
    status: ok ? 'ok' : 'note',
    text: ok ? `${settings.endpoint} answers in ${milliseconds ?? 0} ms` : `${settings.endpoint} not reached: ${reason ?? 'offline'}; cached models work`,
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

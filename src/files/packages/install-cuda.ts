/**
 * ONNX Runtime's provider for CUDA and the libraries of NVIDIA that it needs, each out of its wheel, put together in one
 * folder with a copy of the binding that Node loads.
 */
import { copyFile, link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { makeFolder, openOutputFolder, orWriteFault } from '#platform/disk'
import { cudaVersion, type CudaWheel, cudaWheels, placeIn } from './cuda-wheels.ts'
import { type Installed, installWheel, type InstallOptions } from './install-wheel.ts'

/** The package that loads the libraries. */
export interface EngineFiles {
  readonly version: string
  /** The addon that it loads. */
  readonly binding: string
  /** What its library is called where it is built for CUDA; as long as the name that it has otherwise. */
  readonly cudaLibrary: string
}

export interface CudaOptions extends Omit<InstallOptions, 'onBytes'> {
  /** Wheels to fetch; default: those for this platform. */
  wheels?: readonly CudaWheel[] | undefined
  /** The wheels that are still to come, before the first of them; not called where all are here. */
  onPlan?: ((wheels: readonly CudaWheel[]) => void) | undefined
  /** Bytes that are here by now, of all that are to come. */
  onBytes?: ((byteLength: number, total: number) => void) | undefined
}

/**
 * Puts the libraries into `<home>/<release>`, unless they are there. Wheels that an attempt has finished are not fetched
 * again by the next one. Throws `engine.device` where the package has no CUDA for the platform or is of another release,
 * and what `installWheel` throws.
 */
export async function installCuda(
  home: string,
  engine: EngineFiles,
  { wheels = cudaWheels[`${process.platform}-${process.arch}`], onPlan, onBytes, ...options }: CudaOptions = {},
): Promise<Installed> {
  if (wheels === undefined) {
    const [seen, wanted] = [`${process.platform}-${process.arch}`, Object.keys(cudaWheels)]
    throw fault('engine.device', { place: 'cuda', what: 'the engine has no CUDA on this platform', seen, wanted })
  }
  if (engine.version !== cudaVersion)
    throw fault('engine.device', {
      place: 'onnxruntime-node',
      what: 'the libraries for CUDA are those of another release',
      seen: engine.version,
      wanted: cudaVersion,
      hint: 'install Strata again',
    })
  const done = { folder: join(home, cudaVersion), version: cudaVersion }
  if (await isThere(done.folder)) return { ...done, fetched: false }
  const parts = join(home, 'parts')
  const missing = await findMissing(parts, wheels)
  if (missing.length > 0) onPlan?.(missing)
  const total = missing.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const folders: string[] = []
  let before = 0
  for (const one of wheels) {
    const isMissing = missing.includes(one)
    const { folder } = await installWheel(
      join(parts, one.name),
      { name: one.name, version: one.version, wheel: one.wheel, placeOf: placeIn(one), needs: one.needed },
      { ...options, ...(isMissing && { onBytes: (byteLength: number) => onBytes?.(before + byteLength, total) }) },
    )
    if (isMissing) before += one.byteLength
    folders.push(folder)
  }
  await assemble(done.folder, folders, engine)
  await rm(parts, { recursive: true, force: true })
  return { ...done, fetched: true }
}

async function findMissing(parts: string, wheels: readonly CudaWheel[]): Promise<CudaWheel[]> {
  const there = await Promise.all(wheels.map(({ name, version }) => isThere(join(parts, name, version))))
  return wheels.filter((_, at) => there[at] !== true)
}

/** One folder of all parts, with the binding, and the library that it loads under a name that no other one has. */
async function assemble(
  target: string,
  folders: readonly string[],
  { binding, version, cudaLibrary }: EngineFiles,
): Promise<void> {
  const output = await openOutputFolder(target)
  const library = `libonnxruntime.so.${version}`
  try {
    await orWriteFault(mkdir(join(output.staging, 'licences'), { recursive: true }), target)
    for (const folder of folders) {
      await makeFolder(join(folder, 'licences'))
      for (const place of [...(await readdir(folder)), ...(await licencesIn(folder))])
        if (place !== library && place !== 'licences')
          await linkOrCopy(join(folder, place), join(output.staging, place))
      if (await isThere(join(folder, library)))
        await output.write(cudaLibrary, renamed(await readFile(join(folder, library)), cudaLibrary, library))
    }
    await output.write(basename(binding), renamed(await readFile(binding), cudaLibrary, binding))
    await output.publish()
  } finally {
    await output.release()
  }
}

async function licencesIn(folder: string): Promise<string[]> {
  return (await readdir(join(folder, 'licences'))).map((name) => join('licences', name))
}

/** A second name of the same bytes, or a copy where the file system has no such names. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  await orWriteFault(
    link(from, to).catch(() => copyFile(from, to)),
    to,
  )
}

/** As the loader of the system knows it, with its end. */
const ownName = 'libonnxruntime.so.1\0'

/**
 * The bytes with the library's name replaced, once, by one of the same length: as what it calls itself, or as what it
 * asks for. Everything else stays where it is.
 */
function renamed(bytes: Buffer, name: string, place: string): Uint8Array {
  const at = bytes.indexOf(ownName)
  if (at < 0 || bytes.indexOf(ownName, at + 1) >= 0 || name.length + 1 !== ownName.length)
    throw fault('engine.device', { place, what: 'the name of the library does not stand in it once', wanted: ownName })
  const copy = Uint8Array.from(bytes)
  copy.set(Buffer.from(`${name}\0`), at)
  return copy
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Where OpenVINO's libraries may lie on this machine; looked for in the file system alone, no program is started. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fault } from '#core'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The C API; the libraries it needs are in the same folder. A version may follow the name, and the highest is taken.
 */
const fileNames = {
  linux: /^libopenvino_c\.so(?:\.[\d.]+)?$/,
  darwin: /^libopenvino_c(?:\.[\d.]+)?\.dylib$/,
  win32: /^openvino_c\.dll$/,
} as const

/** Any other entry next to such a folder is unfinished. */
const released = /^\d[\d.]*$/

const onInstall =
  'fetch it with strata doctor --install openvino, or name the folder of its libraries in STRATA_OPENVINO'

/** Where `strata doctor --install openvino` puts one folder for each version. */
export function openVinoHome(env: Environment = process.env): string {
  return join(resolve(env['STRATA_CACHE'] ?? join(homedir(), '.cache', 'strata')), 'openvino')
}

/** The file of OpenVINO's C API. Throws `engine.device` that says where was looked. */
export function findOpenVino(env: Environment = process.env): string {
  const named = env['STRATA_OPENVINO']
  if (named !== undefined && named !== '') {
    const found = libraryAt(named) ?? libraryAt(join(named, 'openvino', 'libs')) ?? libraryAt(join(named, 'libs'))
    // Named and not there is a mistake; another one found elsewhere would hide it.
    if (found === undefined)
      throw fault('engine.device', {
        place: 'STRATA_OPENVINO',
        what: 'no OpenVINO library found there',
        seen: named,
        hint: onInstall,
      })
    return found
  }
  const places = knownPlaces(env)
  for (const { folders } of places) {
    for (const folder of folders) {
      const found = libraryAt(folder)
      if (found !== undefined) return found
    }
  }
  throw fault('engine.device', {
    place: 'openvino',
    what: 'OpenVINO is not on this machine',
    seen: `looked in ${places.map(({ name }) => name).join(', ')}`,
    hint: onInstall,
  })
}

/** In the order in which they count. */
function knownPlaces(env: Environment): { name: string; folders: readonly string[] }[] {
  const home = openVinoHome(env)
  const python = pythonPrefixes(env)
  return [
    { name: 'STRATA_OPENVINO', folders: [] },
    {
      name: home,
      folders: newestFirst(entries(home).filter((name) => released.test(name))).map((version) => join(home, version)),
    },
    { name: 'openvino-node', folders: nodePackage() },
    {
      name: 'the Python package openvino',
      folders: python.flatMap(sitePackages).map((site) => join(site, 'openvino', 'libs')),
    },
    { name: 'the folders of the system', folders: systemFolders(env) },
  ]
}

function nodePackage(): string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve('openvino-node/package.json')), 'bin')]
  } catch {
    return []
  }
}

/** Environments that are active, then the folders around every python on the PATH. */
function pythonPrefixes(env: Environment): string[] {
  const active = [env['VIRTUAL_ENV'], env['CONDA_PREFIX']]
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => ['python3', 'python', 'python.exe'].some((name) => existsSync(join(folder, name))))
  const around = onPath.map((folder) => (process.platform === 'win32' ? folder : dirname(folder)))
  const ofUser = process.platform === 'win32' ? undefined : join(homedir(), '.local')
  return [
    ...new Set([...active, ...around, ofUser].filter((prefix) => prefix !== undefined && prefix !== '')),
  ] as string[]
}

function sitePackages(prefix: string): string[] {
  const versions = newestFirst(entries(join(prefix, 'lib')).filter((name) => /^python3(?:\.\d+)?$/.test(name))).map(
    (name) => join(prefix, 'lib', name),
  )
  return [
    ...versions.flatMap((folder) => [join(folder, 'site-packages'), join(folder, 'dist-packages')]),
    join(prefix, 'Lib', 'site-packages'),
  ]
}

function systemFolders(env: Environment): string[] {
  const arch = process.arch === 'x64' ? 'x86_64-linux-gnu' : 'aarch64-linux-gnu'
  const intel = env['INTEL_OPENVINO_DIR']
  const suite = (root: string): string[] =>
    ['lib/intel64', 'lib/aarch64', 'lib/arm64/Release', 'bin/intel64/Release'].map((folder) =>
      join(root, 'runtime', folder),
    )
  return [
    ...(intel === undefined ? [] : suite(intel)),
    ...(env['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...(process.platform === 'win32'
      ? []
      : [
          '/usr/local/lib',
          '/usr/lib64',
          `/usr/lib/${arch}`,
          '/usr/lib',
          '/opt/homebrew/lib',
          ...suite('/opt/intel/openvino'),
        ]),
  ]
}

/** The library itself, or the one in a folder. */
function libraryAt(path: string): string | undefined {
  const pattern = fileNames[process.platform as keyof typeof fileNames] ?? fileNames.linux
  try {
    if (statSync(path).isFile()) return resolve(path)
  } catch {
    return undefined
  }
  const [newest] = newestFirst(entries(path).filter((name) => pattern.test(name)))
  return newest === undefined ? undefined : resolve(path, newest)
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function newestFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

/** `strata doctor`: checks the installation, and downloads missing libraries on request. */
import { type CudaWheel, installCuda, type Installed, installOpenVino } from '#files/packages'
import { cudaHome, enginePackage, openVinoHome } from '#platform/runtime'
import { checks } from './checks.ts'
import type { CommandRun, Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { cacheFolder } from '../../options/model-options.ts'
import { row } from '../../lines/rows.ts'

const marks = { ok: 'ok  ', note: 'note', failed: 'FAIL' } as const

export const run: CommandRun<Flags> = async (_args, flags, terminal) => {
  if (flags.install !== undefined) {
    const { title, installed } = await install(flags.install, terminal)
    const { folder, version, fetched } = installed
    terminal.note(`${title} ${version} ${fetched ? 'installed in' : 'is already in'} ${folder}`)
  }
  const found = await checks(cacheFolder(flags))
  for (const { name, status, text } of found)
    terminal.print(
      flags.json === true
        ? JSON.stringify({ name, status, text })
        : `${marks[status]}  ${row(name, text, { width: 13 })}`,
    )
  return found.some(({ status }) => status === 'failed') ? 1 : 0
}

type Library = NonNullable<Flags['install']>

async function install(library: Library, terminal: Terminal): Promise<{ title: string; installed: Installed }> {
  const { signal } = terminal
  switch (library) {
    case 'openvino':
      return { title: 'OpenVINO', installed: await installOpenVino(openVinoHome(), { signal }) }
    case 'cuda': {
      const installed = await installCuda(cudaHome(), enginePackage(), {
        signal,
        onPlan: (wheels) => {
          for (const line of planLines(wheels)) terminal.note(line)
        },
        onBytes: (done, total) => terminal.progress({ stage: `fetch ${library}`, done, total, unit: 'bytes' }),
      })
      return { title: 'ONNX Runtime for CUDA', installed }
    }
    default:
      return library satisfies never
  }
}

function planLines(wheels: readonly CudaWheel[]): string[] {
  const total = wheels.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const lines = wheels.map(
    ({ name, version, byteLength, licence }) => `  ${name} ${version}, ${inMegabytes(byteLength)}, ${licence}`,
  )
  return [
    `fetching ${inMegabytes(total)}, half as much again on the disk, under the licences of their makers:`,
    ...lines,
  ]
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}

/** `strata doctor`: is everything there. */
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { doctor, type Check } from '../doctor.ts'
import type { CommandRun } from '../commands.ts'
import { cacheFolder } from '../options.ts'
import { row } from '../table.ts'

const marks = { ok: 'ok  ', note: 'note', failed: 'FAIL' } as const

export const run: CommandRun<'doctor'> = async (_args, flags, terminal) => {
  const checks = [...(await doctor()), await cacheCheck(cacheFolder(flags))]
  for (const { name, status, text } of checks)
    terminal.print(flags.json === true ? JSON.stringify({ name, status, text }) : `${marks[status]}  ${row(name, text, { width: 13 })}`)
  return checks.some(({ status }) => status === 'failed') ? 1 : 0
}

async function cacheCheck(folder: string): Promise<Check> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    return { name: 'cache', status: 'ok', text: `${folder}, ${((bavail * bsize) / 1e9).toFixed(0)} GB free` }
  } catch (error) {
    return { name: 'cache', status: 'failed', text: `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}` }
  }
}

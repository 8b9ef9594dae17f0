import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { describe as describeReference, openModel } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { shared, sharedPath } from '../../shared.ts'

/** Rows of the folder's SOURCE.md: file, and what a correct reader does. */
const rows =
  shared === undefined
    ? []
    : readFileSync(sharedPath('models/pico/hostile/SOURCE.md'), 'utf8')
        .split('\n')
        .flatMap((line) => {
          const [, file, , wanted] = line.split('|').map((cell) => cell.trim())
          return file !== undefined && wanted !== undefined && /^(safetensors|pickle|zip|npy|config|index|tokenizer)\//.test(file) && wanted !== '–'
            ? [{ file, wanted }]
            : []
        })

const hostile = (file: string): string => sharedPath('models/pico/hostile', file)

/** `read`, `refused` with a code, or what else came out. */
async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'read'
  } catch (error) {
    return error instanceof Fault ? error.code : `no fault: ${String(error)}`
  }
}

/** What the third column allows. Only a plain "refuse" must refuse, only a plain "read" must read; the rest may do either, but only with a fault. */
function allowed(wanted: string, seen: string): boolean {
  const code = /^[a-z]+\.[a-z]+$/.test(seen)
  if (/^refuse(?!( or|: or))/.test(wanted)) return code && seen !== 'internal'
  if (/^read$|^read\b(?!.*refuse)/.test(wanted)) return seen === 'read'
  return seen === 'read' || code
}

async function describing(work: string, file: string): Promise<unknown> {
  const kind = file.split('/')[0] ?? ''
  switch (kind) {
    case 'config': {
      const folder = join(work, basename(file, '.json'))
      await cp(sharedPath('models/pico/bert'), folder, { recursive: true })
      await rm(join(folder, 'config.json'), { force: true })
      await cp(hostile(file), join(folder, 'config.json'))
      return describeReference(folder)
    }
    case 'index':
      return describeReference(hostile(file).replace(/\/[^/]*$/, ''))
    case 'tokenizer': {
      const folder = join(work, basename(file, '.json'))
      const chat = basename(file).startsWith('chat-')
      await cp(sharedPath('models/pico/sentence-transformers/mean-normalize'), folder, { recursive: true })
      const target = join(folder, chat ? 'tokenizer_config.json' : 'tokenizer.json')
      const text = await readFile(hostile(file), 'utf8')
      const whole = chat ? JSON.stringify({ ...(JSON.parse(await readFile(target, 'utf8')) as object), ...(JSON.parse(text) as object) }) : text
      await rm(target, { force: true })
      await writeFile(target, whole)
      const model = await openModel(folder, chat ? { chat: true } : {})
      try {
        return await encode(model, ['How do I locate my card?', `${'a'.repeat(40)}b`, 'zzqx ☃'])
      } finally {
        await model.close()
      }
    }
    default:
      return describeReference(hostile(file))
  }
}

describe.skipIf(shared === undefined)('hostile files', () => {
  let work: string
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'strata-hostile-'))
  })
  afterAll(() => rm(work, { recursive: true, force: true }))

  test('the list has not shrunk', () => {
    expect(rows.length).toBeGreaterThan(100)
  })

  test.each(rows)('$file: $wanted', { timeout: 20_000 }, async ({ file, wanted }) => {
    const seen = await outcome(() => describing(work, file))
    expect({ seen, allowed: allowed(wanted, seen) }).toEqual({ seen, allowed: true })
  })

  test('nothing was executed', async () => {
    for (const folder of [process.cwd(), work, '/tmp', sharedPath('models/pico/hostile')]) {
      expect((await readdir(folder)).filter((name) => name.includes('PWNED'))).toEqual([])
    }
  })
})

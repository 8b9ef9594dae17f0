import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pairsTask } from '../../cli/pairs-task.ts'
import { strata } from '../../cli/program.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const model = join(import.meta.dirname, '../../../assets/models/stories260K')
const task = pairsTask(file, 'pairs', 'once upon a time')

async function scored(folder: string, representation: string): Promise<string> {
  const kept = ['--results', path(`${folder}-results`), '--cache-dir', path(`${folder}-cache`)]
  const asked = ['evaluate', model, '--task-file', task, '--representation', representation, '--json']
  const { stdout } = await strata([...asked, ...kept])
  const [line = ''] = stdout.split('\n')
  const { scores, strata: about } = JSON.parse(line) as { scores: object; strata: { status: string } }
  expect(about.status).toBe('ok')
  return JSON.stringify(scores)
}

test('every size and type answers as in empty folders, whatever was scored there before, in both orders', async () => {
  const names = ['default', 'default:8', 'default:int8', 'default:8:int8', 'default:uint8', 'default:binary', 'h2:3']
  const fresh = new Map<string, string>()
  for (const name of names) fresh.set(name, await scored(`fresh-${names.indexOf(name)}`, name))
  // uint8 has the steps of int8: their cosines differ
  expect(new Set(fresh.values()).size).toBeGreaterThanOrEqual(names.length - 1)
  for (const [folder, order] of [['forth', names] as const, ['back', names.toReversed()] as const])
    for (const name of order)
      expect({ name, scores: await scored(folder, name) }).toEqual({ name, scores: fresh.get(name) })
})

/** Hands in, asks and takes back, with programs of Slurm's names that write down what they are asked. */
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cancel, queue, submit, submitted } from '#experiment/workers'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const program = (name: string, lines: string): void =>
  chmodSync(file(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> "${path('asked')}"\n${lines}\n`), 0o755)
const asked = (): string[] => readFileSync(path('asked'), 'utf8').trim().split('\n')
const gone = 'echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1'

afterEach(() => void vi.unstubAllEnvs())
beforeEach(() => {
  vi.stubEnv('PATH', `${path('bin')}:/usr/bin:/bin`)
  mkdirSync(path('bin'), { recursive: true })
  file('asked', '')
  program('sbatch', 'echo "41;mycluster"')
  program('squeue', gone)
  program('scancel', '')
})

test('the number is kept, whatever cluster stands behind it, and the script and the folder of logs are there', async () => {
  const folder = path('a folder')
  expect(await submit(folder, '#!/bin/bash\n', { tasks: 3, logs: path('a folder/logs') })).toEqual({
    id: '41',
    tasks: 3,
  })
  expect([asked(), await submitted(folder)]).toEqual([[`sbatch --parsable ${folder}/slurm.sh`], { id: '41', tasks: 3 }])
  expect([readFileSync(`${folder}/slurm.sh`, 'utf8'), existsSync(`${folder}/logs`)]).toEqual(['#!/bin/bash\n', true])
})

test('a second one is refused while the first is queued, and not after', async () => {
  const hand = (): Promise<unknown> => submit(path('twice'), '#!/bin/bash\n', { tasks: 1, logs: path('twice/logs') })
  await hand()
  program('squeue', 'echo "41_0|PENDING||0:00|Resources"')
  await expect(hand()).rejects.toMatchObject({
    code: 'usage.conflict',
    message: expect.stringContaining('array 41 is already running the jobs'),
  })
  expect(asked().filter((line) => line.startsWith('sbatch'))).toHaveLength(1)
  program('squeue', gone)
  expect(await hand()).toEqual({ id: '41', tasks: 1 })
})

test('the queue is read field by field; an array that Slurm forgot is an empty one; other refusals are told', async () => {
  program('squeue', `printf '%s\\n' '41_0|RUNNING|n1|1-02:03:04|None' '41_1|PENDING||0:00|(a|b) c'`)
  expect(await queue('41')).toEqual([
    { task: '41_0', state: 'RUNNING', node: 'n1', time: '1-02:03:04', reason: 'None' },
    { task: '41_1', state: 'PENDING', node: '', time: '0:00', reason: '(a|b) c' },
  ])
  expect(asked()).toEqual(['squeue --array --noheader --jobs 41 --format %i|%T|%N|%M|%r'])
  program('squeue', gone)
  expect(await queue('41')).toEqual([])
  program('squeue', 'echo "squeue: error: Unable to contact slurm controller" >&2; exit 1')
  await expect(queue('41')).rejects.toMatchObject({
    code: 'cluster.refused',
    message: expect.stringContaining('Unable to contact slurm controller'),
  })
})

test('what was handed in is taken back once', async () => {
  await submit(path('back'), '#!/bin/bash\n', { tasks: 2, logs: path('back/logs') })
  expect([await cancel(path('back')), await cancel(path('back'))]).toEqual([{ id: '41', tasks: 2 }, undefined])
  expect(asked().filter((line) => line.startsWith('scancel'))).toEqual(['scancel 41'])
})

test('a refusal leaves nothing that could be taken back', async () => {
  program('sbatch', 'echo "sbatch: error: invalid partition" >&2; exit 1')
  await expect(submit(path('no'), '#!/bin/bash\n', { tasks: 1, logs: path('no/logs') })).rejects.toMatchObject({
    code: 'cluster.refused',
    message: expect.stringContaining('invalid partition'),
  })
  expect(await submitted(path('no'))).toBeUndefined()
})

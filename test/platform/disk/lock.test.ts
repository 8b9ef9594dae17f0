import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newOwner, takeLock } from '#platform/disk'
import { builtDoor } from '../../built.ts'
import { scratchFolder } from '../../scratch.ts'
import { until } from '../../until.ts'

const { path } = scratchFolder()
/** Gives up as soon as the holder is known to live. */
const unlessAlive = { giveUp: ({ alive }: { alive: true | undefined }): boolean => alive === true, beatSeconds: 0.02 }
const program = `
import { takeLock } from ${JSON.stringify(builtDoor('platform/disk'))}
const lock = await takeLock(process.argv.at(-1), { giveUp: () => false })
console.log('taken')
process.stdin.resume() // stays until it is killed, or its parent is gone
`

/** A process that has taken the lock. */
async function holding(
  lock: string,
): Promise<{ pid: number | undefined; kill: () => Promise<unknown>; stop: () => void }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', lock], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return {
    pid: child.pid,
    stop: () => child.kill('SIGSTOP'),
    kill() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

describe('a lock', () => {
  test('of a process that lives is not taken over, be it stopped; of one that was killed it is', async () => {
    const lock = path('contested')
    const other = await holding(lock)
    expect(await takeLock(lock, unlessAlive)).toBeUndefined()
    other.stop()
    let looks = 0
    const seen: unknown[] = []
    const giveUp = (holder: unknown): boolean => {
      seen.push(holder)
      return ++looks > 200 // of which 120 would be silence enough
    }
    expect(await takeLock(lock, { giveUp, beatSeconds: 0.02 })).toBeUndefined()
    expect(seen.at(-1)).toEqual({ pid: String(other.pid), alive: true })
    await other.kill()
    const taken = await takeLock(lock, { giveUp: () => true })
    expect(readFileSync(lock, 'utf8')).toContain(`-${process.pid}-`)
    await taken?.release()
    expect(readdirSync(path('.'))).toEqual([])
  })

  test('of a dead process that many find at once: one after another has it', async () => {
    const gone = await holding(path('gone'))
    await gone.kill()
    const dead = readFileSync(path('gone'), 'utf8')
    rmSync(path('gone'))
    const most: number[] = []
    for (let round = 0; round < 40; round++) {
      const lock = path(`many-${round}`)
      writeFileSync(lock, dead)
      let [inside, looks, waiting] = [0, 0, 12]
      // Whoever waits looks now and then; each stays inside until somebody has looked.
      const giveUp = (): boolean => ++looks < 0
      const hold = async (): Promise<number> => {
        const taken = await takeLock(lock, { giveUp, beatSeconds: 0.02 })
        const [seen, before] = [++inside, looks]
        if (--waiting > 0) await until(() => looks > before, { milliseconds: 1 })
        inside--
        await taken?.release()
        return seen
      }
      most.push(Math.max(...(await Promise.all(Array.from({ length: 12 }, hold)))))
    }
    expect(most).toEqual(most.map(() => 1))
    expect(readdirSync(path('.'))).toEqual([])
  })

  test('is taken from a stopped process where two owners do no harm', async () => {
    const lock = path('stopped')
    const other = await holding(lock)
    other.stop()
    const taken = await takeLock(lock, { giveUp: () => false, beatSeconds: 0.02, fromStopped: true })
    expect(readFileSync(lock, 'utf8')).toContain(`-${process.pid}-`)
    await other.kill()
    await taken?.release()
    expect(existsSync(lock)).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('of a process whose number another has by now is taken over', async () => {
    const lock = path('number')
    writeFileSync(lock, newOwner().replace(/-\d+-(\w+)$/, '-1-$1'))
    const taken = await takeLock(lock, { giveUp: () => true })
    expect(taken).toBeDefined()
    await taken?.release()
  })

  test.each(['deadbeef-1-0-00000000', 'deadbeef-1-00000000', '', 'text of nobody'])(
    'of an owner that cannot be asked (%j) is respected while it beats, taken over when it is silent',
    async (owner) => {
      const lock = path('elsewhere')
      writeFileSync(lock, owner)
      // It beats whenever it is looked at.
      const giveUp = (holder: Parameters<typeof unlessAlive.giveUp>[0]): boolean => {
        writeFileSync(lock, owner)
        return unlessAlive.giveUp(holder)
      }
      expect(await takeLock(lock, { ...unlessAlive, giveUp })).toBeUndefined()
      const taken = await takeLock(lock, unlessAlive)
      expect(readFileSync(lock, 'utf8')).toContain(`-${process.pid}-`)
      await taken?.release()
    },
  )

  test('is one at a time within a process, and each gets it in the end', async () => {
    const lock = path('turns')
    let [inside, most, looks, waiting] = [0, 0, 0, 8]
    const giveUp = (): boolean => ++looks < 0
    const turn = async (): Promise<void> => {
      const taken = await takeLock(lock, { giveUp, beatSeconds: 0.02 })
      most = Math.max(most, ++inside)
      const before = looks
      if (--waiting > 0) await until(() => looks > before, { milliseconds: 1 })
      inside--
      await taken?.release()
    }
    await Promise.all(Array.from({ length: 8 }, turn))
    expect([inside, most, existsSync(lock)]).toEqual([0, 1, false])
  })

  test('that another took over meanwhile is not removed by its former owner', async () => {
    const lock = path('stolen')
    const taken = await takeLock(lock, { giveUp: () => true })
    rmSync(lock)
    writeFileSync(lock, 'deadbeef-1-0-00000000')
    await taken?.release()
    expect(existsSync(lock)).toBe(true)
  })

  test('where nothing can be written is a fault', async () => {
    writeFileSync(path('file'), '')
    await expect(takeLock(path('file/lock'), { giveUp: () => true })).rejects.toMatchObject({
      code: 'file.write',
      parts: { seen: 'ENOTDIR' },
    })
  })
})

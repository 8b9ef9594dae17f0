import { describe, expect, test } from 'vitest'
import { strata } from './program.ts'
import { running } from './serving.ts'

const model = 'assets/models/stories260K'

describe('strata serve', () => {
  test('answers at the address that it prints, asks for the key of the environment, and ends on SIGTERM', async () => {
    const env = { SOME_KEY: 'a key', OMP_NUM_THREADS: '1' }
    const { used, code, printed } = await running([model, '--api-key-env', 'SOME_KEY'], env, async (address) => {
      const ask = (authorization: string): Promise<Response> =>
        fetch(`${address}/v1/embeddings`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ model: 'stories260K#h2', input: 'Once upon a time' }),
        })
      const [good, bad] = [await ask('Bearer a key'), await ask('Bearer another')]
      return [good.status, ((await good.json()) as { data: unknown[] }).data.length, bad.status]
    })
    expect(used).toEqual([200, 1, 401])
    expect(printed).not.toContain('a key')
    expect(code).toBe(0)
  })

  test('the plan says what will be served, without a socket', async () => {
    const { code, stdout } = await strata(['serve', model, '--representation', 'h3,mean:1-2', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('http://127.0.0.1:8080, key not asked')
    expect(stdout).toContain('stories260K: h3, mean:1-2; memory ≤')
  })

  test.each([
    [['serve'], 'no model is named'],
    [['serve', model, '--host', '0.0.0.0'], 'no key is asked of them'],
    [['serve', model, '--api-key-env', 'NO_SUCH_VARIABLE'], 'export NO_SUCH_VARIABLE='],
    [['serve', model, '--no-key', '--api-key-env', 'PATH'], 'cannot be combined'],
    [['serve', model, '--port', '70000'], 'a whole number from 0 to 65535'],
    [['serve', model, model], 'two models of one name'],
    [['serve', model, '--representation', 'h77'], 'no such hidden state'],
    [['serve', model, '--representation', 'h2-maxsim'], 'vector'],
    [['serve', model, '--representation', 'splade'], 'no masked-LM head'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await strata(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})

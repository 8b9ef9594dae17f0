import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Gauges, json, listen, type ListenOptions, openGauges, routeMakers, settleListening } from '#serve/http'
import { until } from '../../until.ts'

interface World {
  readonly gone: unknown[]
  release: () => void
}

const { get, post } = routeMakers<World>()
const routes = [
  get({ path: '/open', dialect: 'tei', summary: 'open', isOpen: true, run: () => Promise.resolve(json('here')) }),
  get({
    path: '/slow',
    dialect: 'openai',
    summary: 'waits until it is released, or the client goes',
    run: (_, { world, signal }) =>
      new Promise((resolve) => {
        world.release = () => resolve(json('late'))
        signal.addEventListener('abort', () => {
          world.gone.push(signal.aborted)
          resolve(json('gone'))
        })
      }),
  }),
  get({
    path: '/bad',
    dialect: 'openai',
    summary: 'throws',
    run: () => Promise.reject(new Error('secret: the/file')),
  }),
  get({
    path: '/stream',
    dialect: 'openai',
    summary: 'three events',
    run: () =>
      Promise.resolve({
        kind: 'stream',
        events: (async function* () {
          for (const n of [1, 2, 3]) yield { n }
        })(),
      }),
  }),
  post({
    path: '/twice',
    dialect: 'openai',
    summary: 'doubles',
    schema: (z) => z.strictObject({ value: z.number() }),
    run: ({ value }) => Promise.resolve(json(2 * value)),
  }),
]

async function withServer(
  options: Omit<ListenOptions, 'signal'>,
  use: (address: string, world: World, stop: () => void, gauges: Gauges) => Promise<void>,
): Promise<void> {
  const world: World = { gone: [], release: () => undefined }
  const controller = new AbortController()
  const gauges = openGauges()
  let ended = Promise.resolve()
  const address = await new Promise<string>((resolve, reject) => {
    const settled = settleListening({ port: 0, signal: controller.signal, onOpen: resolve, ...options })
    ended = listen(routes, world, { ...settled, gauges })
    ended.catch(reject)
  })
  try {
    await use(address, world, () => controller.abort(), gauges)
  } finally {
    controller.abort()
    world.release()
    await ended
  }
}

const asked = async (address: string, path: string, init: RequestInit = {}): Promise<[number, string]> => {
  const response = await fetch(address + path, init)
  return [response.status, await response.text()]
}
const sent = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

/** What fetch does not let one send. */
function raw(address: string, head: string): Promise<string> {
  const { port, hostname } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(`${head}\r\nConnection: close\r\n\r\n`))
    let text = ''
    socket.on('data', (piece) => (text += piece.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** Sends bytes as they stand, and reads until the first answer is there. */
function whole(address: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (piece) => {
      socket.destroy()
      resolve(piece.toString())
    })
    socket.on('error', reject)
  })
}

/** Sends bytes, and goes. */
function left(address: string, bytes: string): Promise<void> {
  const { port, hostname } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()))
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

describe('who may ask', () => {
  test('a key is asked for everywhere but where a route is open, and is in no answer', async () => {
    await withServer({ key: 'right' }, async (address) => {
      expect((await asked(address, '/open'))[0]).toBe(200)
      for (const authorization of [undefined, 'Bearer wrong', 'right', 'Bearer right ', 'Basic right']) {
        const [status, text] = await asked(
          address,
          '/twice',
          sent({ value: 1 }, authorization === undefined ? {} : { authorization }),
        )
        // fetch itself cuts the space off at the end of a header
        expect([authorization, status]).toEqual([authorization, authorization === 'Bearer right ' ? 200 : 401])
        expect(text).not.toContain('right')
      }
      expect(await asked(address, '/twice', sent({ value: 4 }, { authorization: 'Bearer right' }))).toEqual([200, '8'])
      expect((await asked(address, '/nowhere'))[0]).toBe(401)
    })
  })

  test('a name that somebody else made mean this machine is refused', async () => {
    await withServer({}, async (address) => {
      expect(await raw(address, 'GET /open HTTP/1.1\r\nHost: evil.example')).toContain('HTTP/1.1 403')
      for (const host of ['localhost:1', '127.0.0.1', '[::1]:80', 'LOCALHOST'])
        expect(await raw(address, `GET /open HTTP/1.1\r\nHost: ${host}`)).toContain('HTTP/1.1 200')
    })
  })

  test('another address of this machine answers under its own name', async () => {
    await withServer({ host: '127.0.0.2' }, async (address) => {
      expect(await asked(address, '/open')).toEqual([200, '"here"'])
    })
  })

  test('pages of other origins only where they are named', async () => {
    await withServer({ origins: ['https://a.example'] }, async (address) => {
      const from = (origin: string): Promise<Response> => fetch(`${address}/open`, { headers: { origin } })
      expect((await from('https://b.example')).status).toBe(403)
      const there = await from('https://a.example')
      expect([there.status, there.headers.get('access-control-allow-origin')]).toEqual([200, 'https://a.example'])
      expect((await from(address)).headers.get('access-control-allow-origin')).toBeNull()
      const before = await fetch(`${address}/twice`, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })
      expect([before.status, before.headers.get('access-control-allow-headers')]).toEqual([
        204,
        'authorization, content-type',
      ])
    })
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'my-machine'])('host %s without a key is refused', (host) => {
    const { signal } = new AbortController()
    expect(() => settleListening({ host, signal })).toThrow(/no key is asked/)
    expect(settleListening({ host, signal, key: 'k' }).host).toBe(host)
    expect(settleListening({ host, signal, noKey: true }).host).toBe(host)
  })
})

describe('what is asked', () => {
  test('bodies that do not fit say where', async () => {
    await withServer({ maxBody: 100 }, async (address) => {
      const cases: [unknown, number, string][] = [
        [{ valu: 1 }, 400, 'did you mean value?'],
        [{ value: 'x' }, 400, 'body:1:10'],
        ['{"value":', 400, 'text ends inside a value'],
        ['', 400, ''],
        [{ value: 1, x: 'x'.repeat(200) }, 413, 'too large'],
      ]
      for (const [body, status, words] of cases) {
        const [seen, text] = await asked(address, '/twice', sent(body))
        expect([body, seen]).toEqual([body, status])
        expect(text).toContain(words)
      }
    })
  })

  test.each([
    [415, { 'content-type': 'text/plain' }],
    [415, { 'content-type': 'application/json-patch+json' }],
    [415, { 'content-type': 'application/json; charset=utf-16' }],
    [415, { 'content-encoding': 'gzip' }],
    [200, { 'content-type': 'Application/JSON; charset="UTF-8"', 'content-encoding': 'identity' }],
    [200, { 'content-type': 'application/json; profile=x' }],
  ] as [number, Record<string, string>][])('%i for %j', async (status, headers) => {
    await withServer({}, async (address) => {
      expect((await asked(address, '/twice', sent({ value: 1 }, headers)))[0]).toBe(status)
    })
  })

  test('bytes that are not UTF-8, and pieces that are too many together', async () => {
    await withServer({ maxBody: 100 }, async (address) => {
      const { headers = {} } = sent('')
      const bytes = (body: Uint8Array): RequestInit => ({ method: 'POST', headers, body: Buffer.from(body) })
      const [status, text] = await asked(address, '/twice', bytes(Buffer.from('{"value":1,"x":"\xff"}', 'latin1')))
      expect([status, text]).toEqual([400, expect.stringContaining('not UTF-8 text')])
      const head = `POST /twice HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`
      const piece = '{"value":4, "x": "'.padEnd(30)
      const chunks = `${`1e\r\n${piece}\r\n`.repeat(4)}0\r\n\r\n`
      expect(await whole(address, `${head}\r\n\r\n${chunks}`)).toContain('HTTP/1.1 413')
      expect(await whole(address, `${head}\r\n\r\nb\r\n{"value":4}\r\n0\r\n\r\n`)).toContain('HTTP/1.1 200')
    })
  })

  test('a client that goes before the end of its body is no failure of the server', async () => {
    const failures: string[] = []
    await withServer({ onFailure: ({ message }) => failures.push(message) }, async (address, _, __, gauges) => {
      for (const framing of ['Content-Length: 100\r\n\r\n{"value"', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"val']) {
        const head = 'POST /twice HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json'
        await left(address, `${head}\r\n${framing}`)
      }
      await until(() => gauges.text().includes('strata_requests_total{path="/twice",status="499"} 2'))
      expect(failures).toEqual([])
      expect(gauges.text()).toContain('\nstrata_queue_requests 0\n')
    })
  })

  test('addresses and methods that are not there, in the words of the interface', async () => {
    await withServer({}, async (address) => {
      expect(await asked(address, '/nowhere')).toEqual([404, expect.stringContaining('"code":"path"')])
      expect(await asked(address, '/twice')).toEqual([405, expect.stringContaining('"code":"method"')])
      expect(await asked(address, '/open', sent({}))).toEqual([
        405,
        expect.stringContaining('"error_type":"validation"'),
      ])
    })
  })

  test('a failure of the program is 500, and only its own output says which; streams end as OpenAI’s do', async () => {
    const failures: string[] = []
    await withServer({ onFailure: ({ message }) => failures.push(message) }, async (address) => {
      const [status, text] = await asked(address, '/bad')
      expect([status, text.includes('"type":"server_error"'), text.includes('secret')]).toEqual([500, true, false])
      expect(failures).toEqual(['/bad: secret: the/file'])
      expect(await asked(address, '/stream')).toEqual([
        200,
        'data: {"n":1}\n\ndata: {"n":2}\n\ndata: {"n":3}\n\ndata: [DONE]\n\n',
      ])
    })
  })

  test('the document of the interface comes from the schemas', async () => {
    await withServer({}, async (address) => {
      const [, text] = await asked(address, '/openapi.json')
      const { paths, openapi } = JSON.parse(text) as {
        openapi: string
        paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>
      }
      expect(openapi).toBe('3.1.0')
      expect(Object.keys(paths)).toEqual(routes.map(({ path }) => path))
      expect(paths['/twice']?.['post']?.requestBody?.content['application/json']?.schema).toMatchObject({
        type: 'object',
        properties: { value: { type: 'number' } },
        required: ['value'],
        additionalProperties: false,
      })
    })
  })
})

describe('how it ends', () => {
  test('a connection may rest longer than clients usually let it', async () => {
    await withServer({}, async (address) => {
      // a client that asks again just when its connection ends has lost its request
      expect((await fetch(`${address}/open`)).headers.get('keep-alive')).toBe('timeout=75')
    })
  })

  test('beyond the queue clients are told to come again', async () => {
    await withServer({ maxQueue: 1 }, async (address, world) => {
      const slow = asked(address, '/slow')
      await until(async () => (await fetch(`${address}/twice`, sent({ value: 1 }))).status === 429)
      const busy = await fetch(`${address}/twice`, sent({ value: 1 }))
      expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '1'])
      world.release()
      expect(await slow).toEqual([200, '"late"'])
      expect((await asked(address, '/twice', sent({ value: 1 })))[0]).toBe(200)
    })
  })

  test('who asks for the head of a stream takes no place in the queue', async () => {
    await withServer({ maxQueue: 1 }, async (address) => {
      for (const _ of [1, 2, 3]) expect((await fetch(`${address}/stream`, { method: 'HEAD' })).status).toBe(200)
      expect((await asked(address, '/twice', sent({ value: 1 })))[0]).toBe(200)
    })
  })

  test('a route hears that its client has gone', async () => {
    await withServer({}, async (address, world) => {
      const controller = new AbortController()
      let released = false
      const slow = fetch(`${address}/slow`, { signal: controller.signal }).catch(() => (released = true))
      const first = world.release
      await until(() => world.release !== first)
      controller.abort()
      await slow
      expect(released).toBe(true)
      await until(() => world.gone.length === 1)
    })
  })

  test('a stop finishes what runs, and takes nothing new', async () => {
    await withServer({}, async (address, world, stop) => {
      const first = world.release
      const slow = asked(address, '/slow')
      await until(() => world.release !== first)
      stop()
      await expect(fetch(`${address}/open`)).rejects.toThrow('fetch failed')
      world.release()
      expect(await slow).toEqual([200, '"late"'])
    })
  })

  test('a port that is taken', async () => {
    await withServer({}, async (address) => {
      const { signal } = new AbortController()
      const settled = settleListening({ port: Number(new URL(address).port), signal })
      await expect(
        listen(routes, { gone: [], release: () => undefined }, { ...settled, gauges: openGauges() }),
      ).rejects.toMatchObject({ code: 'server.network', message: expect.stringContaining('the port is taken') })
    })
  })
})

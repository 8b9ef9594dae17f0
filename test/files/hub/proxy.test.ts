import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { hubSettings, openRepo } from '#files/hub'
import { proxiesOf } from '../../../src/files/hub/proxy.ts'
import { brisk, codeOf, noise, sameBytes, scene, settingsFor, tinyModel } from './scene.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A proxy that remembers what it was asked: absolute addresses are fetched, CONNECT is tunnelled or refused. */
async function proxyServer({ user, tunnels = true }: { user?: string; tunnels?: boolean } = {}): Promise<{
  address: string
  seen: string[]
}> {
  const seen: string[] = []
  const wanted = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
  const server = createServer((message, response) => {
    seen.push(`${message.method} ${message.url}`)
    if (message.headers['proxy-authorization'] !== wanted) {
      response.writeHead(407).end()
      return
    }
    const { 'proxy-authorization': _, ...headers } = message.headers
    const onward = request(message.url ?? '', { method: message.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    message.pipe(onward)
  })
  server.on('connect', (message, socket) => {
    seen.push(`CONNECT ${message.url}`)
    if (!tunnels) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const [host, port] = (message.url ?? '').split(':')
    const onward = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    onward.pipe(socket).pipe(onward)
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { address: `${user === undefined ? '' : `${user}@`}127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

describe('a proxy', () => {
  test('is gone through, with its user name, and the bytes are the same', async () => {
    const weights = noise(300_000, 7)
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    const proxy = await proxyServer({ user: 'me:p%40ss'.replace('%40', '@') })
    const address = proxy.address.replace('me:p@ss@', 'me:p%40ss@')
    const settings = settingsFor(hub, cacheFolder, { HTTP_PROXY: address })
    const files = await openRepo('org/tiny', { settings })
    expect(await sameBytes(await files.local('model.safetensors'), weights)).toBe(true)
    expect(proxy.seen).toHaveLength(hub.requests.length)
    expect(proxy.seen[0]).toBe(`GET ${hub.endpoint}/api/models/org/tiny/revision/main`)
  })

  test('is passed by for hosts in NO_PROXY', async () => {
    const { hub, cacheFolder } = await scene([tinyModel()])
    const proxy = await proxyServer()
    const settings = settingsFor(hub, cacheFolder, { http_proxy: proxy.address, NO_PROXY: 'localhost,127.0.0.1' })
    await (await openRepo('org/tiny', { settings })).local('config.json')
    expect(proxy.seen).toEqual([])
  })

  test('makes a tunnel for https; one that refuses says so', async () => {
    const proxy = await proxyServer({ tunnels: false })
    const { cacheFolder } = await scene([])
    const settings = {
      ...hubSettings({
        HF_ENDPOINT: 'https://hub.invalid',
        HF_HUB_CACHE: cacheFolder,
        HF_TOKEN_PATH: '/nowhere',
        HTTPS_PROXY: proxy.address,
      }),
      patience: brisk,
    }
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.network')
    expect(proxy.seen).toEqual(['CONNECT hub.invalid:443'])
  })

  test('makes a tunnel for https, and TLS is spoken through it', async () => {
    const { hub, cacheFolder } = await scene([tinyModel()])
    const proxy = await proxyServer()
    const endpoint = hub.endpoint.replace('http:', 'https:')
    const settings = {
      ...hubSettings({
        HF_ENDPOINT: endpoint,
        HF_HUB_CACHE: cacheFolder,
        HF_TOKEN_PATH: '/nowhere',
        HTTPS_PROXY: proxy.address,
      }),
      patience: { ...brisk, retries: 0 },
    }
    // the hub of the tests speaks no TLS: the greeting reaches it and is not understood
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.network')
    expect(proxy.seen).toEqual([`CONNECT ${new URL(endpoint).host}`])
  })
})

describe('which proxy', () => {
  const env = {
    HTTPS_PROXY: 'http://secure:1',
    HTTP_PROXY: 'plain:2',
    NO_PROXY: 'corp.net, .internal,*.wild.org,10.0.0.0/8,192.168.1.1,only.org:8080,fd00::/8',
  }
  test.each([
    ['https://huggingface.co/x', 'http://secure:1'],
    ['http://huggingface.co/x', 'http://plain:2'],
    ['https://corp.net/', undefined],
    ['https://a.b.corp.net/', undefined],
    ['https://notcorp.net/', 'http://secure:1'],
    ['https://a.internal/', undefined],
    ['https://x.wild.org/', undefined],
    ['http://10.20.30.40/', undefined],
    ['http://11.20.30.40/', 'http://plain:2'],
    ['http://192.168.1.1/', undefined],
    ['http://[fd12::1]/', undefined],
    ['http://[fe12::1]/', 'http://plain:2'],
    ['http://only.org:8080/', undefined],
    ['http://only.org/', 'http://plain:2'],
  ])('%s → %s', (address, expected) => {
    expect(proxiesOf(env)(new URL(address))?.origin).toBe(expected)
  })

  test('small letters go before, ALL_PROXY stands in for both, * means none, and an empty variable is none', () => {
    const hub = new URL('https://huggingface.co')
    expect(proxiesOf({ HTTPS_PROXY: 'a:1', https_proxy: 'b:1' })(hub)?.host).toBe('b:1')
    expect(proxiesOf({ ALL_PROXY: 'c:1' })(hub)?.host).toBe('c:1')
    expect(proxiesOf({ ALL_PROXY: 'c:1', NO_PROXY: '*' })(hub)).toBeUndefined()
    expect(proxiesOf({ HTTPS_PROXY: '' })(hub)).toBeUndefined()
  })

  test('that is none stops the run and is not shown', () => {
    const proxy = proxiesOf({ HTTPS_PROXY: 'socks5://me:secret@host' })
    expect(() => proxy(new URL('https://huggingface.co'))).toThrow(
      /^HTTPS_PROXY: not the address of a proxy – wanted http:\/\/host:port$/,
    )
    expect(proxy(new URL('http://huggingface.co'))).toBeUndefined()
  })
})

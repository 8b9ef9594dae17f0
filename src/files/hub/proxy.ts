/**
 * Which proxy a request goes through: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, small letters first, as curl and
 * Python's requests read them.
 */
import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { fault } from '#core'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A function from an address to the proxy on the way there, or undefined; it throws `usage.value` when that proxy is no
 * http or https address.
 */
export function proxiesOf(env: Environment): (url: URL) => URL | undefined {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined
  const all = read('ALL_PROXY')
  const direct = (read('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean)
  return (url) => {
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
    const proxy = read(name) ?? all
    return proxy === undefined || direct.some((entry) => isDirect(url, entry)) ? undefined : proxyAddress(name, proxy)
  }
}

function proxyAddress(name: string, text: string): URL {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  // The value may hold a password: it is not shown.
  if (!url || !/^https?:$/.test(url.protocol))
    throw fault('usage.value', { place: name, what: 'not the address of a proxy', wanted: 'http://host:port' })
  return url
}

/**
 * An entry of NO_PROXY: `*`, a host with everything below it (`.corp.net`, `*.corp.net`, `corp.net`), an address, a
 * range of addresses; all but the last with a port.
 */
function isDirect({ hostname, port, protocol }: URL, entry: string): boolean {
  if (entry === '*') return true
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const [, network, bits] = /^([\d.]+|[\da-f:]+)\/(\d+)$/i.exec(entry) ?? []
  if (network !== undefined && bits !== undefined) return isInside(host, network, Number(bits))
  const [, name = entry, wanted] = isIP(entry) ? [] : (/^\[?(.+?)\]?:(\d+)$/.exec(entry) ?? [])
  if (wanted !== undefined && wanted !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const suffix = name.toLowerCase().replace(/^\*?\./, '')
  return host === suffix || (!isIP(host) && host.endsWith(`.${suffix}`))
}

function isInside(host: string, network: string, bits: number): boolean {
  if (!isIP(host) || isIPv4(host) !== isIPv4(network) || !isIP(network) || bits > (isIPv4(network) ? 32 : 128))
    return false
  const list = new BlockList()
  list.addSubnet(network, bits, isIPv4(network) ? 'ipv4' : 'ipv6')
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}

/** Header that a proxy with a user name in its address wants. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(secret).toString('base64')}` }
}

/**
 * A TLS connection to the target through the proxy (RFC 9110 §9.3.6); throws `hub.network` when the proxy refuses, and
 * what the connections throw.
 */
export async function tunnel(proxy: URL, target: URL, signal: AbortSignal | undefined): Promise<Duplex> {
  const authority = `${target.hostname}:${target.port || 443}`
  const socket = await new Promise<Duplex>((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? overTls : overHttp)(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      agent: false,
      signal,
    })
    request.once('error', reject)
    request.once('connect', ({ statusCode }, connection) => {
      if (statusCode === 200) return resolve(connection)
      connection.destroy()
      const hint = 'check HTTPS_PROXY, its user name and password, and NO_PROXY'
      reject(
        fault('hub.network', {
          place: proxy.host,
          what: `the proxy does not connect to ${authority}`,
          seen: statusCode,
          hint,
        }),
      )
    })
    request.end()
  })
  return connect({ socket, servername: isIP(target.hostname) ? '' : target.hostname, ALPNProtocols: ['http/1.1'] })
}

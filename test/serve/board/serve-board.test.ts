import { rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { planBoard } from '#serve/board'
import { madeFolder } from '../../result/report/made-folder.ts'
import { scratchFolder } from '../../scratch.ts'
import { endJob, makeRun } from './made-run.ts'
import { noticesOf, servedBoard } from './served-board.ts'

const { path } = scratchFolder()

async function firstWhole(address: string, headers?: Record<string, string>) {
  for await (const notice of noticesOf(address, headers)) if (notice.isWhole) return notice
  throw new Error('the connection ended')
}

describe('a board', () => {
  test('says what there is to show, again whenever it changes, and sends it part by part', async () => {
    const root = await madeFolder(path('live'))
    const { address, post } = await servedBoard([root])
    const hashes: (string | undefined)[] = []
    for await (const { isWhole, sections } of noticesOf(address)) {
      if (!isWhole) continue
      const hash = sections.find(({ id }) => id === 'unreadable')?.hash
      if (hashes.at(-1) === hash && hashes.length > 0) continue
      hashes.push(hash)
      if (hashes.length === 1) writeFileSync(join(root, 'org__model', 'main', 'Broken.json'), '{')
      if (hashes.length === 2) rmSync(join(root, 'org__model', 'main', 'Broken.json'))
      if (hashes.length === 3) break
    }
    expect(hashes).toEqual([undefined, expect.any(String), undefined])
    const [status, { html }] = await post('/part', { id: 'representations', sort: 1, order: 'descending' })
    expect([status, /<tbody.*?<th[^>]*>([^<]*)/s.exec(html)?.[1]]).toEqual([200, 'h2'])
    const [, filtered] = await post('/part', { id: 'results', words: 'h10 labels' })
    expect(filtered.html.match(/<tr/g)).toHaveLength(2)
  })

  test('shows a result down to its items and texts, by an address that is no path', async () => {
    const root = await madeFolder(path('items'))
    const { address, post } = await servedBoard([root], {
      textsOf: (_, items) => Promise.resolve(items.map(({ item, of }) => [`text ${item} of ${of}`])),
    })
    await firstWhole(address)
    const [, { html: list }] = await post('/part', { id: 'results', words: 'h2 Labels' })
    const id = /#result=([0-9a-f]+)/.exec(list)?.[1] ?? ''
    const [status, { html }] = await post('/result', { id, from: 150 })
    expect(status).toBe(200)
    expect(html).toContain('Rows 151–200 of 200')
    expect(html).toContain('text 199 of 200')
    for (const none of ['0', '../../etc/passwd', join(root, 'org__model', 'main', 'Labels.json')])
      expect((await post('/result', { id: none }))[0]).toBe(400)
  })

  test('texts that cannot be had leave the items', async () => {
    const root = await madeFolder(path('no-texts'))
    const { address, post } = await servedBoard([root], { textsOf: () => Promise.reject(new Error('not downloaded')) })
    await firstWhole(address)
    const [, { html: list }] = await post('/part', { id: 'results', words: 'h2 Labels' })
    const [, { html }] = await post('/result', { id: /#result=([0-9a-f]+)/.exec(list)?.[1] ?? '' })
    expect(html).toContain('not downloaded')
    expect(html).toContain('Rows 1–50 of 200')
  })

  test('two rows side by side, item by item', async () => {
    const { address, post } = await servedBoard([await madeFolder(path('side'))])
    await firstWhole(address)
    const [status, { html }] = await post('/compare', { first: 'h2', second: 'h0' })
    expect([status, html.includes('h2 and h0'), html.includes('paired bootstrap')]).toEqual([200, true, true])
    expect((await post('/compare', { first: 'h2', second: 'h2' }))[0]).toBe(400)
    expect((await post('/compare', { first: 'h2', second: 'nobody' }))[0]).toBe(400)
  })

  test('follows a run while its jobs end', async () => {
    const run = path('run')
    makeRun(run, 3)
    const { address, post } = await servedBoard([run])
    let [at, said] = [0, '']
    for await (const { isWhole } of noticesOf(address)) {
      if (!isWhole) continue
      const [, { html }] = await post('/part', { id: 'now' })
      said = /\d of 3 jobs done[^<]*/.exec(html)?.[0] ?? ''
      if (said.startsWith(`${at} of 3`) && at < 3) endJob(run, at++)
      if (said === '3 of 3 jobs done') break
    }
    expect(said).toBe('3 of 3 jobs done')
  })

  test('ends while pages follow it, and their connections with it', async () => {
    const { address, stop } = await servedBoard([await madeFolder(path('ends'))])
    const versions: number[] = []
    for await (const { version } of noticesOf(address)) {
      versions.push(version)
      if (versions.length === 1) void stop()
    }
    expect(versions.length).toBeGreaterThan(0)
    await stop()
  })
})

describe('who may ask', () => {
  test('the page says nothing without the key, and everything else asks for it', async () => {
    const root = await madeFolder(path('locked'))
    const { address, post } = await servedBoard([root], { key: 'secret' })
    const page = await fetch(address)
    const html = await page.text()
    expect([page.status, html.includes('org/model'), html.includes('secret')]).toEqual([200, false, false])
    expect([(await fetch(`${address}/events`)).status, (await post('/part', { id: 'now' }))[0]]).toEqual([401, 401])
    const headers = { authorization: 'Bearer secret' }
    await firstWhole(address, headers)
    expect((await post('/part', { id: 'now' }, headers))[0]).toBe(200)
  })

  test('the page lets nothing else in, and nobody frames it', async () => {
    const { address } = await servedBoard([await madeFolder(path('policy'))])
    const response = await fetch(address)
    const html = await response.text()
    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(html).toMatch(/default-src 'none'; [^"]*connect-src 'self'; base-uri 'none'; form-action 'none'/)
    expect([...html.matchAll(/\b(?:src|href|action)="(?!#|data:,)[^"]*"/g)].map(([found]) => found)).toEqual([])
  })

  test('a name that a page elsewhere gave this machine is refused, and so is a foreign origin', async () => {
    const { address, post } = await servedBoard([await madeFolder(path('hosts'))])
    const status = await new Promise((resolve) =>
      request(address, { headers: { host: 'evil.example' } }, (response) => resolve(response.statusCode)).end(),
    )
    expect(status).toBe(403)
    expect((await post('/part', { id: 'now' }, { origin: 'https://evil.example' }))[0]).toBe(403)
    expect((await post('/part', { id: 'now', path: '/etc' }))[0]).toBe(400)
  })

  test('another host needs a key, and a folder must be there', async () => {
    const signal = new AbortController().signal
    await expect(planBoard([path('policy')], { host: '0.0.0.0', signal })).rejects.toMatchObject({
      code: 'usage.conflict',
    })
    await expect(planBoard([path('typo')], { signal })).rejects.toMatchObject({ code: 'file.missing' })
    expect(await planBoard([path('policy')], { host: '0.0.0.0', noKey: true, signal })).toMatchObject({ port: 8081 })
  })
})

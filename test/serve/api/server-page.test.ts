import { beforeAll, describe, expect, test } from 'vitest'
import { browser, chromium, seriousFindings } from '../../browser.ts'
import { served, type ServedAddress } from './served-address.ts'

const model = 'assets/models/stories260K'

test('with a key, the page is for everyone and names no model', async () => {
  const server = await served([model], { key: 'secret', representations: ['mean:1-2'] })
  const { status, text } = await server.get('/')
  expect([status, text.includes('stories260K'), text.includes('secret'), text.includes('mean:1-2')]).toEqual([
    200,
    false,
    false,
    false,
  ])
  expect(text).toContain('authorization: Bearer $KEY')
  expect((await server.get('/v1/models')).status).toBe(401)
  await server.stop()
})

describe.skipIf(chromium === undefined)('in a browser', () => {
  const open = browser()
  let server: ServedAddress
  beforeAll(async () => {
    server = await served([model], { representations: ['mean:1-2'] })
  })

  test.each([
    [1280, 'light'],
    [400, 'dark'],
  ] as const)(
    'at %i pixels, %s: models, addresses and an example, without a complaint or a request elsewhere',
    async (width, scheme) => {
      const { page, complaints, requests } = await open(server.address, { width, scheme })
      const text = await page.$eval('body', ({ textContent }) => textContent ?? '')
      for (const word of ['stories260K', '#mean:1-2', 'POST /v1/embeddings', `curl ${server.address}/v1/embeddings`])
        expect(text).toContain(word)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await seriousFindings(page)).toEqual([])
      expect([complaints, requests]).toEqual([[], []])
    },
  )

  test('its example is answered', async () => {
    const { page } = await open(server.address)
    const example = await page.$eval('pre', ({ textContent }) => textContent ?? '')
    const [, body = ''] = /-d '(.*)'$/s.exec(example) ?? []
    const { status, json } = await server.post('/v1/embeddings', body)
    expect([status, json.data?.length]).toEqual([200, 2])
  })
})

/** A headless Chromium for pages, where the machine has one; tests without it are skipped, and counted. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll } from 'vitest'

/** `$CHROMIUM`, else where Debian and others put it. */
export const chromium: string | undefined = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path))

export interface Opened {
  readonly page: Page
  /** Errors and warnings of the console, and exceptions. */
  readonly complaints: string[]
  /** Addresses asked for, beside the page itself. */
  readonly requests: string[]
}

/** Opens files, or addresses of this machine, in one browser for the whole test file. */
export function browser(): (
  path: string,
  size?: { width?: number; height?: number; scheme?: 'light' | 'dark' },
) => Promise<Opened> {
  let started: Promise<Browser> | undefined
  afterAll(async () => (await started)?.close())
  return async (path, { width = 1280, height = 900, scheme = 'light' } = {}) => {
    // a container's root may not make the sandbox's namespaces; nothing but our own files is opened
    started ??= import('puppeteer-core').then(({ default: puppeteer }) =>
      puppeteer.launch({
        executablePath: chromium ?? '',
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      }),
    )
    const page = await (await started).newPage()
    const [complaints, requests]: [string[], string[]] = [[], []]
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    const isServed = /^https?:/.test(path)
    const address = isServed ? path : pathToFileURL(path).href
    page.on('request', (request) => {
      const url = request.url()
      const isOwn = isServed ? new URL(url).origin === new URL(address).origin : url === address
      if (!isOwn && !url.startsWith('data:')) requests.push(url)
    })
    await page.setViewport({ width, height })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(address)
    return { page, complaints, requests }
  }
}

/** Serious and critical findings of axe-core, as `rule: element`. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // past the page's own policy, which lets no other script in
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (options: object) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
      }
    }
    // what passes is counted, not described: of thousands of cells that is most of the time
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

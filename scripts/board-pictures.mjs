// Pictures of the board for the documents, at two widths: node scripts/board-pictures.mjs ADDRESS
// Needs a board that runs (`strata board FOLDER`), a build, and Chromium ($CHROMIUM, or /usr/bin/chromium).
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'

const [address] = process.argv.slice(2)
if (address === undefined) throw new Error('node scripts/board-pictures.mjs http://127.0.0.1:8081')
const browser = await puppeteer.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
try {
  for (const [name, width, height] of [
    ['board', 1280, 520],
    ['board-phone', 400, 800],
  ]) {
    const page = await browser.newPage()
    await page.setViewport({ width, height })
    await page.goto(address)
    await page.waitForSelector('#results tbody tr', { timeout: 120_000 })
    await page.waitForSelector('#at-pictures svg', { timeout: 120_000 })
    await page.screenshot({ path: join('docs', 'pictures', `${name}.png`) })
    console.log(`wrote docs/pictures/${name}.png`)
  }
} finally {
  await browser.close()
}

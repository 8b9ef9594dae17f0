/** What every page has around its content: style, scripts, and a policy that lets nothing else in. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { compiledSibling } from '#platform/threads'
import { pageStyle } from './page-style.ts'
import { escaped } from './page-tables.ts'

export interface PageShell {
  readonly title: string
  /** Content of `main`, and of the footer. */
  readonly main: string
  readonly footer: string
  readonly scripts: readonly string[]
  /** Whether its scripts ask the server that the page came from. */
  readonly isLive?: boolean | undefined
}

/** Scripts of tables and pictures: they sort, filter, and show values. */
export function pageScripts(): Promise<string[]> {
  return Promise.all(
    ['tables', 'pictures'].map((name) => readFile(compiledSibling(import.meta.url, `client/${name}`), 'utf8')),
  )
}

export function pageShell({ title, main, footer, scripts, isLive = false }: PageShell): string {
  const codes = scripts.map(script)
  const hashes = codes.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`).join(' ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${hashes || "'none'"}${isLive ? "; connect-src 'self'" : ''}; base-uri 'none'; form-action 'none'">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${pageStyle()}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
</header>
<main>
${main}
</main>
<footer><p>${footer}</p></footer>
<div id="tip" role="status" hidden></div>
${codes.map((code) => `<script type="module">${code}</script>`).join('\n')}
</body>
</html>
`
}

/** Compiled code never contains the end tag of its element; if it did, no page would be written. */
function script(code: string): string {
  return code.replaceAll('</', String.raw`<\/`)
}

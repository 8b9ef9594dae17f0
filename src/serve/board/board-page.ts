/** The page of a board: the report's parts around what its script brings. */
import { readFile } from 'node:fs/promises'
import { version } from '#core'
import { compiledSibling } from '#platform/threads'
import { escaped, pageScripts, pageShell } from '#result/report'

/** Contains no result: whoever may see the page need not have the key. */
export async function boardPage(title: string): Promise<string> {
  const live = await readFile(compiledSibling(import.meta.url, 'client/live'), 'utf8')
  return pageShell({
    title,
    isLive: true,
    scripts: [...(await pageScripts()), live],
    main: `<p id="state" class="note" role="status">Connecting …</p>
<form id="key" hidden><label for="key-input">Key of the server</label> <input id="key-input" type="password" autocomplete="off"> <button>Open</button></form>
<form id="compare" hidden><label for="first">Compare</label> <input id="first" list="rows" autocomplete="off"> <label for="second">with</label> <input id="second" list="rows" autocomplete="off"> <button>Compare</button><datalist id="rows"></datalist></form>
<section id="detail" aria-live="off" hidden></section>
<div id="board"></div>
<noscript><p>This page needs its own script; strata report makes a page that does not.</p></noscript>`,
    footer: `Made by strata ${escaped(version)}; strata report makes a page to keep.`,
  })
}

/** Style of a page: light and dark, on a phone, on paper. */
import { recoloured } from '#result/pictures'

const rules = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --quiet: #57606a; --line: #d8dee4; --best: #0b5d3b; --failed: #a40e26; --shade: #f6f8fa; --link: #0550ae }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --quiet: #9da7b3; --line: #30363d; --best: #56d364; --failed: #ff8182; --shade: #161b22; --link: #79c0ff } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 90rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; background: var(--paper); color: var(--ink) }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin: 2rem 0 .4rem; overflow-wrap: anywhere }
p { margin: .2rem 0; max-width: 70rem; overflow-wrap: anywhere }
.note, footer { color: var(--quiet) }
a { color: var(--link) }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem }
label { display: inline-block; margin: .4rem 0 }
input { font: inherit; padding: .25rem .4rem; border: 1px solid var(--quiet); border-radius: 4px; background: var(--paper); color: var(--ink) }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line) }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .2rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: bottom; white-space: nowrap }
td { text-align: right }
td.t { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 7rem; max-width: 44rem }
thead th { position: sticky; top: 0; background: var(--shade); z-index: 1 }
tbody th { position: sticky; left: 0; background: var(--paper); font-weight: normal; max-width: 46vw; overflow-wrap: anywhere; white-space: normal }
thead th:first-child { left: 0; z-index: 2 }
th button { all: unset; cursor: pointer; font-weight: 600 }
th button:focus-visible, .plot:focus-visible, .scroll:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
th.n { text-align: right }
.wide th.n button { writing-mode: vertical-rl; transform: rotate(180deg) }
th[aria-sort=ascending] button::after { content: ' ↑' }
th[aria-sort=descending] button::after { content: ' ↓' }
.b { font-weight: 700; color: var(--best) }
.f { color: var(--failed) }
tbody tr:hover > * { background: var(--shade) }
figure { margin: 1.5rem 0 }
.plot { overflow-x: auto }
.plot svg { display: block }
.pointed { stroke: var(--ink); stroke-width: 3px }
#tip { position: absolute; max-width: min(24rem, 90vw); padding: .3rem .5rem; border-radius: 4px; background: var(--ink); color: var(--paper); font-size: .85rem; pointer-events: none; z-index: 5; overflow-wrap: anywhere }
@media (max-width: 600px) { body { padding: .6rem; font-size: 14px } th, td { padding: .2rem .35rem } }
@media print { .scroll { overflow: visible; max-height: none; border: 0 } label, nav, #tip { display: none } thead th, tbody th { position: static } table { font-size: 7pt } section, figure { break-inside: auto } tr { break-inside: avoid } }
`

/** One text for the page; pictures are drawn for light paper, and rules change their inks. */
export function pageStyle(): string {
  const turned = recoloured().map(({ selector, rule }) => `.plot ${selector} { ${rule} }`)
  return `${rules}@media screen and (prefers-color-scheme: dark) {\n${turned.join('\n')}\n}\n`
}

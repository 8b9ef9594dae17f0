/** Style of a page: light and dark, on a phone, on paper. */
import { recoloured } from '#result/pictures'

const rules = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --quiet: #57606a; --line: #d8dee4; --best: #0b5d3b; --failed: #a40e26; --shade: #f6f8fa; --link: #0550ae }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --quiet: #9da7b3; --line: #30363d; --best: #56d364; --failed: #ff8182; --shade: #161b22; --link: #79c0ff } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 116rem; padding: 1rem; font: 15px/1.45 system-ui, sans-serif; background: var(--paper); color: var(--ink) }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; overflow-wrap: break-word }
h2 { font-size: 1.2rem; margin: 2rem 0 .4rem; overflow-wrap: break-word }
h3 { font-size: 1rem; margin: 0 }
p { margin: .2rem 0; max-width: 70rem; overflow-wrap: break-word }
.opening { margin: .5rem 0 1rem; display: grid; gap: 1rem; max-width: 62rem }
.answer { font-size: 1.1rem; margin: 0 }
.note, footer { color: var(--quiet) }
a { color: var(--link) }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem }
label { display: inline-block; margin: .4rem 0 }
input { font: inherit; padding: .25rem .4rem; border: 1px solid var(--quiet); border-radius: 4px; background: var(--paper); color: var(--ink) }
summary { cursor: pointer }
summary { margin: 1.2rem 0 .4rem }
summary h2 { display: inline }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line); width: fit-content; max-width: 100% }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .2rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: bottom; white-space: nowrap }
td { text-align: right }
td.t { text-align: left; white-space: normal; overflow-wrap: break-word; min-width: 9rem; max-width: 44rem }
thead th { position: sticky; top: 0; background: var(--shade); z-index: 1; white-space: normal }
tbody th { position: sticky; left: 0; background: var(--paper); font-weight: normal; max-width: min(46vw, 24rem); min-width: 6rem; overflow-wrap: break-word; white-space: normal; border-right: 1px solid var(--line) }
thead th:first-child { left: 0; z-index: 2; border-right: 1px solid var(--line) }
th button { all: unset; cursor: pointer; font-weight: 600 }
th button:focus-visible, summary:focus-visible, .plot:focus-visible, .scroll:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
th.n { text-align: right }
.wide th.n button { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap }
th[aria-sort=ascending] button::after { content: ' ↑' }
th[aria-sort=descending] button::after { content: ' ↓' }
.b { font-weight: 700; color: var(--best) }
.f { color: var(--failed) }
tbody tr:hover > * { background: var(--shade) }
.figures { columns: 35rem; column-gap: 1.5rem }
figure { margin: 0; min-width: 0 }
.figures figure { break-inside: avoid; margin-bottom: 1.5rem }
.figures .broad { column-span: all }
.plot { overflow-x: auto; margin-top: .4rem }
.plot svg { display: block; width: 100%; height: auto }
.narrow-plot { display: none }
.pointed { stroke: var(--ink); stroke-width: 3px }
#tip { position: absolute; max-width: min(24rem, 90vw); padding: .3rem .5rem; border-radius: 4px; background: var(--ink); color: var(--paper); font-size: .85rem; pointer-events: none; z-index: 5; overflow-wrap: break-word }
@media (min-width: 1500px) { .opening { grid-template-columns: minmax(26rem, 2fr) minmax(40rem, 3fr); gap: 2rem; max-width: none } }
@media (max-width: 600px) {
  body { padding: .6rem; font-size: 14px }
  .answer { font-size: 1rem }
  th, td { padding: .2rem .35rem }
  .scroll { max-height: 75vh }
  .wide-plot { display: none }
  .narrow-plot { display: block }
  .scroll:has(.cards) { border: 0; width: auto; max-height: none }
  .cards, .cards thead, .cards tbody, .cards tr, .cards th, .cards td { display: block; position: static; max-width: none; min-width: 0; border: 0 }
  .cards thead tr { display: flex; flex-wrap: wrap; gap: 0 .6rem; background: var(--shade) }
  .cards thead button, .wide.cards th.n button { writing-mode: horizontal-tb; transform: none }
  .cards tbody tr { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .3rem }
  .cards tbody th { font-weight: 600 }
  .cards td { display: flex; justify-content: space-between; gap: 1rem; white-space: normal; text-align: right }
  .cards td.t { text-align: right }
  .cards td::before { content: attr(data-title); color: var(--quiet); text-align: left; flex: none }
}
@media print { .scroll { overflow: visible; max-height: none; border: 0 } label, nav, #tip { display: none } thead th, tbody th { position: static } table { font-size: 7pt } details, section, figure { break-inside: auto } tr { break-inside: avoid } details::details-content { content-visibility: visible; display: block; height: auto } }
`

/** One text for the page; pictures are drawn for light paper, and rules change their inks. */
export function pageStyle(): string {
  const turned = recoloured().map(({ selector, rule }) => `.plot ${selector} { ${rule} }`)
  return `${rules}@media screen and (prefers-color-scheme: dark) {\n${turned.join('\n')}\n}\n`
}

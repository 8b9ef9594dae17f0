/** Links between the documents lead somewhere. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { type Document, documentAt, documents, root } from './documents.ts'

/** Anchors as GitHub makes them of headings: a second one of a name is numbered. */
function anchorsOf({ prose }: Document): string[] {
  const seen = new Map<string, number>()
  return [...prose.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

function isBroken(from: Document, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const place = path === '' ? from.path : relative(root, join(root, dirname(from.path), path))
  if (!existsSync(join(root, place))) return true
  const page = documents.find((one) => one.path === place)
  return anchor !== undefined && (page === undefined || !anchorsOf(page).includes(anchor))
}

test.each(documents.map((page) => [page.path, page] as const))('%s', (_, page) => {
  const targets = [...page.prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !/^[a-z]+:/.test(target) && isBroken(page, target))).toEqual([])
})

test('every page below docs/ is linked from its index', () => {
  const { text: index } = documentAt('docs/README.md')
  const pages = documents.map(({ path }) => path).filter((path) => /^docs\/(?!README)/.test(path))
  expect(pages.filter((path) => !index.includes(`(${path.slice('docs/'.length)})`))).toEqual([])
})

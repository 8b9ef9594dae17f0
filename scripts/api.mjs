// docs/api: one page per public door, made by typedoc from the declarations in dist – signatures, doc comments, examples. Needs the built program.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { load } from 'typedoc-plugin-markdown'
import { doors } from '../.dependency-cruiser.mjs'

const made = '<!-- made by scripts/api.mjs from src/doors and the doc comments; do not edit -->'

/** Path → text of every page. Throws where typedoc warns: a broken link, a tag that it does not know. */
export async function apiPages() {
  const folder = mkdtempSync(join(tmpdir(), 'strata-api-'))
  const app = await Application.bootstrapWithPlugins({
    plugin: [load],
    outputs: [{ name: 'markdown', path: folder }],
    tsconfig: 'scripts/api.tsconfig.json',
    // a name that several doors export has its page behind the first of them
    entryPoints: [...Object.keys(doors).map((door) => `dist/doors/${door}.d.ts`), 'dist/index.d.ts'],
    // the declarations were checked when they were made
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    readme: 'none',
    name: 'strata-lm',
    logLevel: 'Warn',
    treatWarningsAsErrors: true,
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    sort: ['alphabetical'],
    groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', 'Type Aliases', 'References'],
    router: 'module',
    entryFileName: 'README.md',
    flattenOutputFiles: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    // the signature says their types
    parametersFormat: 'none',
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
    pageTitleTemplates: { module: ({ name }) => (name === 'strata-lm' ? name : `strata-lm/${name}`) },
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
    expandParameters: true,
    expandObjects: true,
  })
  const project = await app.convert()
  if (project === undefined || app.logger.hasErrors())
    throw new Error('docs/api: typedoc could not read the declarations')
  try {
    await app.generateOutputs(project)
    if (app.logger.hasWarnings() || app.logger.hasErrors()) throw new Error('docs/api: typedoc warned, see above')
    const pages = ['strata-lm', ...Object.keys(doors)].map((name) => [
      name,
      slim(readFileSync(join(folder, `${name}.md`), 'utf8')),
    ])
    const anchors = new Map(pages.map(([name, text]) => [`${name}.md`, anchorsOf(text)]))
    return Object.fromEntries([
      ['docs/api/README.md', index(pages)],
      ...pages.map(([name, text]) => [`docs/api/${name}.md`, `${made}\n${linked(text, `${name}.md`, anchors)}`]),
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without what the signature above already says, and without anchors inside of tables. */
function slim(page) {
  return page
    .replaceAll(/\n#+ Returns\n\n[^\n]+\n(?=\n(?:\*\*\*|#)|$)/g, '')
    .replaceAll(/<a id="[^"]*"><\/a> /g, '')
    .replaceAll(
      /__namedParameters\d*(\??): ([A-Z]\w*)?/g,
      (_, optional, type = '') => `${parameterName(type)}${optional}: ${type}`,
    )
    .replaceAll(
      /^(function \w+(?:<[^>]*>)?\()\n([^)]*)\n(\).*)$/gm,
      (_, open, parameters, close) =>
        onOneLine(`${open}${parameters.trim().replaceAll(/\s*\n\s*/g, ' ')}${close}`) ??
        `${open}\n${parameters.replaceAll(/ +$/gm, '')}\n${close}`,
    )
}

/** Title → anchor, as GitHub makes them: a second one of a name is numbered. typedoc counts headings that it does not write. */
function anchorsOf(page) {
  const seen = new Map()
  const anchors = new Map()
  for (const [, title] of page.matchAll(/^#+ (.+)$/gm)) {
    const plain = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(plain) ?? 0
    seen.set(plain, before + 1)
    if (!anchors.has(title)) anchors.set(title, before === 0 ? plain : `${plain}-${before}`)
  }
  return anchors
}

function linked(page, path, anchors) {
  return page.replaceAll(/\[(`?)(\w+)\1\]\(([\w-]*(?:\.md)?)#[\w-]+\)/g, (link, tick, name, to) => {
    const known = anchors.get(to === '' ? path : to)
    const anchor = known?.get(name) ?? known?.get(`${name}()`)
    if (anchor === undefined) throw new Error(`docs/api: ${link} on ${path} leads nowhere`)
    return `[${tick}${name}${tick}](${to}#${anchor})`
  })
}

/** A parameter that is taken apart has no name in the declarations. */
const parameterName = (type) =>
  type === '' || /Options$|^(?:Partial|Pick|Omit)$/.test(type)
    ? 'options'
    : `${type.charAt(0).toLowerCase()}${type.slice(1)}`

const onOneLine = (signature) => (signature.length <= 120 ? signature : undefined)

/** The first paragraph of every page. */
function index(pages) {
  const rows = pages.map(([name, text]) => {
    const [, first = ''] = text.split('\n\n')
    return `| [\`${name === 'strata-lm' ? name : `strata-lm/${name}`}\`](${name}.md) | ${first.replaceAll('\n', ' ')} |`
  })
  return `${made}
# The library

\`import { openModel } from 'strata-lm'\` gives what most programs need; everything else has a door of its own, \`import { pearson } from 'strata-lm/linalg'\`.
Types come along; errors are \`Fault\`s with a \`code\` from a closed list, which each page names. A call whose \`signal\` is aborted ends with \`run.cancelled\` or with the reason of the signal. What may change in which release: [versioning](../versioning.md).

| import from | |
|---|---|
${rows.join('\n')}

Every example on these pages runs in \`npm test\`, in a folder with the files of [test/docs/example-files](../../test/docs/example-files) and [assets](../../assets), and prints what stands behind its arrow.
`
}

/** The documents of the repository as their readers see them: prose, code between backticks, blocks of code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '..', '..')

/** Every file of the repository, as its path from the root: what is installed, built or left by a run is none. */
export const files: readonly string[] = filesBelow('')

function filesBelow(folder: string): string[] {
  const skipped = folder === '' ? ['node_modules', 'dist', 'results', 'coverage'] : []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skipped.includes(name))
    .flatMap((entry) =>
      !entry.isDirectory()
        ? [join(folder, entry.name)]
        : entry.name.startsWith('.')
          ? []
          : filesBelow(join(folder, entry.name)),
    )
}

export interface Document {
  readonly path: string
  readonly text: string
  readonly blocks: readonly CodeBlock[]
  /** The text without its blocks. */
  readonly prose: string
  /** What stands between backticks in the prose. */
  readonly code: readonly string[]
}

export interface CodeBlock {
  /** What stands behind the fence: `yaml`, `ts`, or nothing. */
  readonly language: string
  readonly text: string
}

const fence = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm

/** Every page of ours; `assets` holds pages of others. */
export const documents: readonly Document[] = files
  .filter((path) => path.endsWith('.md') && !path.startsWith('assets/'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const prose = text.replace(fence, '')
    return {
      path,
      text,
      blocks: [...text.matchAll(fence)].map(([, language = '', block = '']) => ({ language, text: block })),
      prose,
      code: [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
    }
  })

export function documentAt(path: string): Document {
  const found = documents.find((one) => one.path === path)
  if (found === undefined) throw new Error(`${path} is no document`)
  return found
}

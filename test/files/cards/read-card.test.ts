import { expect, test } from 'vitest'
import { fault, type RepoFiles } from '#core'
import { readCard } from '#files/cards'

function repo(text: string | Error | undefined): RepoFiles {
  const answer = (): Promise<string> => (text instanceof Error ? Promise.reject(text) : Promise.resolve(text ?? ''))
  return {
    name: 'org/name',
    revision: undefined,
    list: () => Promise.resolve([]),
    has: () => Promise.resolve(text !== undefined),
    local: answer,
    text: answer,
    bytes: async () => new TextEncoder().encode(await answer()),
  }
}

const nothing = { model: 'org/name', licence: undefined, languages: [], datasets: [], pipelineTag: undefined }

test('the front matter of a README states licence, languages, data sets and task', async () => {
  const head =
    'license: other\nlicense_name: theirs\nlicense_link: LICENSE\nlanguage: no\ndatasets: [a/b, 3]\npipeline_tag: fill-mask'
  expect(await readCard(repo(`---\n${head}\n---\n# Title\n`))).toEqual({
    model: 'org/name',
    licence: { id: 'other', name: 'theirs', link: 'LICENSE' },
    languages: ['no'],
    datasets: ['a/b'],
    pipelineTag: 'fill-mask',
  })
})

test.each([
  ['no file', undefined],
  ['no front matter', '# Title\n'],
  ['a list', '---\n- a\n---\n'],
  ['broken YAML', '---\na: [\n---\n'],
  ['the word unknown', '---\nlicense: unknown\n---\n'],
  ['a file that cannot be read', fault('hub.offline', { place: 'README.md', what: 'not in the cache' })],
])('%s states nothing', async (_, text) => {
  expect(await readCard(repo(text))).toEqual(nothing)
})

test('several licences are no single one', async () => {
  expect((await readCard(repo('---\nlicense: [mit, apache-2.0]\n---\n'))).licence).toEqual({
    id: 'other',
    name: 'mit-and-apache-2.0',
  })
})

test('a cancelled run ends reading', async () => {
  const cancelled = fault('run.cancelled', { place: 'README.md', what: 'cancelled' })
  await expect(readCard(repo(cancelled))).rejects.toBe(cancelled)
})

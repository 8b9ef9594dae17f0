import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { frontMatter } from '#files/formats'
import { openMergeFile } from '#experiment/open'
import { openExtraction, mergeLicences, writeExtraction, writeMerge } from '#experiment/write'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'
import { strata } from '../../cli/program.ts'

let root: { path: string; remove: () => Promise<void> }
const at = (...parts: string[]): string => join(root.path, ...parts)

async function model(name: string, seed: number, head: string | undefined): Promise<void> {
  await makeModel(at(name), { seed, dtype: 'F32' })
  if (head !== undefined) await writeFile(at(name, 'README.md'), `---\n${head}\n---\n# ${name}\n`)
}

async function recipe(name: string, text: string): Promise<string> {
  await writeFile(at(name), text)
  return at(name)
}

const linear = (models: readonly string[], more = ''): string =>
  `${more}merge_method: linear\nmodels:\n${models.map((name) => `  - {model: ${name}, parameters: {weight: 0.5}}\n`).join('')}`

beforeAll(async () => {
  root = await temporaryFolder()
  await model('base', 1, 'license: apache-2.0\nlanguage: en\npipeline_tag: fill-mask')
  await model('tuned', 2, 'license: cc-by-nc-4.0\nlanguage: [en, de]\ndatasets: org/rows')
  await model('silent', 3, undefined)
  await mkdir(at('out'))
  return () => root.remove()
})

describe('licences of a merge', () => {
  test('are those of all inputs, in the dry run and in the card', async () => {
    const path = await recipe('two.yml', linear([at('base'), at('tuned')]))
    const { stdout: out } = await strata(['merge', path, '--dry-run'])
    expect(out).toContain(`${at('base')}: apache-2.0`)
    expect(out).toContain(`${at('tuned')}: cc-by-nc-4.0`)
    expect(out).toMatch(/licence +of the merge: cc-by-nc-4\.0/)
    expect(out).toMatch(/notice +notices of apache-2\.0 must be kept under cc-by-nc-4\.0/)
    const opened = await openMergeFile(path)
    await writeMerge(opened, at('out', 'two')).finally(() => opened.close())
    const card = await readFile(at('out', 'two', 'README.md'), 'utf8')
    expect(frontMatter(card, 'card')).toMatchObject({
      license: 'cc-by-nc-4.0',
      language: ['en', 'de'],
      datasets: ['org/rows'],
      library_name: 'transformers',
      pipeline_tag: 'text-generation',
    })
    expect(card).toContain(`| \`${at('base')}\` | apache-2.0 |\n| \`${at('tuned')}\` | cc-by-nc-4.0 |`)
  })

  test('include those of inner merges and of adapters, and say which are unknown', async () => {
    const extraction = await openExtraction(at('tuned'), at('base'), { maxRank: 2 })
    await writeExtraction(extraction, at('out', 'lora')).finally(() => extraction.close())
    const card = await readFile(at('out', 'lora', 'README.md'), 'utf8')
    expect(frontMatter(card, 'card')).toMatchObject({ license: 'cc-by-nc-4.0', library_name: 'peft' })
    await writeFile(at('out', 'lora', 'README.md'), '---\nlicense: gpl-3.0\n---\n')
    const inner = linear([at('silent'), `${at('base')}+${at('out', 'lora')}`], 'name: inner\n')
    const opened = await openMergeFile(await recipe('nested.yml', `${linear(['inner', at('tuned')])}---\n${inner}`))
    const { inputs, licence, notes } = await mergeLicences(opened).finally(() => opened.close())
    expect(inputs).toEqual([
      { model: at('silent'), licence: undefined },
      { model: at('base'), licence: { id: 'apache-2.0' } },
      { model: at('out', 'lora'), licence: { id: 'gpl-3.0' } },
      { model: at('tuned'), licence: { id: 'cc-by-nc-4.0' } },
    ])
    expect(licence?.id).toBe('other')
    expect(notes).toContain(`the licence of ${at('silent')} is unknown: no card of it states one`)
    expect(notes.filter((note) => note.includes('incompatible'))).toHaveLength(1)
  })

  test('the words of a dry run are also there as JSON', async () => {
    const { stdout: out } = await strata(['merge', at('two.yml'), '--dry-run', '--json'])
    expect(JSON.parse(out)).toMatchObject({ licences: { licence: { id: 'cc-by-nc-4.0' }, inputs: { length: 2 } } })
  })
})

/** Recipes that lead back to themselves, by whatever way; and those that only seem to. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { describe as describeReference, openMergeFile } from '#experiment/open'
import { strata } from '../../cli/program.ts'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'

let root: Awaited<ReturnType<typeof temporaryFolder>>
const at = (...parts: string[]): string => join(root.path, ...parts)

beforeAll(async () => {
  root = await temporaryFolder()
  await makeModel(at('model'), { config: { num_attention_heads: 2, intermediate_size: 16, rms_norm_eps: 1e-6 } })
  await mkdir(at('adapter'))
  await writeFile(
    at('adapter', 'adapter_config.json'),
    JSON.stringify({ peft_type: 'LORA', base_model_name_or_path: `merge:${at('adapted.yml')}` }),
  )
  return () => root.remove()
})

/** `%` in a text stands for this test's folder. */
async function recipe(name: string, text: string): Promise<string> {
  await writeFile(at(name), text.replaceAll('%', root.path))
  return at(name)
}

const naming = (...models: string[]): string =>
  `merge_method: linear\nparameters: {weight: 1}\nmodels:\n${models.map((model) => `  - model: ${model}\n`).join('')}`

const mixture = (base: string, expert: string): string =>
  `base_model: ${base}\ngate_mode: random\nexperts:\n  - source_model: ${expert}\n    positive_prompts: [a]\n  - source_model: "%/model"\n    positive_prompts: [b]\n`

const circle = {
  code: 'usage.value',
  message: expect.stringContaining('the recipes name each other in a circle') as string,
}

describe('a recipe that leads back to itself is refused', () => {
  test.each<[string, Record<string, string>]>([
    ['by its own name', { 'one.yml': naming('merge:%/one.yml') }],
    ['by another spelling of it', { 'one.yml': naming('merge:%/./model/../one.yml') }],
    ['through a second', { 'one.yml': naming('%/model', 'merge:%/two.yml'), 'two.yml': naming('merge:%/one.yml') }],
    ['under an adapter', { 'one.yml': naming('merge:%/one.yml+%/adapter') }],
    [
      'as the base of an adapter that is named alone',
      { 'one.yml': naming('%/adapter'), 'adapted.yml': naming('merge:%/one.yml') },
    ],
    ['as base of a mixture', { 'one.yml': mixture('merge:%/one.yml', '%/adapter') }],
    ['as expert of a mixture', { 'one.yml': mixture('%/model', 'merge:%/one.yml') }],
    [
      'from another document of the file',
      { 'one.yml': `${naming('inner')}---\nname: inner\n${naming('merge:%/one.yml')}` },
    ],
  ])('%s', async (_how, files) => {
    for (const [name, text] of Object.entries(files)) await recipe(name, text)
    await expect(openMergeFile(at('one.yml'))).rejects.toMatchObject(circle)
    await expect(describeReference(`merge:${at('one.yml')}`)).rejects.toMatchObject(circle)
  })

  test('by a link', async () => {
    await recipe('one.yml', naming('merge:%/link.yml'))
    await symlink(at('one.yml'), at('link.yml'))
    await expect(openMergeFile(at('one.yml'))).rejects.toMatchObject(circle)
  })

  test('by its tokenizer, which says so in its hint', async () => {
    const path = await recipe('one.yml', `${naming('%/model')}tokenizer: {source: 'merge:%/one.yml'}\n`)
    await expect(openMergeFile(path)).rejects.toMatchObject({
      code: 'usage.value',
      hint: expect.stringContaining(`${path} → ${path}`) as string,
    })
  })

  test('in the program, with the whole chain', async () => {
    await recipe('a.yml', naming('merge:./b.yml'))
    await recipe('b.yml', naming('merge:./c.yml'))
    await recipe('c.yml', naming('merge:./b.yml'))
    const { code, stderr } = await strata(['models', 'merge:./a.yml'], { cwd: root.path })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(['a', 'b', 'c', 'b'].map((name) => at(`${name}.yml`)).join(' → ')) as string,
    ])
  })
})

test('a recipe named twice side by side is no circle', async () => {
  await recipe('leaf.yml', naming('%/model'))
  await recipe('left.yml', naming('merge:%/leaf.yml'))
  const opened = await openMergeFile(
    await recipe('top.yml', naming('merge:%/leaf.yml', 'merge:%/./leaf.yml', 'merge:%/left.yml')),
  )
  expect(opened.inputs).toHaveLength(3)
  await opened.close()
})

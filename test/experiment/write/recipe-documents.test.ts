import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openMergeFile } from '#experiment/open'
import { writeMerge } from '#experiment/write'
import { openTensors } from '#files/formats'
import { chatTemplateOf } from '#model/merge'
import { makeModel, temporaryFolder } from '../../model/merge/models.ts'

let root: { path: string; remove: () => Promise<void> }
beforeAll(async () => {
  root = await temporaryFolder()
  for (const [k, name] of ['base', 'one', 'two'].entries())
    await makeModel(join(root.path, name), { seed: k + 1, dtype: 'BF16' })
  return () => root.remove()
})

let files = 0
async function merged(text: string): Promise<string> {
  const path = join(root.path, `recipe-${files}.yml`)
  const out = join(root.path, `out-${files++}`)
  await writeFile(path, text.replaceAll('$', `${root.path}/`))
  const opened = await openMergeFile(path)
  onTestFinished(() => opened.close())
  await writeMerge(opened, out, { threads: 1 })
  return out
}

async function hashes(folder: string): Promise<Record<string, string>> {
  const tensors = await openTensors(join(folder, 'model.safetensors'))
  onTestFinished(() => tensors.close())
  const entries = await Promise.all(
    tensors.names().map(async (name) => {
      const bytes = await tensors.read(name)
      return [name, createHash('sha256').update(bytes).digest('hex')] as const
    }),
  )
  return Object.fromEntries(entries)
}

const inner = (name: string): string =>
  `${name}merge_method: linear\nmodels:\n  - {model: $one, parameters: {weight: 0.3}}\n  - {model: $two, parameters: {weight: 0.7}}\n`
const outer = (model: string): string =>
  `merge_method: ties\nbase_model: $base\nmodels:\n  - {model: ${model}, parameters: {weight: 1, density: 0.5}}\n  - {model: $two, parameters: {weight: 0.5}}\n`

describe('several documents in one recipe', () => {
  test('are merged as their intermediates written one after another would be', async () => {
    const step = await merged(inner(''))
    const written = await hashes(await merged(outer(step)))
    expect(await hashes(await merged(`${inner('name: mixed\n')}---\n${outer('mixed')}`))).toEqual(written)
    // The order of documents says nothing; all may have names when only one is named by no other.
    expect(await hashes(await merged(`name: last\n${outer('mixed')}---\n${inner('name: mixed\n')}`))).toEqual(written)
  })

  test('are copied next to the merge, and its record has the inputs of them all', async () => {
    const out = await merged(`${inner('name: mixed\n')}---\n${outer('mixed')}`)
    const copy = await readFile(join(out, 'mergekit_config.yml'), 'utf8')
    expect(await hashes(await merged(copy))).toEqual(await hashes(out))
    const { inputs } = JSON.parse(await readFile(join(out, 'strata_merge.json'), 'utf8')) as {
      inputs: { model: string; inputs?: { model: string; files: { sha256: string }[] }[] }[]
    }
    expect(inputs.map(({ model, inputs: own }) => [basename(model), own?.map((one) => basename(one.model))])).toEqual([
      ['mixed', ['one', 'two']],
      ['two', undefined],
      ['base', undefined],
    ])
    const bytes = await readFile(join(root.path, 'one', 'model.safetensors'))
    expect(inputs[0]?.inputs?.[0]?.files[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('a circle, and a last merge that is not clear', async () => {
    const circle =
      'merge_method: linear\nmodels: [{model: a, parameters: {weight: 1}}]\n---\nname: a\nmerge_method: passthrough\nmodels: [{model: b}]\n'
    await expect(
      merged(`${circle}---\nname: b\nmerge_method: passthrough\nmodels: [{model: a}]\n`),
    ).rejects.toMatchObject({
      code: 'usage.value',
      parts: { seen: 'a → b → a' },
    })
    await expect(merged(`${inner('name: x\n')}---\n${inner('name: y\n')}`)).rejects.toMatchObject({
      code: 'usage.value',
      parts: { seen: ['x', 'y'] },
    })
  })
})

describe('chat templates', () => {
  test('a name, a template, the most frequent one of the inputs', () => {
    const literal = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    expect(chatTemplateOf(literal, [])).toBe(literal)
    expect(chatTemplateOf('chatml', [])).toContain('<|im_start|>')
    expect(chatTemplateOf('auto', ['a', ' b', 'b\n', undefined])).toBe('b')
    expect(chatTemplateOf('auto', ['a', 'b'])).toBe('a')
    expect(chatTemplateOf('auto', [undefined, ' '])).toBeUndefined()
    expect(() => chatTemplateOf('chatlm', [])).toThrow(
      expect.objectContaining({
        code: 'usage.value',
        parts: expect.objectContaining({ hint: expect.stringContaining('chatml') }),
      }),
    )
  })

  test('lies in the output where transformers looks, and in the settings', async () => {
    await mkdir(join(root.path, 'one'), { recursive: true })
    await writeFile(
      join(root.path, 'one', 'tokenizer_config.json'),
      JSON.stringify({ eos_token: '</s>', chat_template: 'old' }),
    )
    await writeFile(join(root.path, 'one', 'chat_template.json'), JSON.stringify({ chat_template: 'older' }))
    const out = await merged(`${inner('')}chat_template: chatml\n`)
    const template = chatTemplateOf('chatml', [])
    expect(await readFile(join(out, 'chat_template.jinja'), 'utf8')).toBe(template)
    expect(JSON.parse(await readFile(join(out, 'tokenizer_config.json'), 'utf8'))).toEqual({
      eos_token: '</s>',
      chat_template: template,
    })
    await expect(readFile(join(out, 'chat_template.json'))).rejects.toMatchObject({ code: 'ENOENT' })
    const kept = await merged(`${inner('')}chat_template: auto\n`)
    expect(await readFile(join(kept, 'chat_template.jinja'), 'utf8')).toBe('old')
  })
})

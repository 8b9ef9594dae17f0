import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repo, strata } from './program.ts'

describe('the command line', () => {
  test('--help names every command', async () => {
    const { code, stdout } = await strata(['--help'])
    expect(code).toBe(0)
    for (const command of ['layers', 'evaluate', 'encode', 'tasks', 'models', 'cache', 'doctor'])
      expect(stdout).toContain(`  ${command}`)
  })

  test('--version is the package’s', async () => {
    const { version } = JSON.parse(await readFile(join(repo, 'package.json'), 'utf8')) as { version: string }
    expect((await strata(['--version'])).stdout.trim()).toBe(version)
  })

  test.each([
    { args: ['layrs', 'x'], words: 'layers' },
    { args: ['layers', 'x', '--taks', 'STS17'], words: '--tasks' },
    { args: ['layers', 'x', '--profile', 'mteb-3'], words: 'mteb-2' },
    { args: ['cache', 'shw'], words: 'show' },
    { args: ['layers', 'x', '--tasks', 'STS71'], words: 'STS17' },
    { args: ['layers', 'x'], words: 'no task is given' },
    { args: ['frontier', 'x', '--types', 'int9'], words: 'did you mean int8?' },
    { args: ['encode', 'x', '--max-length', 'long'], words: 'must be a whole number, 1 or greater' },
  ])('$args.0 $args.2 is refused with the nearest name: exit 2', async ({ args, words }) => {
    const { code, stderr } = await strata(args)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })

  test('lists that are given in several flags are one list', async () => {
    const { code, stderr } = await strata(['tasks', '--types', 'STS', '--types', 'Foo'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Foo')])
    const { stdout } = await strata(['tasks', '--types', 'STS', '--types', 'Summarization'])
    expect(stdout).toMatch(/STS17[^]*SummEval/)
  })

  test.each([
    ['evaluate', 'x', '--results', 's3://bucket/x'],
    ['evaluate', 'x', '--output-folder', 's3://bucket/x'],
    ['merge', 'gs://bucket/recipe.yml', './merged'],
    ['merge', './recipe.yml', 'hf://org/merged'],
    ['report', './results', 'https://host/results'],
    ['evaluate', 'x', '--task-file', 'https://host/task.yaml'],
  ])('%s %s %s %s: an address is no path', async (...args) => {
    const { code, stderr } = await strata(args)
    expect(stderr).toContain('is an address, and a path of this machine is wanted')
    expect(code).toBe(2)
  })

  test.each([
    ['aggregate', '--model-name bert-base-uncased', 'models are named without a flag: strata aggregate org/name'],
    ['aggregate', '--task-types Classification', 'here it is --types Classification,Retrieval'],
    ['aggregate', '--task-categories Classification', 'here it is --types Classification,Retrieval'],
    ['aggregate', '--all-mteb-tasks', 'here it is --tasks all'],
    ['aggregate', '--output-dir ./results', 'here it is --results <folder>'],
    ['similarity', '--output-dir ./results', 'here it is --out <folder>'],
    ['aggregate', '--lambda-values 0.1 0.5', 'here it is --lambda 0.1,0.5,1'],
    ['similarity', '--datasets c4', 'here it is --data-set c4'],
    ['aggregate', '--model-name y --task-types STS --fp16', 'strata aggregate x y --types STS --dtype float16'],
    ['similarity', '--max-samples 10000', 'here it is --rows <n>'],
    ['evaluate', '--layers h4', 'here it is --representation h4'],
    ['generate', '--max-tokens 20', 'here it is --max-new-tokens 100'],
    ['extract-lora', '--output x', 'here it is --out-path <folder>'],
    ['evaluate', '--batch-size 512', 'here it is --batch-tokens <n>'],
    ['evaluate', '--fp16', 'here it is --dtype float16'],
    ['truncate', '--tasks STS12 STS13', 'a list is joined by commas'],
  ])('%s %s: the answer is the name it has here', async (command, flags, answer) => {
    const { code, stderr } = await strata([command, 'x', ...flags.split(' ')])
    expect([code, stderr]).toEqual([2, expect.stringContaining(answer)])
  })

  test('an error is a line with a code and a line with what to do, never a stack', async () => {
    const { code, stderr } = await strata(['models', './no/such/folder'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error [a-z]+\.[a-z]+ {2}/)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('an old name of a flag is taken, with a note of the new one', async () => {
    const { code, stderr } = await strata(['results', '--output-folder', join(repo, 'no-such-folder')])
    expect(stderr.split('\n')[0]).toBe('--output-folder is now --results')
    expect(code).toBe(0)
    expect((await strata(['results', '--help'])).stdout).not.toContain('--output-folder')
  })

  test('tokensurgeon is another name of transplant', async () => {
    const { code, stderr } = await strata(['tokensurgeon', './a', './b'])
    expect(stderr).toContain('strata transplant ./a ./b ./out')
    expect(code).toBe(2)
  })

  test('--json says an error as a document', async () => {
    const { stdout } = await strata(['models', './no/such/folder', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.stringMatching(/^[a-z]+\.[a-z]+$/) as string } })
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../../../scratch.ts'
import { strata } from '../../program.ts'

const { path } = scratchFolder()

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout } = await strata(['completion', shell])
  expect(code).toBe(0)
  const file = path(`strata.${shell}`)
  writeFileSync(file, stdout)
  return file
}

describe.skipIf(!has('bash'))('in bash', () => {
  async function completed(...words: string[]): Promise<string[]> {
    const script = await scriptOf('bash')
    const asked = [
      `source '${script}'`,
      'compopt() { :; }',
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_strata',
      String.raw`printf '%s\n' "${'${COMPREPLY[@]}'}"`,
    ]
    const text = execFileSync('bash', ['-c', asked.join('\n')], { encoding: 'utf8', cwd: path('.') })
    return text.split('\n').filter((line) => line !== '')
  }

  test('commands, flags, values of a flag with or without =, files', async () => {
    expect(await completed('strata', 'ex')).toEqual(['export', 'extract-lora'])
    expect(await completed('strata', 'doctor', '--in')).toEqual(['--install'])
    expect(await completed('strata', 'doctor', '--install', 'open')).toEqual(['openvino'])
    expect(await completed('strata', 'doctor', '--install', '=', 'open')).toEqual(['openvino'])
    expect(await completed('strata', 'doctor', '--install', '=')).toEqual(['openvino', 'cuda'])
    expect(await completed('strata', 'evaluate', 'strata.b')).toEqual(['strata.bash'])
  })

  test('nothing for a text that no shell knows, or for a command that is none', async () => {
    expect(await completed('strata', 'evaluate', '--representation', '')).toEqual([])
    expect(await completed('strata', 'evalute', '--')).toEqual([])
  })
})

describe.skipIf(!has('fish'))('in fish', () => {
  test('commands, flags and values, each with its line of the help', async () => {
    const script = await scriptOf('fish')
    const completed = (line: string): string[] =>
      execFileSync('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`], {
        encoding: 'utf8',
        env: { ...process.env, HOME: path('.') },
      })
        .trim()
        .split('\n')
    expect(completed('strata doct')).toEqual(['doctor\tcheck machine, engines, cache and hub'])
    expect(completed('strata doctor --inst')).toEqual([
      '--install\tlibraries to fetch into the cache, of an engine or for a device',
    ])
    expect(completed('strata doctor --install o')).toEqual([expect.stringMatching(/^openvino\t/)])
  })
})

describe.skipIf(!has('zsh'))('in zsh', () => {
  test('every command has its arguments', async () => {
    const script = await scriptOf('zsh')
    const stubs = [
      'compdef() { registered=$2 }',
      '_describe() { print -l -- ${(P)2} }',
      '_arguments() { print -l -- "$@" }',
      `source '${script}'`,
      'print $registered',
    ]
    const run = (...lines: string[]): string[] =>
      execFileSync('zsh', ['-f', '-c', [...stubs, ...lines].join('\n')], { encoding: 'utf8' })
        .trim()
        .split('\n')
    expect(run('words=(strata ""); CURRENT=2; _strata')).toEqual(
      expect.arrayContaining(['strata', 'doctor:check machine, engines, cache and hub']),
    )
    expect(run('words=(strata doctor ""); CURRENT=3; _strata')).toEqual(
      expect.arrayContaining([
        '--install=[libraries to fetch into the cache, of an engine or for a device]:value:(openvino cuda)',
        '*:file:_files',
      ]),
    )
  })
})

test('another shell is refused with the nearest name', async () => {
  const { code, stderr } = await strata(['completion', 'fsh'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/usage\.value {2}shell: .*bash, zsh, fish\n {2}did you mean/),
  ])
})

/**
 * Every `strata …` in the documents is a command that the program would take: its name, arguments, flags, choices and
 * values.
 */
import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { benchmarkNamed, findTasks } from '#task/registry'
import type { CommandSpec } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import type { Flag } from '../../src/cli/flag.ts'
import { flags } from '../../src/cli/flags.ts'
import { allCommandLines } from './shell.ts'

/** The strict parser that the program makes of the same tables, without what runs. Returns the flags it read. */
function parsed(words: readonly string[]): Record<string, unknown> {
  const program = new Command('strata').exitOverride().configureOutput({ writeErr: () => {} })
  let read: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries<CommandSpec>(commands)) {
    const command = program.command(name).allowExcessArguments(false).exitOverride()
    for (const [argument] of spec.args) command.argument(argument)
    for (const flag of spec.flags) {
      const { flags: notation, choices, repeated, parse }: Flag = flags[flag]
      const option = new Option(notation)
      if (choices !== undefined) option.choices(choices)
      if (repeated === true) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
      if (parse !== undefined) option.argParser(parse)
      command.addOption(option)
    }
    command.action(() => {
      read = command.opts()
    })
  }
  program.parse([...words], { from: 'user' })
  return read
}

test.each(allCommandLines.map((line) => [line.page, line.text, line] as const))(
  '%s: %s',
  async (_, __, { words: [name = '', ...words], whole }) => {
    const spec: CommandSpec | undefined = Object.entries<CommandSpec>(commands).find(([known]) => known === name)?.[1]
    expect(spec?.summary).toBeDefined()
    const notations = spec?.flags.flatMap((flag) => flags[flag].flags.split(/[ ,]+/)) ?? []
    expect(words.filter((word) => /^--?[a-z]/.test(word) && !notations.includes(word))).toEqual([])
    if (!whole) return
    const { tasks = name === 'tasks' ? words.slice(0, 1) : [], benchmark = [] } = parsed([name, ...words]) as {
      tasks?: string[]
      benchmark?: string[]
    }
    const names = tasks.filter((task) => !/^(-.*|NAME|\.\/.*)$/.test(task))
    // the harness has names of its own, which no registry here holds
    if (names.length > 0 && name !== 'harness') await findTasks(names, { runnable: false })
    for (const one of benchmark) await benchmarkNamed(one)
  },
)

test('the README shows every command', () => {
  const shown = new Set(allCommandLines.filter(({ page }) => page === 'README.md').map(({ words }) => words[0]))
  expect(Object.keys(commands).filter((name) => !shown.has(name))).toEqual([])
})

test('the check itself refuses what the program refuses', () => {
  expect(() => parsed(['evaluate', 'model', '--task', 'STS17'])).toThrow('unknown option')
  expect(() => parsed(['evaluate', 'model', '--profile', 'mteb-3'])).toThrow('Allowed choices')
  expect(() => parsed(['merge'])).toThrow('missing required argument')
})

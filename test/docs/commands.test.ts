/**
 * Every `strata …` in the documents is a command that the program would take: its name, arguments, flags, choices and
 * values.
 */
import { expect, test } from 'vitest'
import { benchmarkNamed, findTasks } from '#task/registry'
import { commands } from '../../src/cli/commands.ts'
import { refuseOtherLine } from '../../src/cli/program/other-lines.ts'
import { makeProgram } from '../../src/cli/program/program.ts'
import { allCommandLines, type Line } from './shell.ts'

/** The program's own strict parser, without what runs. Returns the flags it read. */
async function parsed(words: readonly string[]): Promise<Record<string, unknown>> {
  let read: Record<string, unknown> = {}
  const program = await makeProgram(commands, words, (_, __, flags) => {
    read = flags
    return Promise.resolve()
  })
  for (const command of [program, ...program.commands]) command.configureOutput({ writeErr: () => {} })
  await program.parseAsync([...words], { from: 'user' })
  return read
}

/** A line of another program is answered with one of this. */
const isOther = ({ words: [name = ''] }: Line): boolean => /\.(?:py|sh)$/.test(name) || name === 'python'

test.each(allCommandLines.filter(isOther).map((line) => [line.page, line.text, line.words] as const))(
  '%s: %s is answered',
  async (_, __, words) => {
    await expect(refuseOtherLine(words, () => Promise.resolve([]))).rejects.toMatchObject({ code: 'usage.value' })
  },
)

const own = allCommandLines.filter((line) => !isOther(line))

test.each(own.map((line) => [line.page, line.text, line] as const))(
  '%s: %s',
  async (_, __, { words: [name = '', ...words], whole }) => {
    const command = commands.find(({ words: own }) => own.name === name)
    expect(command?.words.summary).toBeDefined()
    const flags = await command?.loadFlags()
    const notations = flags?.flatMap((flag) => flag.flags.split(/[ ,]+/)) ?? []
    expect(words.filter((word) => /^--?[a-z]/.test(word) && !notations.includes(word))).toEqual([])
    if (!whole) return
    const { tasks = name === 'tasks' ? words.slice(0, 1) : [], benchmark = [] } = (await parsed([name, ...words])) as {
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
  expect(commands.map(({ words }) => words.name).filter((name) => !shown.has(name))).toEqual([])
})

test('the check itself refuses what the program refuses', async () => {
  await expect(parsed(['evaluate', 'model', '--task', 'STS17'])).rejects.toThrow('unknown option')
  await expect(parsed(['evaluate', 'model', '--profile', 'mteb-3'])).rejects.toThrow('Allowed choices')
  await expect(parsed(['merge'])).rejects.toThrow('missing required argument')
})

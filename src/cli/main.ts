#!/usr/bin/env node
/**
 * The program: a table of commands, strict flags, one place that turns faults into messages and exit codes (0 ok, 1
 * something failed, 2 usage).
 */
import { CommanderError } from 'commander'
import { commands } from './commands.ts'
import { toExitCode, failureLines } from './program/failure.ts'
import { refuseOtherLine } from './program/other-lines.ts'
import { type Everywhere, makeProgram } from './program/program.ts'
import { openTerminal, quiet } from './program/terminal.ts'
import type { Flag } from './spec/flag.ts'
import { Fault } from '#core'
import { limitThreads } from '#platform/threads'

const words = process.argv.slice(2)
const terminal = openTerminal({ keeps: commands.find(({ words: own }) => own.name === words[0])?.words.keeps })
let exitCode = 0
/** Flags of the command that runs. */
let given: Everywhere = {}
let failure: unknown

const program = await makeProgram(commands, words, async ({ run }, args, flags, notes) => {
  given = flags
  // Not of the engine alone: every pool of this process and of those it starts.
  if (typeof flags['threads'] === 'number') limitThreads(flags['threads'], '--threads')
  const asked = given.quiet === true || given.json === true ? quiet(terminal) : terminal
  for (const line of notes) asked.note(line)
  try {
    exitCode = await run(args, flags, asked)
  } catch (error) {
    failure = failureOf(error)
  }
})

try {
  await refuseOtherLine(words, loadFlags)
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  if (error instanceof Fault) failure = error
  else if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? 0 : 2
  else throw error
}
const lost = await terminal.close()
// A reader that stops early, such as `head`, is not a failure.
if (lost?.parts.seen === 'EPIPE') exitCode = 0
else if (lost !== undefined || failure !== undefined) exitCode = report(lost ?? failure)
process.exitCode = exitCode

async function loadFlags(name: string): Promise<readonly Flag[]> {
  return (await commands.find(({ words: own }) => own.name === name)?.loadFlags()) ?? []
}

function report(error: unknown): number {
  const { document, lines } = failureLines(error, given)
  if (document !== undefined) terminal.print(document)
  for (const line of lines) terminal.complain(line)
  return toExitCode(error)
}

/** A stopped command throws the stop itself, unless its own error explains better how to continue. */
function failureOf(error: unknown): unknown {
  const { aborted, reason } = terminal.signal
  const better = error instanceof Fault && (error.code !== 'run.cancelled' || error.hint !== undefined)
  return aborted && !better ? reason : error
}

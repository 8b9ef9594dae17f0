/** `strata completion`: the script of a shell, made from the table of commands. */
import { fault, suggestion } from '#core'
import type { Command, CommandRun } from '../../spec/command.ts'
import { bashScript } from './bash.ts'
import { type CompletedCommand, completedCommands } from './completed.ts'
import { fishScript } from './fish.ts'
import type { Flags } from './flags.ts'
import { zshScript } from './zsh.ts'

const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `commands`: the whole table, which a command cannot read itself. */
export function makeCompletion(commands: readonly Command[]): CommandRun<Flags> {
  return async ([shell = ''], flags, terminal) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw fault('usage.value', {
        place: 'shell',
        what: 'no completion for this shell',
        seen: shell,
        wanted: Object.keys(scripts).join(', '),
        hint: suggestion(shell, Object.keys(scripts)),
      })
    const text = script(await completedCommands(commands))
    for (const line of flags.json === true ? [JSON.stringify({ shell, script: text })] : text.split('\n'))
      terminal.print(line)
    return 0
  }
}

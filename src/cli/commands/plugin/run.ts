/** `strata plugin`: the laws of a plug-in's definitions, each held or broken. */
import { fault, suggestion } from '#core'
import { checkPlugin } from '#experiment/plugins'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

export const run: CommandRun<Flags> = async ([action = '', ...files], flags, terminal) => {
  if (action !== 'check')
    throw fault('usage.value', {
      place: 'strata plugin',
      what: 'no such action',
      seen: action,
      hint: suggestion(action, ['check']),
    })
  let broken = 0
  for (const file of files) {
    let before = ''
    for await (const verdict of checkPlugin(file)) {
      if (verdict.broken !== undefined) broken++
      if (flags.json === true) {
        terminal.print(JSON.stringify({ file, ...verdict, broken: verdict.broken ?? null }))
        continue
      }
      const title = `${file}: ${verdict.kind} ${verdict.name}`
      if (title !== before) terminal.print(title)
      before = title
      terminal.print(`  ${verdict.broken === undefined ? 'held  ' : 'broken'}  ${verdict.law}`)
      if (verdict.broken !== undefined) terminal.print(`          ${verdict.broken}`)
    }
  }
  return broken === 0 ? 0 : 1
}

/** `strata cache`: size of the cached layer vectors, and ways to reduce it. */
import { asText } from '#result/report'
import { fault, suggestion, gigabytes } from '#core'
import type { CommandRun } from '../../spec/command.ts'
import { refuseFlags } from '../../options/acting-flags.ts'
import { size, type Flags } from './flags.ts'
import { cacheFolder, openVectorStore } from '../../options/model-options.ts'

const actions = ['show', 'trim', 'clear'] as const

export const run: CommandRun<Flags> = async ([action = 'show'], flags, terminal) => {
  if (action !== 'trim')
    refuseFlags(flags, [size], {
      what: `has no effect on strata cache ${action}`,
      hint: 'strata cache trim --size 10G',
    })
  const store = openVectorStore(flags)
  switch (actions.find((known) => known === action)) {
    case 'show':
      break
    case 'trim':
      await store.trim(flags.size)
      break
    case 'clear':
      await store.clear()
      break
    case undefined:
      throw fault('usage.value', {
        place: 'strata cache',
        what: 'no such action',
        seen: action,
        hint: suggestion(action, actions),
      })
    default:
      throw fault('internal', { place: 'strata cache', what: 'unreachable' })
  }
  const usage = await store.usage()
  if (flags.json === true) {
    terminal.print(JSON.stringify({ folder: cacheFolder(flags), ...usage }))
    return 0
  }
  const rows = usage.spaces.map(({ id, description, texts, bytes, lastUsed }) => [
    id.slice(0, 12),
    typeof description['model'] === 'string' ? description['model'] : '',
    texts.toLocaleString('en'),
    gigabytes(bytes),
    new Date(lastUsed).toISOString().slice(0, 10),
  ])
  for (const line of asText({
    columns: [
      { title: 'space' },
      { title: 'model' },
      { title: 'texts', number: true },
      { title: 'size', number: true },
      { title: 'last used' },
    ],
    rows,
  }))
    terminal.print(line)
  terminal.print('')
  terminal.print(`${gigabytes(usage.bytes)} of ${gigabytes(usage.limit)} in ${cacheFolder(flags)}`)
  return 0
}

/** `strata bench`: how fast models encode on this machine, measured in turn. */
import { fault } from '#core'
import { carriedTexts, measureModels, millionPrice, type Speed, speedTables } from '#experiment/bench'
import { readCorpus } from '#experiment/encode'
import { readTexts } from '#files/tables'
import { asTextPage } from '#result/report'
import { column } from '../../flags/corpus.ts'
import { refuseWithout } from '../../options/acting-flags.ts'
import { measuredOptions } from '../../options/measured-options.ts'
import { rowParts, rowReferences } from '../../options/model-rows.ts'
import type { CommandRun } from '../../spec/command.ts'
import { type Flags, texts as textsFlag } from './flags.ts'

export const run: CommandRun<Flags> = async (args, flags, terminal) => {
  refuseWithout(flags, textsFlag, [column])
  const references = rowReferences(args, flags.representation)
  const twice = references.find((one, at) => references.indexOf(one) < at)
  if (twice !== undefined)
    throw fault('usage.value', { place: 'strata bench', what: 'the same row is given twice', seen: twice })
  const speed = await measureModels({
    models: references.map(rowParts).map(({ model, representation }) => ({ reference: model, representation })),
    texts: await textsOf(flags),
    batches: flags.batch ?? [1, 64],
    rounds: flags.rounds,
    ...measuredOptions(flags, terminal),
  })
  const { pricePerHour } = flags
  if (flags.json === true) terminal.print(JSON.stringify(priced(speed, pricePerHour)))
  else for (const line of asTextPage(speedTables(speed, { pricePerHour }))) terminal.print(line)
  return 0
}

async function textsOf({ texts: path, column: name }: Flags): Promise<{ name: string; texts: readonly string[] }> {
  if (path === undefined) return carriedTexts()
  return readCorpus(
    path === '-' ? 'stdin' : (path.split('/').at(-1) ?? path),
    readTexts(path === '-' ? { kind: 'stdin', column: name } : { kind: 'file', path, column: name }),
  )
}

function priced(speed: Speed, pricePerHour: number | undefined): object {
  if (pricePerHour === undefined) return speed
  return {
    ...speed,
    rows: speed.rows.map((row) => ({ ...row, pricePerMillionTexts: millionPrice(row.sizes, pricePerHour) })),
  }
}

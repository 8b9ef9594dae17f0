/** A truncation for people. */
import type { Truncation } from '#experiment/aggregate'
import { byteText, tableLines } from '../../lines/table.ts'
import { sparkline } from '../../lines/sparkline.ts'

interface Beside {
  readonly parameters: number
  readonly maxLoss: number
  readonly exported: { readonly folder: string; readonly parameters: number; readonly bytes: number } | undefined
}

export function truncationLines(
  { model, h, of, mean, tasks, textsPerSecond }: Truncation,
  { parameters, maxLoss, exported }: Beside,
): string[] {
  const speed = textsPerSecond.chosen / textsPerSecond.whole
  return [
    `${model}: h${h}, ${h} of ${of} blocks are enough to lose at most ${points(maxLoss)} on validation rows`,
    ...tableLines(
      [
        { title: 'task' },
        { title: 'validated on' },
        { title: `h0…h${of}` },
        { title: `h${h}`, right: true },
        { title: `h${of}`, right: true },
        { title: 'difference', right: true },
      ],
      tasks.map(({ task, validation, scores, chosen, whole }) => [
        task,
        validation ?? '–',
        scores === null ? '' : sparkline(scores),
        points(chosen),
        points(whole),
        chosen === null || whole === null ? '–' : `${chosen < whole ? '−' : '+'}${points(Math.abs(chosen - whole))}`,
      ]),
    ),
    `mean validation score ${points(mean[h])} against ${points(mean[of])}; test scores × 100 in the table`,
    `${Math.round(textsPerSecond.chosen)} texts/s against ${Math.round(textsPerSecond.whole)} (${speed.toFixed(2)}×), sentences of 25 tokens, on this machine`,
    ...(exported === undefined
      ? [`strata export ${model} --representation h${h} --out DIR writes it; --out here does both`]
      : [
          `${exported.parameters.toLocaleString('en')} of ${parameters.toLocaleString('en')} parameters (${((100 * exported.parameters) / parameters).toFixed(0)} %), ${byteText(exported.bytes)} → ${exported.folder}`,
        ]),
  ]
}

function points(score: number | null | undefined): string {
  return score === null || score === undefined ? '–' : (100 * score).toFixed(2)
}

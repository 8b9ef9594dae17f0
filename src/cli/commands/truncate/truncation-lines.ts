/** A truncation for people. */
import { asText } from '#result/report'
import { points, signedPoints, byteText, dash } from '#core'
import type { Truncation } from '#experiment/aggregate'
import { sparkline } from '../../lines/sparkline.ts'

interface Beside {
  readonly parameters: number
  readonly maxLoss: number
  readonly exported:
    | { readonly blocks: number; readonly folder: string; readonly parameters: number; readonly bytes: number }
    | undefined
}

export function truncationLines(
  { model, h, of, mean, tasks }: Truncation,
  { parameters, maxLoss, exported }: Beside,
): string[] {
  return [
    `${model}: h${h}, ${exported?.blocks ?? h} of ${of} blocks${exported !== undefined && exported.blocks > h ? ` (h${h} is read before the last of them)` : ''}, loses at most ${points(maxLoss)} points on validation rows`,
    ...asText({
      columns: [
        { title: 'task' },
        { title: 'validated on' },
        { title: `h0…h${of}` },
        { title: `h${h}`, number: true },
        { title: `h${of}`, number: true },
        { title: 'difference', number: true },
      ],
      rows: tasks.map(({ task, validation, scores, chosen, whole }) => [
        task,
        validation ?? dash,
        scores === null ? '' : sparkline(scores),
        points(chosen),
        points(whole),
        signedPoints(chosen === null || whole === null ? null : chosen - whole),
      ]),
    }),
    `mean validation score ${points(mean[h] ?? null)} against ${points(mean[of] ?? null)}; test scores × 100 in the table`,
    ...(h === of ? [] : [`strata bench ${model}#h${h} ${model}#h${of} measures the speed of both`]),
    ...(exported === undefined
      ? [`strata export ${model} --representation h${h} --out DIR writes it; --out here does both`]
      : [
          `${exported.parameters.toLocaleString('en')} of ${parameters.toLocaleString('en')} parameters (${((100 * exported.parameters) / parameters).toFixed(0)} %), ${byteText(exported.bytes)} → ${exported.folder}`,
        ]),
  ]
}

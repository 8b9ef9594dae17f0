import { expect, test } from 'vitest'
import { readHolmes } from '#result/correlation'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()

test('the output of an evaluation of Holmes is read: one group, means over seeds, controls left out', async () => {
  const lines = [
    'probing_dataset,model_name,encoding,control_task_type,sample_size,seed,num_hidden_layers,score',
    'pos,org__a,full,NONE,1,0,0,0.5',
    'pos,org__a,full,NONE,1,1,0,0.75',
    'pos,org__b,full,NONE,1,0,0,0.25',
    'ner,org__b,full,NONE,1,0,0,0.125',
    'pos,org__b,full,PERMUTATION,1,0,0,0.9',
  ]
  const place = file('results_flash-holmes.csv', lines.join('\n'))
  expect(await readHolmes(place)).toEqual({
    models: ['org/a', 'org/b'],
    rows: [
      { name: 'pos', group: 'probes', values: [0.625, 0.25] },
      { name: 'ner', group: 'probes', values: [null, 0.125] },
    ],
    notices: [
      `${place} knows no competencies: all of its probes are one group`,
      '1 scores of controls and other probes are left out',
    ],
  })
  await expect(readHolmes(place, { portion: 1 })).rejects.toMatchObject({ code: 'usage.conflict' })
})

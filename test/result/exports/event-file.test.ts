import { expect, test } from 'vitest'
import { eventFile } from '../../../src/result/exports/event-file.ts'

// The same three events by tensorboard 2.21: Event(…).SerializeToString() through its RecordWriter.
const recorded =
  '1800000000000000a37f4b220900002040fc54d9411a0d627261696e2e4576656e743a322b353110' +
  '2700000000000000bbe1b1460900002040fc54d94110ac022a190a170a1053545331372f6d61696e5f73636f726515c53b603fc1f4702e' +
  '16000000000000004f61be280900001040fc54d9412a0b0a090a02c3a415000000c0a8e00043'

test('an event file has the bytes of the reference: version, a step of two bytes, a step of 0, letters of two bytes', () => {
  const bytes = eventFile(
    [
      { tag: 'STS17/main_score', step: 300, value: 0.875912, time: 1_700_000_000.5 },
      { tag: 'ä', step: 0, value: -2, time: 1_700_000_000.25 },
    ],
    1_700_000_000.5,
  )
  expect(Buffer.from(bytes).toString('hex')).toBe(recorded)
})

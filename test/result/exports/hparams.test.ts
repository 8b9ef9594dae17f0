import { expect, test } from 'vitest'
import { eventFile } from '../../../src/result/exports/event-file.ts'
import { toExperiment, toSessionStart } from '../../../src/result/exports/hparams.ts'

// The same messages by tensorboard 2.21: HParamsPluginData(…).SerializeToString(), and the Event around one.
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test('settings of a run have the bytes of the reference', () => {
  const { tag, plugin, content } = toSessionStart({ model: 'a' }, 5)
  expect([tag, plugin]).toEqual(['_hparams_/session_start_info', 'hparams'])
  expect(hex(content)).toBe('1a170a0c0a056d6f64656c12031a0161290000000000001440')
})

test('all settings and metrics have the bytes of the reference, each value once', () => {
  const { tag, content } = toExperiment([{ model: 'a' }, { model: 'b' }, { model: 'a' }], ['STS17/main_score'])
  expect(tag).toBe('_hparams_/experiment')
  expect(hex(content)).toBe(
    '122d22150a056d6f64656c20012a0a0a031a01610a031a01622a140a12121053545331372f6d61696e5f73636f7265',
  )
})

test('an event with data of a plugin has the bytes of the reference', () => {
  const data = { tag: '_hparams_/session_start_info', plugin: 'hparams', content: Buffer.from('x') }
  expect(hex(eventFile([], 5, [data]))).toContain(
    '0900000000000014402a380a360a1c5f68706172616d735f2f73657373696f6e5f73746172745f696e666f42060801120212' +
      '004a0e0a0c0a0768706172616d73120178',
  )
})

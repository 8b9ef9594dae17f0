import { expect, test } from 'vitest'
import { sharedReader } from '../../../../src/model/merge/engine/shared-reader.ts'

test('tensors that lie in one file are told apart, from chunk to chunk', async () => {
  const info = (name: string) => ({ name, dtype: 'U8' as const, shape: [6], byteLength: 6 })
  const places = ['a', 'b'].map((tensor, at) => ({
    input: 0,
    tensor,
    path: 'model.safetensors',
    offset: 100 * (at + 1),
  }))
  const shared = sharedReader(2, 4, async ({ offset }, _info, from, to) =>
    Uint8Array.from({ length: to - from }, (_, i) => offset + from + i),
  )
  const readers = [0, 1].map((consumer) => shared.reader(consumer, places))
  for (const [from, to] of [
    [0, 4],
    [4, 6],
  ] as const) {
    for (const [at, name] of ['a', 'b'].entries()) {
      const found = await Promise.all(readers.map((read) => read({ input: 0, info: info(name) }, from, to)))
      const wanted = Array.from({ length: to - from }, (_, i) => 100 * (at + 1) + from + i)
      expect(found.map((bytes) => [...bytes])).toEqual([wanted, wanted])
    }
  }
})

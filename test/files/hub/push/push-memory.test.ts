import { describe, expect, test } from 'vitest'
import { openMemory, type PartedUpload } from '../../../../src/files/hub/push/push-memory.ts'
import { scratchFolder } from '../../../scratch.ts'

const { path } = scratchFolder()
const hour = 3600 * 1000
const upload = (hoursAgo: number): PartedUpload => ({ href: 'a', partLength: 5, parts: ['b'], etags: { 0: 'c' }, begun: Date.now() - hoursAgo * hour })

describe('an upload in parts', () => {
  test('is gone on with by the next push of the folder, and by no other folder', async () => {
    await (await openMemory('/folder', path('memory'))).keepUpload('object', upload(1))
    expect((await openMemory('/folder', path('memory'))).upload('object')?.etags).toEqual({ 0: 'c' })
    expect((await openMemory('/folder', path('memory'))).upload('other')).toBeUndefined()
    expect((await openMemory('/other', path('memory'))).upload('object')).toBeUndefined()
  })

  test('is begun anew after a day: the store has dropped its parts', async () => {
    const memory = await openMemory('/old', path('memory'))
    await memory.keepUpload('object', upload(25))
    expect(memory.upload('object')).toBeUndefined()
    expect((await openMemory('/old', path('memory'))).upload('object')).toBeUndefined()
  })

  test('that is finished is forgotten', async () => {
    const memory = await openMemory('/done', path('memory'))
    await memory.keepUpload('object', upload(1))
    await memory.keepUpload('object', undefined)
    expect((await openMemory('/done', path('memory'))).upload('object')).toBeUndefined()
  })
})

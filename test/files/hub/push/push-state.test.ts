import { describe, expect, test } from 'vitest'
import { openPushState, type PartedUpload } from '../../../../src/files/hub/push/push-state.ts'
import { hoursAgo } from '../../../ages.ts'
import { scratchFolder } from '../../../scratch.ts'

const { path } = scratchFolder()
const upload = (hours: number): PartedUpload => ({
  href: 'a',
  partLength: 5,
  parts: ['b'],
  etags: { 0: 'c' },
  begun: hoursAgo(hours),
})

describe('an upload in parts', () => {
  test('is gone on with by the next push of the folder, and by no other folder', async () => {
    await (await openPushState('/folder', path('state'))).keepUpload('object', upload(1))
    expect((await openPushState('/folder', path('state'))).upload('object')?.etags).toEqual({ 0: 'c' })
    expect((await openPushState('/folder', path('state'))).upload('other')).toBeUndefined()
    expect((await openPushState('/other', path('state'))).upload('object')).toBeUndefined()
  })

  test('is begun anew after a day: the store has dropped its parts', async () => {
    const state = await openPushState('/old', path('state'))
    await state.keepUpload('object', upload(25))
    expect(state.upload('object')).toBeUndefined()
    expect((await openPushState('/old', path('state'))).upload('object')).toBeUndefined()
  })

  test('that is finished is forgotten', async () => {
    const state = await openPushState('/done', path('state'))
    await state.keepUpload('object', upload(1))
    await state.keepUpload('object', undefined)
    expect((await openPushState('/done', path('state'))).upload('object')).toBeUndefined()
  })
})

/** The child of `measured-process.ts`: one model, one question after another, until its parent is gone. */
import { asFault } from '#core'
import { openMeasured, type OpenedModel } from './open-measured.ts'
import type { Answer, Question } from './measured-process.ts'

let model: OpenedModel | undefined

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'open': {
      const clock = (): number => performance.now() / 1000
      model = await openMeasured(question.request, { clock, onNotice: (notice) => reply({ notice }) })
      return model.opened
    }
    case 'round':
      return model?.round(question.batch)
    case 'close':
      await model?.close()
      // the resident set is in kibibytes
      return process.resourceUsage().maxRSS * 1024
    default:
      return question satisfies never
  }
}

process.on('message', (question: Question) => {
  answer(question).then(
    (value) => reply({ value }),
    (error: unknown) => {
      const { code, parts } = asFault(error, 'internal', 'measured process')
      const { place, what, hint, seen, wanted } = parts
      reply({ code, parts: { place, what, hint, seen, wanted } })
    },
  )
})
process.on('disconnect', () => process.exit())
// Ctrl-C reaches the whole group: the parent decides
process.on('SIGINT', () => {})

function reply(words: Answer): void {
  process.send?.(words)
}

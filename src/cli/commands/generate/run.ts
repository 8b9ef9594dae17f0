/** `strata generate`: text from a language model, or a chat with it. */
import { randomInt } from 'node:crypto'
import { text as textOf } from 'node:stream/consumers'
import { fault, type LanguageModel } from '#core'
import { openModel } from '#experiment/open'
import { languageModelOf } from '#model/checkpoint'
import { answer, type AnswerOptions } from './answer.ts'
import type { CommandRun } from '../../spec/command.ts'
import type { Flags } from './flags.ts'
import { converse } from './converse.ts'
import { askLine } from './ask-line.ts'
import { modelOptions } from '../../options/model-options.ts'

/** The exit code that shells report for a program ended by Ctrl-C. */
const interrupted = 130

export const run: CommandRun<Flags> = async ([reference = '', given], flags, terminal) => {
  const options = answerOptions(flags)
  if (flags.system !== undefined && flags.chat !== true)
    throw fault('usage.conflict', { place: '--system', what: 'needs --chat', hint: 'add --chat' })
  const typed = given === undefined && process.stdin.isTTY
  if (typed && flags.chat !== true)
    throw fault('usage.value', {
      place: 'prompt',
      what: 'no prompt is given',
      hint: 'give a text, or one on standard input; --chat starts a dialogue',
    })
  const { threads, device, engine, dtype, cacheDir } = flags
  const model = await openModel(reference, modelOptions({ threads, device, engine, dtype, cacheDir }, terminal))
  try {
    const language = await languageModelOf(model, reference)
    for (const line of language.facts.unread ?? []) terminal.note(`notice  ${line}`)
    if (flags.chat === true) requireTemplate(language)
    const how = { ...options, model: language, terminal, json: flags.json === true }
    const system = flags.system === undefined ? [] : [{ role: 'system', content: flags.system }]
    if (typed) {
      await converse(system, how, askLine)
      return 0
    }
    const prompt = given === undefined || given === '-' ? withoutLastBreak(await textOf(process.stdin)) : given
    const { end } = await answer(flags.chat === true ? [...system, { role: 'user', content: prompt }] : prompt, how)
    return end === 'interrupted' ? interrupted : 0
  } finally {
    await model.close()
  }
}

function answerOptions({ temperature, topK, topP, seed, maxNewTokens, stop }: Flags): AnswerOptions {
  const narrowed = topK !== undefined || topP !== undefined
  if (temperature === 0 && narrowed)
    throw fault('usage.conflict', {
      place: topK === undefined ? '--top-p' : '--top-k',
      what: 'has no effect at temperature 0, where nothing is drawn',
      hint: 'leave one of them out',
    })
  const drawn = temperature ?? (narrowed ? 1 : 0)
  if (drawn === 0 && seed !== undefined)
    throw fault('usage.conflict', {
      place: '--seed',
      what: 'has no effect at temperature 0, where nothing is drawn',
      hint: 'add --temperature, --top-k or --top-p, or leave it out',
    })
  return {
    temperature: drawn,
    topK,
    topP,
    maxTokens: maxNewTokens,
    until: stop,
    seed: drawn === 0 ? undefined : (seed ?? randomInt(2 ** 31)),
  }
}

function requireTemplate(model: LanguageModel): void {
  if (model.chatPrompt === undefined)
    throw fault('chat.template', {
      place: model.facts.name,
      what: 'the model has no chat template',
      hint: 'leave out --chat to continue the text as it stands',
    })
}

/** A file ends with a line break that is not part of the text. */
function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/** Runs of one model on one locale, for tests: an answer is a digit, 1 where it is right. */
import type { LocaleRun } from '#experiment/locales'

export function runOf(locale: string, type: string, digits: string): LocaleRun {
  const answers = Uint8Array.from(digits.split(''), Number)
  return {
    locale,
    type,
    folder: '',
    accuracy: answers.reduce((sum, one) => sum + one, 0) / answers.length,
    correct: null,
    total: null,
    errorRate: null,
    model: null,
    subfolder: null,
    timestamp: null,
    answers,
  }
}

/**
 * MASSIVE 1.1 as a question to classifiers that were trained on it: text → intent, by the model's own head. FitzGerald
 * et al. 2022 (arXiv 2204.08582). mteb's tasks of that name train a regression on embeddings instead.
 */
import type { TaskInfo } from '#task/rows'

/** In the order of the data set's numbers, which heads called `LABEL_n` mean. */
const intents = (
  'datetime_query iot_hue_lightchange transport_ticket takeaway_query qa_stock general_greet recommendation_events music_dislikeness iot_wemo_off cooking_recipe ' +
  'qa_currency transport_traffic general_quirky weather_query audio_volume_up email_addcontact takeaway_order email_querycontact iot_hue_lightup ' +
  'recommendation_locations play_audiobook lists_createoradd news_query alarm_query iot_wemo_on general_joke qa_definition social_query music_settings ' +
  'audio_volume_other calendar_remove iot_hue_lightdim calendar_query email_sendemail iot_cleaning audio_volume_down play_radio cooking_query datetime_convert ' +
  'qa_maths iot_hue_lightoff iot_hue_lighton transport_query music_likeness email_query play_music audio_volume_mute social_post alarm_set qa_factoid ' +
  'calendar_set play_game alarm_remove lists_remove transport_taxi recommendation_movies iot_coffee music_query play_podcasts lists_query'
).split(' ')

const locales = (
  'af-ZA am-ET ar-SA az-AZ bn-BD ca-ES cy-GB da-DK de-DE el-GR en-US es-ES fa-IR fi-FI fr-FR he-IL hi-IN hu-HU hy-AM id-ID is-IS it-IT ja-JP jv-ID ka-GE km-KH ' +
  'kn-IN ko-KR lv-LV ml-IN mn-MN ms-MY my-MM nb-NO nl-NL pl-PL pt-PT ro-RO ru-RU sl-SL sq-AL sv-SE sw-KE ta-IN te-IN th-TH tl-PH tr-TR ur-PK vi-VN zh-CN zh-TW'
).split(' ')

/** Hint for a name near to that of the task; undefined for names that mean something else. */
export function massiveHint(name: string): string | undefined {
  if (!/^massive[\s_-]*(1\.1)?[\s_-]*(intents?)?[\s_-]*(classifiers?)?$/i.test(name)) return undefined
  return "MASSIVEIntent asks a classifier's own head; MassiveIntentClassification trains a regression on embeddings"
}

/** The task, its languages taken from mteb's task over the same rows (`af`, `zh-CN`); Catalan came with 1.1. */
export function massiveIntent(mteb: TaskInfo): TaskInfo {
  const languages = (locale: string): readonly string[] =>
    mteb.subsets[locale] ?? mteb.subsets[locale.slice(0, 2)] ?? ['cat-Latn']
  return {
    ...mteb,
    name: 'MASSIVEIntent',
    type: 'SequenceClassification',
    protocol: 'SequenceClassification',
    dataset: { path: 'AmazonScience/massive', revision: 'main' },
    aliases: [],
    splits: ['test'],
    subsets: Object.fromEntries(locales.map((locale) => [locale, languages(locale)])),
    columns: { text: 'utt', label: 'intent' },
    params: { ...mteb.params, fast_loading: false },
    steps: [],
    licence: 'cc-by-4.0',
    labels: intents,
  }
}

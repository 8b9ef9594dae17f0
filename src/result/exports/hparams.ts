/**
 * What TensorBoard's HParams page reads (tensorboard, plugins/hparams/plugin_data.proto and api.proto): the settings of
 * a run, and of all runs the settings and metrics there are.
 */
import type { PluginData } from './event-file.ts'
import { concat, fixed64, lengthDelimited, varint } from './wire.ts'

export type Settings = Readonly<Record<string, string>>

const plugin = 'hparams'

/** `HParamsPluginData`: session_start_info 3; `SessionStartInfo`: hparams 1 (a map), start_time_secs 5. */
export function toSessionStart(settings: Settings, time: number): PluginData {
  const entries = Object.entries(settings).map(([name, value]) =>
    lengthDelimited(1, concat(textField(1, name), lengthDelimited(2, textValue(value)))),
  )
  const start = concat(...entries, fixed64(5, time))
  return { tag: '_hparams_/session_start_info', plugin, content: lengthDelimited(3, start) }
}

/**
 * `HParamsPluginData`: experiment 2; `Experiment`: hparam_infos 4, metric_infos 5; `HParamInfo`: name 1, type 4 (1: a
 * text), domain_discrete 5; `MetricInfo`: name 1, a `MetricName`: tag 2.
 */
export function toExperiment(sessions: readonly Settings[], metrics: readonly string[]): PluginData {
  const names = [...new Set(sessions.flatMap((one) => Object.keys(one)))]
  const infos = names.map((name) => {
    const values = [...new Set(sessions.flatMap((one) => one[name] ?? []))]
    const domain = concat(...values.map((value) => lengthDelimited(1, textValue(value))))
    return lengthDelimited(4, concat(textField(1, name), varint(4 << 3), varint(1), lengthDelimited(5, domain)))
  })
  const tags = metrics.map((tag) => lengthDelimited(5, lengthDelimited(1, textField(2, tag))))
  return { tag: '_hparams_/experiment', plugin, content: lengthDelimited(2, concat(...infos, ...tags)) }
}

/** `google.protobuf.Value`: string_value 3. */
function textValue(text: string): Uint8Array {
  return textField(3, text)
}

function textField(field: number, text: string): Uint8Array {
  return lengthDelimited(field, Buffer.from(text))
}

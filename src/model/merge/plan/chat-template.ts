/** `chat_template` of a recipe: `auto`, the name of a known prompt format, or the template itself. */
import { fault, suggestion } from '#core'

/**
 * Prompt formats as their models were trained on them. Written for transformers' Jinja, which drops the newline behind
 * a block tag and the blanks before it.
 */
const formats: Readonly<Record<string, string>> = {
  // github.com/tatsu-lab/stanford_alpaca: instruction, optional input, response.
  alpaca: `{% for message in messages %}
{% if message['role'] == 'system' %}
{{ message['content'] | trim }}
{% elif message['role'] == 'user' %}
### Instruction:
{{ message['content'] | trim }}
{% elif message['role'] == 'user_context' %}
### Input:
{{ message['content'] | trim }}
{% else %}
### Response:
{{ message['content'] | trim }}
{% endif %}
{{ '\\n' if not loop.last or add_generation_prompt }}
{%- endfor %}
{% if add_generation_prompt %}
### Response:
{% endif %}
`,
  // github.com/openai/openai-python, chatml.md.
  chatml: `{% for message in messages %}
{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- endif %}
`,
  // Model card of EXAONE 3: a system turn always comes first; the user's turn ends with a newline alone.
  exaone: `{% if messages[0]['role'] != 'system' %}
{{- '[|system|][|endofturn|]\\n' }}
{%- endif %}
{%- for message in messages %}
{{- '[|' + message['role'] + '|]' + message['content'] + ('\\n' if message['role'] == 'user' else '[|endofturn|]\\n') }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '[|assistant|]' }}
{%- endif %}
`,
  // llama.com, prompt format of Llama 3: no newline between turns.
  llama3: `{{- bos_token }}
{%- for message in messages %}
{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
`,
  // docs.mistral.ai, tokenizer v1: a system message is the head of the first instruction.
  mistral: `{%- set start = 1 if messages[0]['role'] == 'system' else 0 %}
{{- bos_token }}
{%- for message in messages[start:] %}
{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) or message['role'] not in ['user', 'assistant'] %}
{{- raise_exception('after an optional system message, user and assistant take turns') }}
{%- elif message['role'] == 'user' %}
{{- ' [INST] ' + (messages[0]['content'] + '\\n\\n' if start == 1 and loop.first else '') + message['content'] + ' [/INST]' }}
{%- else %}
{{- ' ' + message['content'] + eos_token }}
{%- endif %}
{%- endfor %}
`,
}

/** The word for the template that most inputs have. */
const majority = 'auto'

/**
 * The template of the output; undefined under `auto` when no input has one. `ofInputs` are the inputs' own, in order:
 * the first of equally frequent ones is taken. Throws `usage.value` for a value that is neither a name nor a template,
 * with the nearest name.
 */
export function chatTemplateOf(wanted: string, ofInputs: readonly (string | undefined)[]): string | undefined {
  if (wanted === majority) return mostFrequent(ofInputs.flatMap((text) => (text?.trim() ? [text.trim()] : [])))
  if (Object.hasOwn(formats, wanted)) return formats[wanted]
  // mergekit's test for a literal: a name that is misspelt must not become a template.
  if (wanted.length >= 20 && wanted.includes('{')) return wanted
  const names = [majority, ...Object.keys(formats)]
  throw fault('usage.value', {
    place: 'chat_template',
    what: 'neither a known format nor a template',
    seen: wanted,
    wanted: `${names.join(', ')}, or Jinja of at least 20 characters`,
    hint: suggestion(wanted, names),
  })
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].reduce<[string, number] | undefined>(
    (best, one) => (best === undefined || one[1] > best[1] ? one : best),
    undefined,
  )?.[0]
}

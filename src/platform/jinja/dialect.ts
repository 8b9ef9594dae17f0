/**
 * How Jinja2 is set up. `chat`: as transformers does for chat templates – white space around blocks trimmed, loops that
 * can be left, what is missing is
 * nothing, no value changes. `rows`: as lm-evaluation-harness does for rows – nothing trimmed, what is missing may not
 * be used, `tojson` is Jinja2's own,
 * `regex_replace`.
 */
export type Dialect = 'chat' | 'rows'

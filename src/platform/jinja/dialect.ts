/**
 * How Jinja2 is set up. `chat`: as transformers does for chat templates – white space around blocks trimmed, loops that
 * can be left, missing values empty, no value changes. `rows`: as lm-evaluation-harness does for rows – nothing
 * trimmed, missing values may not be used, `tojson` is Jinja2's own, `regex_replace`.
 */
export type Dialect = 'chat' | 'rows'

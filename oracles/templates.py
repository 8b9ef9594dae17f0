"""What Jinja2 prints, or that it fails, for templates of rows in the environment of lm-evaluation-harness.

bench/.scratch/venv/bin/python oracles/templates.py > test/platform/jinja/golden/rows-3.1.6.json
"""

import json

import jinja2
import lm_eval
from lm_eval.utils import apply_template

ROW = {
    "text": " naïve\u00a0Café\u2028“x”\t",
    "words": ["one", "Two", "", "drei\ufeff", "e\u0301", "\ue000\U000e0001\U0001f469\u200d"],
    "label": 1,
    "yes": True,
    "no": False,
    "half": {"kind": "float", "value": 2.5},
    "whole": {"kind": "float", "value": 3.0},
    "nothing": None,
    "doc": {"items": [3, 1, 2], "key": "B", "Straße": 1, "deep": {"x": [{"y": "z"}]}},
    "Überschrift": "Ü",
    "rows": [{"n": 2, "s": "b"}, {"n": 10, "s": "A"}, {"s": "a"}],
    "number": "3.7",
    "empty": "",
    "none_list": [],
}

# printed as {{ … }}
EXPRESSIONS = r"""
words
text.split()
[text]
'\x7f\xa0\xad\u0600\u2003\u3000\u2028\u2029\ufffe\U000e0001\U0001f600'|list
Überschrift
doc.Straße
doc['Straße']
[label, missing]
{'a': missing}
(missing, 1)
[missing]|length
missing
missing.x
missing[0]
missing()
missing or 1
missing and 1
not missing
missing == 1
1 != missing
missing in [1]
1 in missing
'x' in missing
missing ~ 'x'
missing is defined
missing is undefined
missing is none
missing is string
missing is number
missing is mapping
missing is sequence
missing is iterable
missing is callable
missing is boolean
missing is eq 1
missing is odd
missing is lower
missing|default('d')
missing|d('d', true)
missing.x|default('d')
doc.missing|default('d')
doc.missing.x|default('d')
doc['missing']
doc.deep.x[0].y
doc.deep.x[1].y
doc.deep.x[1]
words[10]
words[10] is defined
words[yes]
words[no]
words[half]
'abc'[yes]
'abc'[10]
{0: 'no', 1: 'yes'}[label]
{0: 'no', 1: 'yes'}[yes]
{true: 'a'}[1]
{'1': 'a'}[1]
['a', 'b'][label]
'x' if no
'x' if yes
('x' if no) ~ '!'
('x' if no) is defined
('x' if no)|length
['x' if no]
'a' if no else 'b' if no else 'c'
missing|length
missing|list
missing|join
missing|first
none_list|first
none_list|last
none_list|max
none_list|first|default('e')
missing|int
missing|float
missing|upper
missing|string
missing|map('upper')|list
missing|items|list
doc|items|list
words|items|list
rows|map(attribute='n')|list
rows|map(attribute='n')|join(',')
rows|map(attribute='n', default=0)|sum
rows|selectattr('n')|list
rows|selectattr('n', 'defined')|list
rows|map(attribute='s')|sort|list
rows|sort(attribute='s')|map(attribute='s')|join
1 < 2 < 3
3 > 2 > 2
1 < label <= 1
1 == 1.0 == yes
1 in [1] == true
not 1 in [2]
1 not in [2] and 2 in [2]
'a' ~ 1 + 1
1 + 1 ~ 'a'
2 * 3 ~ 4 * 5
2 ** 3 ** 2
-2 ** 2
- 3|abs
-3|abs
(-3)|abs
2 + 3|string
10 // 3 * 3 + 10 % 3
7 / 2
6 / 2
2 ** -1
0x1f + 0b11 + 0o17 + 1_000
1e3
1.5e-7
1_0.5
label is divisibleby 1
4 is divisibleby(3)
label is in [1, 2]
label is not in [1, 2]
label is sameas 1
label is eq 1 and yes
label is ne 1 or 'x'
label is gt 0
'a' is lower
label is odd is defined
words is iterable and words is not string
label, yes
(label, yes)
(label,)
()
[1, 2,]
{'a': 1,}
{}
[]
words[1:]
words[:-1]
words[::2]
words[::-1]|first
words[1:3:1]
text[1:6]
text[label:]
text[:half]
doc['items']
doc.items()|list
doc.keys()|list
doc.get('key')
doc.get('none')
doc.get('none', 'd')
doc.deep.x.0.y
words.0
"it's" 'a' "b"
'a\
b'
'\d+ \q \101 \x41 \u00e9 \N'
'\d+ \q \101 \x41 \u00e9'
'tab\tnew\nline'
"q\"q" 'q\'q'
'}}' ~ '%}'
{'a': {'b': 1}}.a.b
{'a': {'b': 1}}['a']['b']
true
True
none
None
false == False
nothing
nothing|default('d')
nothing|default('d', true)
nothing is none
whole
half
whole|int
[whole, half, nothing, yes]
number|float
number|int
'12abc'|int
' 12 '|int
'1e3'|int
'1_000'|int
'0x1f'|int
'inf'|float
'nan'|int
'x'|int(7)
'x'|float(7)
'.5'|float
'5.'|float
nothing|int
words|int
yes|int
half|int
-2.7|int
half|round
label|round
7|round(1)
7|round(1, 'floor')
1.115|round(2)
0.125|round(2)
2.675|round(2)
1234.5|round(-2)
-2.5|round
2.1|round(0, 'ceil')
doc|tojson
'<a href="x">&\'</a> é'|tojson
[1.0, 2.5, none, true]|tojson
{'b': 1, 'a': 2}|tojson
{'b': [1, {'c': none}]}|tojson(indent=2)
[]|tojson(indent=2)
missing|tojson
text|trim
text|trim ~ '!'
text|trim('\t')
text|upper
text|lower
'ǆ ßa ﬁn'|title
'ǆ ßa ﬁn'|capitalize
'ßa'.capitalize()
'ǉUB ǱX'.title()
'1 a1b'.title()
'ǆa'.capitalize()
'İI'.lower()
'ΑΣ ΑΣΑ'.lower()
'ß'.casefold()
"they're bill's"|title
'a-b c'.title()
"they're 1st".title()
'mixed CASE'.swapcase()
text|replace('\u2028', '|')
'aXbX'|replace('X', '-', 1)
'abc'|regex_replace('b', 'x')
'a1b22'|regex_replace('\\d+', '<\\g<0>>')
'a1b22'|regex_replace('(\\d)', '[\\1]', count=1)
'Hello World'|regex_replace(pattern='o', repl='0')
'abc'|regex_replace('(', 'x')
label|regex_replace('1', 'x')
text|wordcount
'one two  three'|wordcount
'a b c'|truncate(3)
'the quick brown fox'|truncate(10)
'the quick brown fox'|truncate(10, true, '…', 0)
'abc'|center(9)
'a\nb'|indent(2)
words|join(', ')
words|join
[1, none, 'x', 2.0]|join('-')
words|reverse|list
words|sort
words|sort(case_sensitive=true)
words|unique|list
words|length
text|length
words|batch(2)|list
[1, 2, 3, 4, 5]|slice(2)|list
doc|dictsort
doc.deep|length
[3, 1, 2]|max
words|min
[1, 2.5]|sum
rows|map(attribute='s')|map('upper')|list
words|select('equalto', 'Two')|list
words|reject('eq', 'Two')|list
[0, 1, '', 'x']|select|list
words|map('length')|list
words|map('replace', 'e', 'E')|list
'a,b'.split(',')
'a b'.split(' ', 1)
'a,b,c'.rsplit(',', maxsplit=1)
'abc'.find('c')
'abc'.index('z')
words.index('Two')
words.index('none')
words.count('Two')
'aaa'.count('a')
'%s and %s' % ('a', 1)
'%05.2f|%d|%r' % (2.5, 3, 'x')
'%s' % words
'%d%%' % 5
'%s' % missing
'%s'|format('x')
'{} {}'.format('a', 1)
'{0} {1} {0}'.format('a', 1)
'{a}'.format(a=2)
'{:>5}|{:<3}|{:^5}'.format('a', 'b', 'c')
'{:.2f}'.format(2.567)
'{:03d}'.format(7)
'{!r}'.format('x')
'{!r:>6}|{!s}'.format('x', 'y')
'{:,} {:+d} {:08.3f} {:.1%} {:x} {:e} {:*^7} {:.2}'.format(1234567, 5, -3.14159, 0.1234, 255, 12345.678, 'ab', 'abc')
'{:,.2f}'.format(1234567.891)
'{:>4}{:<4}|{:^5}'.format(1, 2, 3)
'{:d}'.format('x')
'{:d}'.format(1.5)
'{:>5}'.format(none)
'{'.format()
'{} {}'.format(1)
'a' in text
'é' in 'Café'
1 in 'abc'
nothing + 'x'
'x' + 1
'x' + nothing
'x' * 3
3 * 'x'
'x' * 'y'
nothing * 3
[1] + [2]
[1] * 2
words + 'x'
half + 1
whole + label
7 // 2.0
7 % 3.5
1 / 0
1 // 0
yes + 1
'a' < 'b'
'Z' < 'a'
'a' < 1
[1, 2] < [1, 3]
none_list == []
doc == doc
1 == '1'
range(3)|list
range(1, 7, 2)|list
range(0)|list
dict(a=1, b='x')
dict(a=1).a
namespace(a=1).a
raise_exception('x')
strftime_now('%Y')
label|nosuch
label is nosuch
text.nosuch
text.nosuch()
text.strip().split('\u2028')
'a b'.split()|map('upper')|join('+')
' x '.strip() ~ '|' ~ ' x '.lstrip() ~ '|' ~ ' x '.rstrip()
'www.a.com'.strip('wcom.')
'abc'.startswith('a') and 'abc'.endswith('c')
'a\r\nb\x1cc\u2028d'.splitlines()
'12'.isdigit(), '²'.isdigit(), '½'.isnumeric(), 'x'.isalpha(), ''.isdigit()
'x1'.isalnum(), 'é'.isalnum(), 'A'.isupper(), 'a1'.islower(), 'Aa'.istitle()
'7'.zfill(3), '-7'.zfill(4)
'ab'.ljust(4, '.') ~ 'ab'.rjust(4) ~ 'ab'.center(5, '*')
'a\tb'.expandtabs(4)
'a=b=c'.partition('=')
'prefix-x'.removeprefix('prefix-')
'abc'.replace('', '-')
', '.join(words[:2])
', '.join([1])
'\n'.join(words)
words[0][0]
words[-1][-1]
text[0:2][1]
(1, 2)[1]
'ABCD'[label]
'ABCD'.index('C')
['A', 'B', 'C'].index('C')
(label + 65)
doc.key in ['A', 'B']
{'A': 0, 'B': 1}[doc.key]
{'A': 0, 'B': 1}.get(doc.key, -1)
lipsum is callable
words is string
'<b>'|e
'<b>'|escape ~ '<i>'
'a b/ü'|urlencode
'abc'|list
'abc'|reverse
'abc'|first
'abc'|last
12345.678|string
1e16
1e-5
0.1 + 0.2
100 * 1.1
'%.3f' % 0.1234567
1.0
5 // 1.0
-0.0
label if label
loop
words|map('nosuch')|list
(a b)
1 +
[1
{'a'
'x
a..b
|upper
not
""".strip("\n").replace("'a\\\nb'", "'a\\\\\x00b'").split("\n")
EXPRESSIONS = [one.replace("'a\\\\\x00b'", "'a\\\nb'") for one in EXPRESSIONS]

TEMPLATES = [
    "plain",
    "",
    "\n",
    "a\n",
    "a\n\n",
    "a\r\nb\rc\n",
    "{{ label }}\n",
    "{{ label }}\r\n",
    "{{ 'a\r\nb' }}",
    "a {{- label -}} b",
    "a\u00a0\x1c {{- label -}} \u2003\x85b",
    "\ufeff{{- label -}}\ufeff",
    "a  {%- if yes -%}  b  {%- endif -%}  c",
    "a\n  {% if yes %}\n  b\n  {% endif %}\nc",
    "a\n  {%+ if yes +%}\n  b\n  {% endif %}\nc",
    "{{+ label }}",
    "{{+3}} {{-3}}",
    "a {# {{ no }} #} b",
    "a {#- x -#} b",
    "{# open",
    "{{ label",
    "{% if yes %}",
    "{% endif %}",
    "{% if yes %}a{% endfor %}",
    "{{ label }} }}",
    "{ label } {% raw %}{{ x }} {% if %}{% endraw %} b",
    "a {%- raw -%} {{ x }} {%- endraw -%} b",
    "{% if label == 1 %}one{% elif label == 2 %}two{% else %}more{% endif %}",
    "{% if missing %}a{% endif %}",
    "{% if missing is defined and missing %}a{% else %}b{% endif %}",
    "{% if not missing is defined %}a{% endif %}",
    "{% if yes: %}a{% endif %}",
    "{% for word in words %}{{ loop.index }}{{ loop.index0 }}{{ word }}{{ ', ' if not loop.last }}{% endfor %}",
    "{% for word in words if word %}{{ loop.length }}{{ word }}{% else %}none{% endfor %}",
    "{% for word in words if word is lower %}{{ word }} {% endfor %}",
    "{% for x in none_list %}a{% else %}empty{% endfor %}",
    "{% for x in missing %}a{% endfor %}",
    "{% for x in nothing %}a{% endfor %}",
    "{% for x in 5 %}a{% endfor %}",
    "{% for key, value in doc.items() %}{{ key }}={{ value }};{% endfor %}",
    "{% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}",
    "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for a, b in [(1, 2, 3)] %}{{ a }}{% endfor %}",
    "{% for x in 1, 2, 3 %}{{ x }}{% endfor %}",
    "{% for x in words %}{{ loop.previtem|default('-') }}{{ loop.nextitem|default('+') }}{% endfor %}",
    "{% for x in words %}{{ loop.previtem }}{% endfor %}",
    "{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "{% for x in words %}{% set last = x %}{% endfor %}{{ last }}",
    "{% set n = 1 %}{% for x in words %}{% set n = n + 1 %}{% endfor %}{{ n }}",
    "{% set ns = namespace(n=0) %}{% for x in words %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
    "{% set a, b = 1, 2 %}{{ b }}{{ a }}",
    "{% set a = b = 1 %}",
    "{% set x %}a{{ label }}{% endset %}[{{ x }}]",
    "{% set x | upper | replace('A', 'b') %}a{{ label }}{% endset %}[{{ x }}]",
    "{% set true = 1 %}",
    "{% set x = missing %}ok",
    "{% set x = missing %}{{ x }}",
    "{% set letters = 'ABCD' %}{% for w in words %}{{ letters[loop.index0] }}. {{ w }}\n{% endfor %}",
    "{% set options = ['A', 'B'] %}{% for o in options %}{{ '(' ~ o ~ ') ' ~ words[loop.index0] ~ '\n' }}{% endfor %}",
    "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}",
    "{% with %}{% set z = 1 %}{{ z }}{% endwith %}",
    "{% macro m(a, b='x') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m(b=3, a=4) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}",
    "{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}",
    "{% macro m(a) %}x{% endmacro %}{{ m(1, 2) }}",
    "{% macro m(a) %}x{% endmacro %}{{ m(b=2) }}",
    "{% macro m(a='x', b) %}x{% endmacro %}",
    "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}hi{% endcall %}",
    "{% macro m() %}{{ caller('q') }}{% endmacro %}{% call(x) m() %}<{{ x }}>{% endcall %}",
    "{% filter upper %}abc{{ label }}{% endfilter %}",
    "{% filter trim|upper %} abc {% endfilter %}",
    "{% for x in words %}{% break %}{% endfor %}",
    "{% generation %}x{% endgeneration %}",
    "{% nosuch %}",
    "{% include 'x' %}",
    "{%- for c in words[:2] %}\n{{ loop.index }}) {{ c }}\n{%- endfor %}\nAnswer:",
    "{{ m() }}{% macro m() %}x{% endmacro %}",
    "{{ f(*[1], **{'a': 2}) }}",
    "{{ dict(**{'a': 2}) }}{{ dict([('a', 1)]) }}",
    "{{ range(*[1, 4])|list }}",
    "{{ dict(a=1, 2) }}",
    "{{ }}",
    "{{ label label }}",
    "{{ {'a': 1}}}",
    "{{ [[1, 2], [3]] }}{{ [1, 2]]}}",
    "{{ 'unclosed }}",
    "{{ label # }}",
    "{{ 1abc }}",
    "{{ Ünïcode|default('ok') }} {{ _x is defined }} {{ x1 is defined }}",
    "{{words[0]}}{{words[1]}}",
    "{{doc.deep.x | map(attribute='y') | join}}",
    "{% for row in rows %}{{ row.n }}{% endfor %}",
    "{% for row in rows %}{{ row.n if row.n is defined else '?' }}{% endfor %}",
    "{% if words|length > 2 and label in [0, 1] %}y{% endif %}",
    "{% if words %}y{% endif %}{% if empty %}n{% endif %}{% if none_list %}n{% endif %}{% if nothing %}n{% endif %}",
    "{% if label, yes %}y{% endif %}",
    "{{ words|join('\n') }}",
    "{{'A' if label == 0 else 'B' if label == 1 else 'C'}}",
    "{{ ('a' 'b')|upper }}",
    "\\{{ label }}\\n",
    "{{ '{{' }}{{ \"%}\" }}",
    "{% set x = '%}' %}{{ x }}",
    "{% set _ = words.append('x') %}{{ words|length }}",
    "{% set a = [1] %}{% set _ = a.append(2) %}{{ a }}",
    "{% set a = [1] %}{% set b = a|list %}{% set _ = a.extend([2, 3]) %}{% set _ = a.insert(0, 9) %}{{ a.pop() }}{{ a }}{{ b }}",
    "{% set a = [1, 2] %}{% set _ = a.extend(a) %}{{ a }}",
    "{% set a = [1] %}{% set b = a %}{% set c = a.copy() %}{{ b.append(2) }}{{ a }}{{ c }}",
    "{% set d = {'a': 1} %}{% set _ = d.update({'b': 2}) %}{{ d }}{{ d.pop('a') }}{{ d }}{{ d.pop('z', 0) }}",
    "{{ [].pop() }}",
    "{{ (1, 2).append(3) }}",
    "{% do words.append('x') %}",
    "{% if yes %}{{ label|nosuch }}{% endif %}",
    "{% if no %}{{ label|nosuch }}{% endif %}x",
]


def plain(value):
    if isinstance(value, dict):
        return value["value"] if value.keys() == {"kind", "value"} else {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def render(template):
    try:
        return {"template": template, "text": apply_template(template, plain(ROW))}
    except Exception:  # noqa: BLE001 - any failure is one
        return {"template": template, "fails": True}


cases = [render(template) for template in TEMPLATES + ["{{ %s }}" % expression for expression in EXPRESSIONS]]
print(json.dumps({"made_with": f"lm_eval {lm_eval.__version__}, jinja2 {jinja2.__version__}", "row": ROW, "cases": cases}, ensure_ascii=True))

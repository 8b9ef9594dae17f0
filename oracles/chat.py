"""What Jinja2 prints for expressions and statements of chat templates, in the environment that transformers sets up.

python -m venv v && v/bin/pip install transformers==4.57.6 jinja2==3.1.6 && v/bin/python oracles/chat.py > test/model/tokenizer/golden/jinja-3.1.6.json
"""
import json

from transformers.utils.chat_template_utils import _compile_jinja_template

EXPRESSIONS = r"""
'a b  c'.split()
'a b  c'.split(' ')
' a b  c '.split(None, 1)
'a,b,c'.rsplit(',', 1)
'  a b  c '.rsplit(None, 1)
'xxabcxx'.strip('x')
'\n a \n'.strip('\n')
'abc'.lstrip('ab')
'abc'.rstrip('bc')
'hello world'.title()
"they're bill's".title()
'hello-world foo'|title
"they're (bill's)"|title
'hELLO'.capitalize()
'hELLO'|capitalize
'ß'.upper()
'a\nb\r\nc'.splitlines()
'a\nb\n'.splitlines(True)
'abc'.partition('b')
'abcbd'.rpartition('b')
'abc'.startswith(('a','b'))
'abc'.endswith('bc')
'prefix-x'.removeprefix('prefix-')
'x.y'.removesuffix('.y')
'aaa'.replace('a','b',2)
'abc'.replace('','-')
'abcabc'.find('c')
'abcabc'.rfind('c')
'😀ab'.find('b')
'abcabc'.count('bc')
'abc'.index('z')
', '.join(['a','b'])
'{} and {}'.format(1,'x')
'{0}{1}{0}'.format('a','b')
'{x}'.format(x=3)
'7'.zfill(3)
'-7'.zfill(4)
'ab'.ljust(4) ~ '|'
'ab'.rjust(4)
'ab'.center(5) ~ '|'
'abc'.center(6) ~ '|'
'12'.isdigit()
'a1'.isalnum()
'A'.isupper()
' '.isspace()
'%s-%d' % ('a', 3)
'%05.2f' % 3.14159
'%s' % 'x'
'%-5s|' % 'x'
'%5s|'|format('x')
1/2
4/2
7//2
-7//2
7%3
-7%3
2**10
2**-1
1.0
0.1+0.2
1.5*2
3.0|int
'3.7'|int
'abc'|int
'abc'|int(5)
'3.7'|float
3|float
10000000000000000.0
0.00001
123456789.123
[1,2.0,'a',None,True,{'a':'b'}]
(1,2)
{'a':1,'b':[1,2]}
{'a':"it's"}
["it's", 'say "x"', "both ' and \""]
['\n\t\\']
none
true
undefinedvar
undefinedvar|default('d')
''|default('d')
''|default('d', true)
none|default('d')
[3,1,2]|sort
[3,1,2]|sort(reverse=true)
['b','A','c']|sort
['b','A','c']|sort(case_sensitive=true)
[{'a':2},{'a':1}]|sort(attribute='a')
[1,2,3]|sum
[{'a':2},{'a':1}]|sum(attribute='a')
[1,2,3]|join(',')
[1,none,'x']|join('-')
[{'a':2},{'a':1}]|join(',',attribute='a')
[1,2,3]|first
[]|first
[1,2,3]|last
'abc'|first
'abc'|last
'abc'|length
'😀é'|length
{'a':1}|length
[1,2,3]|reverse|list
'abc'|reverse
{'b':1,'a':2}|dictsort
{'b':1,'a':2}|dictsort(by='value')
{'b':1,'a':2}|items|list
{'b':1,'a':2}.items()|list
{'b':1,'a':2}.keys()|list
{'b':1,'a':2}|list
{'b':1,'a':2}.get('z','d')
{'b':1,'a':2}.get('z')
[1,2,3,4]|batch(2)|list
[1,2,3]|batch(2,'x')|list
[1,1,2,'a','A']|unique|list
[{'r':'u'},{'r':'a'}]|selectattr('r','equalto','u')|list
[{'r':'u'},{'r':'a'}]|rejectattr('r','eq','u')|list
[{'r':'u'},{'x':'a'}]|selectattr('r','defined')|list
[{'r':'u'},{'r':''}]|selectattr('r')|list
[1,2,3,4]|select('even')|list
[1,2,3,4]|reject('odd')|list
[1,2,3,4]|select('gt',2)|list
['a','b']|map('upper')|list
[{'a':{'b':1}},{'a':{'b':2}}]|map(attribute='a.b')|list
[{'a':1},{}]|map(attribute='a',default='z')|list
[3,1]|max
[3,1]|min
'a<b>&"\''|e
'a\nb\n\nc'|indent
'a\nb'|indent(2, true)
'a\n\nb'|indent(2, blank=true)
'a\nb'|indent('>>')
'  x '|trim
'xxaxx'|trim('x')
'hello world foo bar'|truncate(12)
'hello world foo bar'|truncate(12, true)
'a b c'|wordcount
'a b/c?d'|urlencode
2.5|round
3.5|round
2.567|round(2)
2.1|round(0,'ceil')
-3|abs
{'a':[1,2.5,None,True,"é<>&'"]}|tojson
{'a':[1,{'b':[]}]}|tojson(indent=2)
{'b':1,'a':2}|tojson(sort_keys=true)
{'a':1,'b':2}|tojson(separators=(',',':'))
'é😀'|tojson(ensure_ascii=true)
[]|tojson(indent=4)
{}|tojson(indent=4)
'a' in 'abc'
1 in [1,2]
'a' in {'a':1}
'z' not in [1]
1 == 1.0
'1' == 1
[1,2] == [1,2]
{'a':1} == {'a':1}
none == undefinedvar
1 < 2
'a' < 'b'
[1,2] < [1,3]
not true
1 if false
1 if false else 2
(1 if false) is undefined
'abc'[1]
'abc'[-1]
'abc'[::-1]
'abcdef'[1:4]
'abcdef'[:-2]
'abcdef'[::2]
'😀abc'[1:]
[1,2,3][1:]
[1,2,3][-1]
[1,2,3][10]
[1,2,3][::-1]
'a' * 3
[1] * 2
[1] + [2]
'a' ~ 1 ~ none
'a' + 1
1 + 'a'
none + 1
undefinedvar + 1
undefinedvar.x
{'a':1}.b
{'a':1}.b.c
{'a':1}['b']
{'items':1}['items']
[1].append(2)
{'a':1}.update({})
''.__class__
''.__class__.__mro__
range(3)|list
range(1,6,2)|list
range(5,0,-2)|list
range(200000)
3 is odd
'a' is string
1 is number
1 is integer
1.0 is float
true is boolean
true is integer
true is number
none is none
[] is iterable
{} is mapping
'' is sequence
'ABC' is upper
'abc' is lower
x is not defined
dict(a=1)
namespace(a=1).a
'a'.foo()
foo()
'a'()
-'a'
+3
- 3
2 - 1
[1,2]|tojson
1.0|tojson
'x'|nosuch
1 is nosuch
'abc'|list
none|string
true|string
1|string|length
'A'|lower
'%' ~ 5
'a' 'b'
"a\u00e9"
'a\x41'
(1,2)[0]
[[1,2],[3,4]]|map('first')|list
[[1,2],[3,4]]|map('join','-')|list
[none]|tojson
'a-b'|replace('-','+')
'aaa'|replace('a','b',2)
5|default(3)
"\t x"|trim|length
'x'.join('abc')
'abc'|join(',')
['a','b']|tojson|length
1 > 2 or 3
0 and 1
'' or 'x'
[] or none
not [] and 1
1 < 2 and 2 < 3
true and not false
'Abc'.swapcase()
'a,b'.split(',')[1]
{'a': {'b': 3}}.a.b
{'a b': 1}['a b']
[1,2,3]|length > 2
loop
[1,[2,[3]]]|string
{'k': (1,2)}|string
' x'|tojson
-7 // 2
7 // -2
7 % -3
7.5 // 2
7.5 % 2
'a'.upper().lower()
('a' ~ 'b').upper()
'a'|upper|lower
['x']|first|upper
'a' if 'b' in ['b'] else 'c'
'abc'.__len__()
{'a':1}.__class__
none.x
none|length
5|length
5[0]
""".strip("\n").split("\n")

TEMPLATES = [
    "{% for x in [1,2,3] %}{{ x }}{% if not loop.last %},{% endif %}{% endfor %}",
    "{% set x=1 %}{% for i in [1,2] %}{% set x=x+i %}{{x}} {% endfor %}{{x}}",
    "{% set ns=namespace(x=1) %}{% for i in [1,2] %}{% set ns.x=ns.x+i %}{% endfor %}{{ns.x}}",
    "{% for k,v in {'a':1,'b':2}.items() %}{{k}}={{v}};{% endfor %}",
    "{% for x in [] %}a{% else %}empty{% endfor %}",
    "{% for x in [1,2,3,4] if x is even %}{{loop.index}}:{{x}}/{{loop.length}} {% endfor %}",
    "{% for x in [1,2,3] %}{% if x==2 %}{% continue %}{% endif %}{{x}}{% endfor %}",
    "{% for x in [1,2,3] %}{% if x==2 %}{% break %}{% endif %}{{x}}{% endfor %}",
    "{% macro m(a, b='x') %}[{{a}}{{b}}]{% endmacro %}{{ m(1) }}{{ m(1,2) }}{{ m(b=3,a=4) }}{{ m() }}",
    "{% macro m(x) %}{% if x > 0 %}{{x}}{{ m(x-1) }}{% endif %}{% endmacro %}{{ m(3) }}",
    "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}hi{% endcall %}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1,2,a=3) }}",
    "{% set x %}a{{ 1 }}b{% endset %}[{{ x }}]",
    "{% filter upper %}abc{{ 'd' }}{% endfilter %}",
    "{% if a is defined %}y{% elif b %}z{% else %}n{% endif %}",
    "{% for a in [1,2] %}{% for b in [3,4] %}{{loop.index}}{{a}}{{b}} {% endfor %}{{loop.index}}{% endfor %}",
    "{%- set x = [1,2] -%}  {{- x -}}  !",
    "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
    "a {#- c -#} b{# x #}\nc",
    "{% for m in 'abc' %}{{ loop.previtem }}{{ m }}{{ loop.nextitem }} {% endfor %}",
    "{% for x in [1,2,3] %}{{ loop.cycle('a','b') }}{{loop.revindex}}{{loop.first}}{{loop.index0}}{% endfor %}",
    "{% set a, b = [1,2] %}{{a}}{{b}}",
    "{% set a, b = [1] %}",
    "{% set x=1 %}{% if true %}{% set x=2 %}{% endif %}{{x}}",
    "{% set x=1 %}{% macro m() %}{{x}}{% endmacro %}{% set x=3 %}{{m()}}",
    "{% for x in undefinedvar %}a{% endfor %}!",
    "{% for x in none %}a{% endfor %}!",
    "{% for x in {'b':1,'a':2} %}{{x}}{% endfor %}",
    "{% for x in 5 %}a{% endfor %}",
    "{{ raise_exception('boo') }}",
    "{% generation %}x{% endgeneration %}",
    "{{ 'a' }}\n{{ 'b' }}\n",
    "{% if true %}\nx\n{% endif %}\n{{ 1 }}\n\n",
    "{{ messages[0] }}",
    "{{ messages[0].role ~ messages|length }}",
    "{% set d = {'x': 1} %}{% set d.x = 2 %}",
    "{{ [1,2]|map('nosuch')|list }}",
    "{% for i in range(3) %}{{ i }}{{ ' ' if not loop.last }}{% endfor %}",
    "{% set ns = namespace() %}{{ ns.a is defined }}{% set ns.a=1 %}{{ ns.a }}{{ ns['a'] }}",
    "{% for x in [1,2,3] %}{% if loop.first %}f{% endif %}{{ loop.depth }}{% endfor %}",
    "{% macro f(x) %}{{ x.y }}{% endmacro %}{{ f({'y':5}) }}",
    "{{ x.y is defined }}",
    "{{ messages[5] is defined }}",
    "{{ messages[0].zz is defined }}",
    "{% set m = messages[0] %}{{ m.content | default('') | trim }}",
    "{{- '\\n' -}}",
    "{{ \"it's\" ~ 'a\\'b' }}",
]

MESSAGES = [{"role": "user", "content": " hi "}]


def render(template):
    try:
        return {"template": template, "text": _compile_jinja_template(template).render(messages=MESSAGES, tools=None)}
    except Exception as error:
        return {"template": template, "error": str(error)}


cases = [render(template) for template in TEMPLATES + ["{{ %s }}" % expression for expression in EXPRESSIONS]]
print(json.dumps({"made_with": "transformers 4.57.6, jinja2 3.1.6", "messages": MESSAGES, "cases": cases}, ensure_ascii=False))

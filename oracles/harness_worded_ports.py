"""
What functions of lm-evaluation-harness 0.4.13 make of rows whose ports here take prompts and names from the function's own file, and the literals that those files hold.

    npm run build; python oracles/harness_worded_ports.py > test/task/harness/ports/golden/worded-ports.json
"""
from harness_cases import docs, draw, fields, text, write

keys = []


def own(key, rows, kind=fields):
    keys.append(key)
    kind([key], rows) if kind is fields else kind(key, rows)


def choices(most=4):
    return [text(3) for _ in range(most)]


# {braces} of a row are no fields
mmlu = [{"subject": text(2), "question": text() + " {question} {}", "choices": repr(choices())} for _ in range(2)] + [{"subject": "", "question": "é\n", "choices": "['a', 1, 2.50, \"it's\"]"}]
for i in [1, 2, 4]:
    own(f"afrimmlu/direct/prompt_{i}/utils.py#doc_to_text", mmlu)
nli = [{"premise": text() + "{hypothesis}", "hypothesis": text(), "label": i} for i in range(3)]
own("afrixnli/direct/prompt_2/utils.py#doc_to_target", nli)
own("afrixnli/direct/prompt_5/utils.py#doc_to_target", nli)
own("afrixnli/lai prompt/direct/utils.py#doc_to_text", nli)
own("afrixnli/translate/prompt_3/utils.py#doc_to_text", nli)
arabic = [
    {"Level": level, "Country": country, "Subject": "Law", "Question": text(), "Context": context, **{f"Option {i + 1}": option for i, option in enumerate(options)}}
    for level, country, context, options in [("Univ", "Jordan", None, ["a", "b", "c", None, None]), (None, "", "", ["a", "b", "c", "d", "e"]), ("Prof", None, "Given é", ["a", "b", None, "d", ""])]
]
for name in ["doc_to_text", "doc_to_choice"]:
    own(f"arabicmmlu/utils.py#{name}", arabic)
for key, subject in [("darijammlu", "subject_darija"), ("egymmlu", "egy_subject")]:
    rows = [{subject: text(2), "question": text() + "{}", "context": context, "choices": choices(n)} for context, n in [("", 4), ("قال", 5), (" ", 2)]]
    own(f"{key}/utils.py#doc_to_text", rows)
    own(f"{key}/utils.py#doc_to_choice", rows)
for name in ["doc_to_text", "doc_to_choice"]:
    own(f"greekmmlu/utils.py#{name}", [{"subject": subject, "question": text(), "choices": choices(n)} for subject, n in [("Law", 4), ("Economics", 3), ("Astrology", 4), ("Νομικής", 2)]])
for language in ["af", "ja", "zu"]:
    thought = {"af": "A: Laat ons stap vir stap dink.", "ja": "A: 一歩一歩考えていきましょう。", "zu": "A: "}[language]
    for name in ["doc_to_text", "fewshot_to_text"]:
        own(f"mmlu_prox/{language}/utils.py#{name}", [{"question": text(), "cot_content": f"{thought} {text()} $& {thought}", **{f"option_{i}": option for i, option in enumerate(options)}} for options in [choices(10), ["a", None, "c", *[None] * 6, "j"]]])
for i in [1, 3]:
    for name in [f"create_text_prompt_{i}", f"create_reverse_prompt_{i}"]:
        own(f"afrobench/mafand/prompt_{i}/african-english/utils.py#{name}", [{"translation": pair} for pair in [{"en": text() + "{source_lang}", "hau": text()}, {"yor": "é {x}", "en": ""}, {"fr": text(), "bam": text()}]])
own("global_mmlu/default/ar/utils.py#process_social_sciences", [{"subject_category": one} for one in ["Business", "STEM", "Social Sciences", "social sciences", "Other"]], docs)

write(keys)

"""
What the functions of lm-evaluation-harness 0.4.13 that have ports here make of rows that were drawn and of odd ones.

    python oracles/harness_ports.py > test/task/harness/ports/golden/ports.json
"""
import random

from harness_cases import aggregation, docs, draw, fields, filters, likelihoods, results, text, write

letters = "ABCD"
docs("tmmluplus/default/utils.py#process_docs", [{"question": text(), **{x: text(3) for x in letters}, "answer": draw.choice(letters)} for _ in range(4)])
docs("tmlu/default/utils.py#process_docs", [{"question": text(), **{x: text(3) for x in letters}, "E": e, "F": f, "answer": draw.choice(letters)} for e, f in [("five", "six"), ("five", None), (None, None), ("", "six")]])
docs("mmlusr/answer_only/utils.py#process_docs", [{"q": text(), **{f"choice{i}": draw.choice([text(3), None, ""]) for i in range(1, 5)}, "answer": answer} for answer in [" B", "A ", None, "C"]])
docs("okapi/arc_multilingual/utils.py#process_docs", [{"id": str(i), "instruction": f" {text()} [title] one [two] three  ", **{f"option_{x}": text(3) for x in "abcd"}, "option_e": draw.choice(["", text(2)]), "answer": draw.choice("ABCDE")} for i in range(4)])
docs("okapi/hellaswag_multilingual/utils.py#process_docs", [{"activity_label": text(3), "ctx_a": text(5) + " [title] [substeps]", "ctx_b": draw.choice(["ÉTÉ and MORE", "", "ﬁn d'ANNÉE", text(4)]), "endings": [text(4) + " [x]" for _ in range(4)], "label": str(i % 4)} for i in range(4)])
docs("arabic_leaderboard_complete/arabic_leaderboard_avca/utils.py#process_docs", [{"question": text(), "answer": answer} for answer in ["صح", "خطأ"]])
docs("arabic_leaderboard_complete/arabic_leaderboard_arabic_mmlu/utils.py#process_docs", [{"subject": "high_school_physics", "question": text(), **{x: text(3) for x in letters}, "answer": x} for x in letters])
docs("bigbench/utils.py#filter_multiple_choice", [{"inputs": text(), "multiple_choice_targets": ["x"] * n} for n in [0, 1, 3, 0, 2]])
docs("eus_exams/utils.py#process_docs", [{"answer": a, "candidates": c} for a, c in [(0, ["x", "", "", ""]), (None, ["x"] * 4), (3, [""] * 4), (4, ["x"] * 4), (2, ["a", "b", "c", "d"])]])
for name in ["race_color", "socio", "gender", "age", "religion", "disability", "orientation", "nationality", "appearance", "autre"]:
    docs(f"crows_pairs/utils.py#filter_{name}", [{"sent_more": b, "bias_type": b} for b in ["race-color", "socioeconomic", "gender", "age", "religion", "disability", "sexual-orientation", "nationality", "physical-appearance", "autre", "race-colors", " age"]])
fields(["crows_pairs/utils.py#doc_to_choice"], [{"sent_more": text(), "sent_less": text()}])
results("crows_pairs/utils.py#process_results", [({}, likelihoods(2)) for _ in range(4)] + [({}, [[-1.5, False], [-1.5, True]])])
for name in ["biology", "business", "chemistry", "computer_science", "economics", "engineering", "health", "history", "law", "math", "other", "philosophy", "physics", "psychology"]:
    docs(f"mmlu_pro/utils.py#process_{name}", [{"question": c, "category": c} for c in ["biology", "business", "chemistry", "computer science", "computer_science", "economics", "engineering", "health", "history", "law", "math", "other", "philosophy", "physics", "psychology"]])
pro = [{"question": text(), "options": [text(3) for _ in range(n)], "cot_content": "A: Let's think step by step. " + text()} for n in [2, 4, 10, 12]]
fields(["mmlu_pro/utils.py#doc_to_text", "mmlu_pro/utils.py#fewshot_to_text", "mmlu_pro/utils.py#fewshot_to_target", "leaderboard/mmlu_pro/utils.py#doc_to_text", "leaderboard/mmlu_pro/utils.py#doc_to_choice"], pro)

gpqa = [{"Correct Answer": right, **{f"Incorrect Answer {i}": draw.choice([text(3), " two  spaces ", "a [title] b [c] d"]) + str(i) for i in range(1, 4)}} for right in ["right", "  right  one ", "x [title] y [z]", "42"]]
docs("gpqa/n_shot/utils.py#process_docs", gpqa)

truth = [{"question": " " + text(), "correct_answers": c, "incorrect_answers": w} for c, w in [(["Yes", " no. ", ""], ["never"]), (["I have no comment."], ["a.", "b"]), ([text() for _ in range(3)], [text() for _ in range(3)])]]
# the generator is the file's own only here; the others draw from the global one, which is seeded as it
for key in ["gpqa/zeroshot/utils.py#process_docs", "gpqa/generative/utils.py#process_docs", "leaderboard/gpqa/utils.py#process_docs"]:
    random.seed(42)
    docs(key, gpqa)
docs("hellaswag/utils.py#process_docs", [{"activity_label": text(3), "ctx_a": text(5) + " [title] [substeps]", "ctx_b": b, "endings": [text(4) + " [x]" for _ in range(4)], "label": "2"} for b in ["ÉTÉ and MORE", "", text(4)]])
gaps = [{"sentence": s, "option1": "Ann", "option2": "é", "answer": a} for s, a in [("So _ went home _ .", "1"), ("_", "2"), ("The cat saw _  . ", "2")]]
fields(["winogrande/preprocess_winogrande.py#" + name for name in ["doc_to_text", "doc_to_target", "doc_to_choice"]], gaps)
docs("truthfulqa/utils.py#process_docs_gen", truth)
for key in ["truthfulqa/utils.py#process_results_mc2", "okapi/truthfulqa_multilingual/utils.py#process_results_mc2"]:
    results(key, [({"mc2_targets": {"labels": [1, 0, 1, 0]}}, likelihoods(4)) for _ in range(3)] + [({"mc2_targets": {"labels": [0, 0]}}, likelihoods(2))])
results(
    "truthfulqa/utils.py#process_results_gen",
    [
        ({"correct_answers": ["The cat sat on the mat.", "I have no comment."], "incorrect_answers": ["The dog ran . It was late .", "No one knows."]}, [answer])
        for answer in ["The cat sat on a mat . It was late.", "I have no comment.", "", "dog", "Nobody knows the dog that ran.\nIt was late", "THE CAT, the cat (and) the dog—ran; it’s 3.5 or 1,000"]
    ]
    + [({"correct_answers": [text(8) for _ in range(3)], "incorrect_answers": [text(8) for _ in range(2)]}, [text(12)]) for _ in range(12)],
)
docs("okapi/truthfulqa_multilingual/utils.py#process_docs", [{"question": " x [title] y [z]  w ", "mc1_targets_choices": ["a", "b"], "mc2_targets_choices": ["a", "b"], "mc2_targets_labels": [1, 0]}, {"question": "q", "mc1_targets_choices": ["a"], "mc2_targets_choices": ["a"], "mc2_targets_labels": [0]}])

copa = [{"premise": p, "question": q, "choice1": "The man ran.", "choice2": "Éva left.", "label": i} for p, q, i in [("My body cast a shadow over the grass.", "cause", 0), (" It rained! ", "effect", 1), ("é", "cause", 1)]]
fields(["super_glue/copa/utils.py#doc_to_text", "super_glue/copa/utils.py#doc_to_target", "super_glue/copa/utils.py#doc_to_choice"], copa)
fields(["super_glue/wsc/preprocess_wsc.py#default_doc_to_text"], [
    {"text": "Mark told Pete many lies about himself, which Pete included in his book. He should have been more truthful.", "span1_text": "Mark", "span2_text": "He", "span2_index": 13},
    {"text": 'She said " it was n\'t ( so ) bad . " Then it was, 😀 it was', "span1_text": "bad", "span2_text": "it", "span2_index": 3},
    {"text": "two  spaces  before it here", "span1_text": "two", "span2_text": "it", "span2_index": 3},
])
record = [
    {"passage": " First.\nSecond.\n@highlight\nOne thing\n@highlight\nAnother ", "query": "So @placeholder met @placeholder", "entities": ["Zoë", "Ann", "Ann", "bob"], "answers": ["bob", "Ann", "bob"]},
    {"passage": "Alone", "query": "no gap", "entities": ["The U.S.", "us"], "answers": ["US"]},
    {"passage": "x\n@highlight\n", "query": "@placeholder", "entities": ["a $& b", "an apple"], "answers": ["apple", "the"]},
]
docs("super_glue/record/util.py#process_docs", record)
fields(["super_glue/record/util.py#" + name for name in ["doc_to_text", "doc_to_target", "doc_to_choice"]], record)
results("super_glue/record/util.py#process_results", [(doc, likelihoods(len(doc["entities"]))) for doc in record for _ in range(4)])
coqa = [
    {"story": "S", "questions": {"input_text": ["q1", "q2"]}, "answers": {"input_text": ["a1", "The answer"]}, "additional_answers": {"0": {"input_text": ["b", "the ANSWER"]}, "1": {"input_text": ["c", "an answer, two"]}}},
    {"story": "T\n", "questions": {"input_text": ["q1"]}, "answers": {"input_text": ["yes"]}},
    {"story": "U", "questions": {"input_text": ["q1", "q2", "q3"]}, "answers": {"input_text": ["x", "y", "42"]}, "additional_answers": {"0": {"input_text": ["b", "c", "forty-two"]}}},
]
fields(["coqa/utils.py#doc_to_text", "coqa/utils.py#doc_to_target"], coqa)
results("coqa/utils.py#process_results", [(doc, [answer]) for doc in coqa for answer in ["the answer\nQ: more", " yes.", "", "42", "an answer two", "the\ta"]])
drop = [
    {"query_id": "1", "passage": "p", "question": "q", "answer": {"number": "3", "date": {"day": "", "month": "", "year": ""}, "spans": []}, "validated_answers": {"number": ["3", ""], "date": [{"day": "", "month": "", "year": ""}, {"day": "2", "month": "May", "year": "1999"}], "spans": [[], []]}},
    {"query_id": "2", "passage": "p", "question": "q", "answer": {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": ["the Bears", "1,000 Lions-fans"]}, "validated_answers": {"number": ["", ""], "date": [{"day": "", "month": "", "year": ""}] * 2, "spans": [["Bears"], ["the Bears", "1,000 Lions-fans"]]}},
    {"query_id": "3", "passage": "p", "question": "q", "answer": {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": []}, "validated_answers": {"number": [], "date": [], "spans": []}},
]
docs("drop/utils.py#process_docs", drop)
results("drop/utils.py#process_results", [({"answers": golds}, [answer]) for golds in [[["3"], ["2 May 1999"]], [["the Bears", "1,000 Lions-fans"], ["Bears"]], [[""]], [["a 1e3 b", "infinity and beyond", "x"]], [["3.0"]], [["nan"]]] for answer in [" 3", "three", "bears and 1000 lions fans", "", "1000 b", "Infinity, beyond!", "May-2-1999", "the a an", "03", "x y z 3.00", "NaN"]])
problems = [{"question": "What is it?", "answer": "B", "options": ["a", "b", "c", "d"]}, {"question": "It is  _  .", "answer": "C", "options": ["x", "y", "it's", "w"]}, {"question": "Last  _  ?", "answer": "A", "options": ["one", "two", "three", "four", "five"]}]
race = [{"article": text(), "problems": repr(problems)}, {"article": "é", "problems": repr(problems[1:])}, {"article": "", "problems": repr(problems[:1])}]
fields(["race/preprocess_race.py#" + name for name in ["doc_to_text", "doc_to_target", "doc_to_choice"]], race)
fields(["logiqa/utils_logiqa.py#doc_to_text", "logiqa/utils_logiqa.py#doc_to_target"], [{"context": text(), "question": text(), "options": [text(3) for _ in range(n)], "label": label} for n, label in [(4, "b\n"), (4, "d"), (3, "a "), (5, "c")]])
fields(["logiqa2/utils_logiqa2.py#doc_to_text"], [{"text": text(), "question": text(), "options": [text(3) for _ in range(n)]} for n in [4, 3, 5]])
fields(["mathqa/utils.py#doc_to_choice"], [{"options": o} for o in ["a ) 38 , b ) 27.675 , c ) 30 , d ) data inadequate , e ) none of these", "a ) rs . 5600 , b ) 1 , 000 , c ) 3 , d ) 4 , e ) 5 , ", "a ) x , c ) y ", ""]])
fields(["pubmedqa/preprocess_pubmedqa.py#doc_to_text"], [{"CONTEXTS": ["one", "two {}"], "QUESTION": "q?"}, {"CONTEXTS": [], "QUESTION": ""}])
fields(["toxigen/utils.py#doc_to_target"], [{"toxicity_ai": a, "toxicity_human": h} for a, h in [(2.5, 3.0), (2.5, 3.1), (5, 1), (1.0, 1.0)]])
musr = [{"narrative": text(), "question": text(), "choices": c} for c in ["['Ann', \"Bob's\"]", "['x', 'é\\n', 'z']"]]
fields(["leaderboard/musr/utils.py#doc_to_text", "leaderboard/musr/utils.py#doc_to_choice"], musr)
pages = [" \n = Robert Boulter = \n \n Robert Boulter is an English film , television and theatre actor . He had a guest @-@ starring role in \" Herons \" ( 2001 ) , 1 @,@ 000 @.@ 5 N s 's it ' s a ' quoted ' [ x ] { y } ; no : yes ! = = Career = = \n", "", "= = = = x = = = =  \n  30 ° C 's ' 99 /' 5/", "( a ( b ) c ) ' '' \" \" \"", "1 2\u00a03\t4 \u2028 5"]
fields(["wikitext/preprocess_wikitext.py#wikitext_detokenizer"], [{"page": page} for page in pages])
results("wikitext/preprocess_wikitext.py#process_results", [({"page": page}, [-draw.random() * 100]) for page in pages])
pairs = [[[draw.randrange(3), draw.randrange(3)] for _ in range(n)] for n in [1, 5, 40]]
aggregation("super_glue/cb/aggregate.py#cb_multi_fi", pairs + [[[0, 1], [1, 0]]])
aggregation("afrobench/sib/prompt_1/utils.py#weighted_f1_score", pairs + [[["a", "b"], ["b", "b"], ["c", "a"]], [[6, 6], [1, 2]]])

more = ["six and eighty", "eight hundred", "seventy six", "for ty", "twenty seven million three hundred and nine thousand two", "ninety-nine", "one two three", "hundred one", "eighteen", "million", "three thousand and six"]
said = more + ["The answer is (B).", "answer: C", "I think dogs, no: cats", "Yes, it is true", "no", "", "invalid and valid", "two hundred and forty-five apples", "it costs 17 or twenty", "one hundred thousand three", "seven", "seventeen", "five million two", "thousand", "zero", "b  a c a b", "apple Banana apple", "(A) (C)", "the Cats are: A", "eighty eight and eight", "trillion"]
bbh = [{"input": "Sort: List: b a c apple Banana"}, {"input": "Options:\n(A) cats\n(B) The dogs (big)\n(C) I think"}]
for file in ["bbh/zeroshot/utils.py"]:
    for options in [{"regex_pattern_to_value": {"(?i)\\byes\\b|true": "Yes", "\\b(no|No)\\b": "No"}, "group_select": 0}, {"regex_pattern_to_value": {"invalid": "invalid", "\\bvalid": "valid"}, "group_select": -1, "ignore_case": True}]:
        filters(f"{file}#MapRegexFilter", options, [[one] for one in said], [bbh[0]] * len(said))
    for one in said:
        filters(f"{file}#NumberParseRegexFilter", {"group_select": 0, "regex_pattern": "([-0-9]+)"}, [[one]], [bbh[0]])
    filters(f"{file}#WordSortFilter", {}, [[one] for one in said], [bbh[0]] * len(said))
    for options in [{"group_select": 0, "regex_pattern": "(\\([A-Z]\\))", "ignore_case": True, "ignore_punctuation": True}, {"group_select": -1, "regexes_to_ignore": ["dog"], "regex_pattern": "\\(([A-Z])\\)"}]:
        for one in said:
            filters(f"{file}#MultiChoiceRegexFilter", options, [[one]], [bbh[1]])

# ports of other families from here on, so that what was drawn above stays as it is
fields(["afrimmlu/direct/prompt_1/utils.py#doc_to_choice"], [{"choices": c} for c in ["['a', 1, 2.5, \"it's\"]", "('x', 'é')"]])
mafand = [{"translation": pair} for pair in [{"en": text(), "hau": text()}, {"yor": "é", "en": ""}, {"fr": text(), "bam": text()}]]
fields(["afrobench/mafand/prompt_1/african-english/utils.py#get_target", "afrobench/mafand/prompt_1/african-english/utils.py#get_target_reverse"], mafand)

write()

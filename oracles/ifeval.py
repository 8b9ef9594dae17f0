"""IFEval's checkers on made-up responses: NLTK_DATA=<folder with punkt_tab> python oracles/ifeval.py test/task/harness/ports/golden/ifeval.json

lm_eval 0.4.13, langdetect 1.0.9 (DetectorFactory.seed = 0), NLTK 3.10.4. Every response meets every setting, strictly and loosely.
"""
import json, random, sys
import langdetect
from lm_eval.tasks.ifeval import utils

langdetect.DetectorFactory.seed = 0

PIECES = [
    "Mr. Smith met Dr. Jones at 5 p.m. on Jan. 3. They spoke of U.S. trade, e.g. steel.", "The quick brown fox jumps over the lazy dog!", "Really?! Yes... no. I think so.",
    "* point one\n* point two\n- point three", "*highlighted* and **bold words** and ** ** and ****", "Section 1\nSome text.\nSection 2\nMore text.", "SECTION 1 a SECTION 2 b SECTION3",
    "[name] lives at [address], [city] [zip]", "[broken\nplaceholder]", "P.S. Do not forget.", "p.p.s. and p. p. s something", "P.P.S I forgot", "<<A Title>>", "<<>> << >>", "<<<x>>>",
    "***", "first\n***\nsecond", "one ****** two", "******", "My answer is yes.", "My answer is maybe. ", '"quoted from end to end"', '"', '{"a": [1, 2.5e3, null, true], "b": "x"}', "```json\n{\"a\": 1}\n```",
    "```JSON\n[NaN, -Infinity]\n```", "{'a': 1}", "[1, 2,]", "ALL CAPITALS HERE, REALLY", "all lowercase here, really", "NASA CANNOT STOP AT THE U.N. TODAY", "I'm GONNA say it's JOHN'S \u201cBIG\u201d DAY \u2014 OK",
    "no commas at all", "one, two, three", "Any other questions?", "Is there anything else I can help with?", "dog cat bird dog DOG doghouse", "caf\u00e9 na\u00efve r\u00e9sum\u00e9 \u00dcBER \u00df",
    "Write a story about a dog.", "write a STORY about a dog. Here it is", "Paragraph one.\n\nParagraph two starts.\n\n'Third' one.", "word\n\n\n\nother", "1. First item. 2. Second item. 3. Third.", "J. S. Bach wrote it. Then No. 5 came.",
    "\u201cHello there.\u201d He left. \u2018Well.\u2019 She stayed.", "He said (loudly.) Then left.", "Wait... what? \"No.\" Yes!", "etc. And so on vs. nothing.", "\x1c\x85 odd spaces \u3000 here \ufeff", "\u2028line\u2029sep\rreturn",
    "Das ist ein deutscher Satz, der lang genug ist, um erkannt zu werden.", "C'est une phrase fran\u00e7aise assez longue pour \u00eatre reconnue.", "Esta es una frase en espa\u00f1ol que deber\u00eda reconocerse.",
    "\u042d\u0442\u043e \u0440\u0443\u0441\u0441\u043a\u043e\u0435 \u043f\u0440\u0435\u0434\u043b\u043e\u0436\u0435\u043d\u0438\u0435, \u043a\u043e\u0442\u043e\u0440\u043e\u0435 \u043d\u0430\u0434\u043e \u0443\u0437\u043d\u0430\u0442\u044c.", "\u092f\u0939 \u090f\u0915 \u0939\u093f\u0902\u0926\u0940 \u0935\u093e\u0915\u094d\u092f \u0939\u0948\u0964", "\u3053\u308c\u306f\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002", "\u8fd9\u662f\u4e00\u4e2a\u4e2d\u6587\u53e5\u5b50\uff0c\u8db3\u591f\u957f\u3002",
    "\uc774\uac83\uc740 \ud55c\uad6d\uc5b4 \ubb38\uc7a5\uc785\ub2c8\ub2e4.", "\u0647\u0630\u0647 \u062c\u0645\u0644\u0629 \u0639\u0631\u0628\u064a\u0629 \u0637\u0648\u064a\u0644\u0629.", "Ti\u1ebfng Vi\u1ec7t l\u00e0 m\u1ed9t ng\u00f4n ng\u1eef \u0111\u1eb9p.", "To\u0302i ye\u0302u tie\u0302\u0301ng Vie\u0323\u0302t", "see https://example.com/a?b=c or mail a.b@c.org now",
    "12345 67890", "!!! ???", "\U0001f600 smile \U0001f600", "S\u0103 vorbim rom\u00e2ne\u0219te, \u021bar\u0103 frumoas\u0103.", "isto \u00e9 portugu\u00eas", "hello wereld", "   leading and trailing   ", "gimme more'n that, d'ye? 'Tis so. 'twas wanna go", "A.B.C. is here. Inc. Co. said x.y. Ok", "e.g. This; i.e. That: yes. -- No.", "x" * 40, "the end -- really.) \"Yes\"",
    "word'", "'word", "O'Neil'S 'quoted phrase' rock 'N' roll", "Total: $5.00 & 10% @ home #1; 3,000:4", "10 km\u00b2 \u00bd cup \u0967\u0968 \u24d0", "Q. What? A. That!", "Line one.\nLine two?\n\nLine three.",
]

SETTINGS = {
    "keywords:existence": [{"keywords": k} for k in (["dog"], ["DOG", "cat"], ["story", "a"], ["caf\u00e9"], ["U.S."], ["\u00fcber"])],
    "keywords:frequency": [{"keyword": k, "frequency": n, "relation": r} for k, n, r in (("dog", 2, "at least"), ("the", 1, "less than"), (" is ", 1, "at least"), ("a", 5, "less than"), ("U.N.", 1, "at least"), ("\u00dcber", 1, "at least"))],
    "keywords:forbidden_words": [{"forbidden_words": w} for w in (["dog"], ["it", "the"], ["na\u00efve"], ["x"], ["said", "\u00df"])],
    "keywords:letter_frequency": [{"letter": l, "let_frequency": n, "let_relation": r} for l, n, r in (("a", 3, "at least"), ("E", 2, "less than"), ("z", 1, "at least"), ("i", 6, "less than"))],
    "language:response_language": [{"language": l} for l in ("en", "de", "fr", "es", "ru", "hi", "ja", "ko", "ar", "vi", "pt")],
    "length_constraints:number_sentences": [{"num_sentences": n, "relation": r} for n in (1, 2, 3, 4, 5, 6, 8) for r in ("at least", "less than")],
    "length_constraints:number_paragraphs": [{"num_paragraphs": n} for n in (1, 2, 3, 4)],
    "length_constraints:number_words": [{"num_words": n, "relation": r} for n in (2, 4, 7, 10, 15, 20, 30) for r in ("at least", "less than")],
    "length_constraints:nth_paragraph_first_word": [{"num_paragraphs": n, "nth_paragraph": k, "first_word": w} for n, k, w in ((1, 1, "The"), (2, 2, "paragraph"), (3, 3, "third"), (2, 1, "word"), (2, 2, "second"), (3, 2, "one"))],
    "detectable_content:number_placeholders": [{"num_placeholders": n} for n in (1, 2, 4, 5)],
    "detectable_content:postscript": [{"postscript_marker": m} for m in ("P.S.", "P.P.S", "Note", " P.S. ")],
    "detectable_format:number_bullet_lists": [{"num_bullets": n} for n in (1, 2, 3, 4)],
    "detectable_format:constrained_response": [{}],
    "detectable_format:number_highlighted_sections": [{"num_highlights": n} for n in (1, 2, 3, 4, 6)],
    "detectable_format:multiple_sections": [{"section_spliter": s, "num_sections": n} for s in ("Section", "SECTION", "Line") for n in (1, 2, 3)],
    "detectable_format:json_format": [{}],
    "detectable_format:title": [{}],
    "combination:two_responses": [{}],
    "combination:repeat_prompt": [{"prompt_to_repeat": p} for p in ("Write a story about a dog.", " all lowercase ", "no")],
    "startend:end_checker": [{"end_phrase": p} for p in ("Any other questions?", "dog.", " NOW", "yes!", "end")],
    "startend:quotation": [{}],
    "change_case:capital_word_frequency": [{"capital_frequency": n, "capital_relation": r} for n in (1, 2, 3, 5, 7) for r in ("at least", "less than")],
    "change_case:english_capital": [{}],
    "change_case:english_lowercase": [{}],
    "punctuation:no_comma": [{}],
}


def responses():
    rng = random.Random(15)
    pool = list(PIECES) + ["", " \n "]
    for _ in range(160):
        parts = rng.sample(PIECES, rng.randint(2, 5))
        text = parts[0]
        for part in parts[1:]: text += rng.choice([" ", " ", "\n", "\n\n", "\n***\n", "******"]) + part
        if rng.random() < 0.1: text = text.upper()
        if rng.random() < 0.1: text = text.lower()
        if rng.random() < 0.1: text = '"' + text + '"'
        pool.append(text)
    return pool


def verdicts(instruction, settings, pool):
    doc = {"key": 0, "prompt": "", "instruction_id_list": [instruction], "kwargs": [settings]}
    found = [utils.process_results(doc, [text]) for text in pool]
    return {"instruction": instruction, "settings": settings, **{kind: "".join("01"[f[f"inst_level_{kind}_acc"][0]] for f in found) for kind in ("strict", "loose")}}


if __name__ == "__main__":
    pool = responses()
    cases = [verdicts(instruction, settings, pool) for instruction, all in SETTINGS.items() for settings in all]
    with open(sys.argv[1], "w") as file: json.dump({"lm_eval": "0.4.13", "langdetect": "1.0.9", "nltk": "3.10.4", "responses": pool, "cases": cases}, file, ensure_ascii=True)
    print(len(pool), len(cases), len(pool) * len(cases) * 2)

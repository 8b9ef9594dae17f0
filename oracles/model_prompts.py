"""Prompts that mteb 2.26.24 gives to the models it knows, and what comes out for tasks:

    python oracles/model_prompts.py src/model/checkpoint/model-prompts.json test/model/checkpoint/golden/mteb-prompts.json

Instruction templates are functions in mteb: each is called with a mark in place of the instruction, once a side, and with no instruction at all.
The second file holds prompts by mteb's own `get_task_instruction` and `get_prompt_name` for a few models and tasks of each type.
"""
import json, logging, sys, warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
import mteb
from mteb.models.abs_encoder import AbsEncoder, get_prompt_name
from mteb.models.get_model_meta import MODEL_REGISTRY
from mteb.types import PromptType

assert mteb.__version__ == "2.26.24", mteb.__version__
MARK = "\u0001"
SIDES = {"plain": None, "query": PromptType.query, "document": PromptType.document}
# loaders that take instructions like InstructSentenceTransformerModel: same templates, another way to run the network
OF_LOADER = {"q3e_instruct_loader": ("mteb.models.model_implementations.qwen3_models", False)}


def loader_name(meta):
    return getattr(meta.loader, "__name__", None)


def kwargs_of(meta):
    kwargs = dict(meta.loader_kwargs or {})
    known = OF_LOADER.get(loader_name(meta))
    if known:
        module, passages = known
        kwargs.setdefault("instruction_template", getattr(sys.modules[module], "instruction_template"))
        kwargs.setdefault("apply_instruction_to_passages", passages)
    return kwargs


def template_of(template):
    """{side: [text with the mark, text for no instruction]} of a template, text or function."""
    if isinstance(template, str):
        return {side: [template.replace("{instruction}", MARK), ""] for side in SIDES}
    return {side: [template(MARK, value) or "", template("", value) or ""] for side, value in SIDES.items()}


def rule_of(meta):
    kwargs = kwargs_of(meta)
    template = kwargs.get("instruction_template")
    takes = template is not None or loader_name(meta) == "InstructSentenceTransformerModel"
    prompts = kwargs.get("prompts_dict" if takes else "model_prompts")
    if not takes and not prompts:
        return None
    rule = {"kind": "instructions" if takes else "prompts", "loader": loader_name(meta)}
    if prompts:
        if loader_name(meta) == "NomicWrapper":
            rule["otherwise"] = "document"  # its encode: `get_prompt_name(…) or "document"`
        rule["prompts"] = {key.value if hasattr(key, "value") else key: value for key, value in prompts.items()}
    if takes:
        if template is not None:
            both = template_of(template)
            texts = {side: pair[0].replace(MARK, "{instruction}") for side, pair in both.items()}
            bare = {side: pair[1] for side, pair in both.items()}
            rule["template"] = texts["plain"] if len(set(texts.values())) == 1 else texts
            if any(bare.values()):
                rule["without"] = bare
        if not kwargs.get("apply_instruction_to_passages", True):
            rule["passages"] = False
        assert not kwargs.get("prompt_priority"), f"{meta.name} has an order of its own"
        if kwargs.get("include_prompt") is False:
            rule["includePrompt"] = False
    return rule


class Stub(AbsEncoder):
    def __init__(self, kwargs):
        self.instruction_template = kwargs.get("instruction_template")
        self.prompts_dict = kwargs.get("prompts_dict")
        self.passages = kwargs.get("apply_instruction_to_passages", True)

    def encode(self, *_, **__):
        raise NotImplementedError


def prompt_of(meta, rule, task, side):
    kwargs = kwargs_of(meta)
    if rule["kind"] == "prompts":
        prompts = AbsEncoder.validate_task_to_prompt_name(kwargs["model_prompts"], raise_for_invalid_keys=False)[0] or {}
        return prompts.get(get_prompt_name(prompts, task.metadata, side))
    encoder = Stub(kwargs)
    text = encoder.get_task_instruction(task.metadata, side)
    return None if side == PromptType.document and not encoder.passages else text


TASKS = ["SciFact", "NFCorpus", "STSBenchmark", "STS17", "Banking77Classification", "TwentyNewsgroupsClustering", "TwentyNewsgroupsClustering.v2", "SprintDuplicateQuestions",
         "AskUbuntuDupQuestions", "SummEval", "BornholmBitextMining", "ArguAna", "TRECCOVID", "Core17InstructionRetrieval", "EmotionClassification", "QuoraRetrieval", "IndicLangClassification"]
MODELS = ["intfloat/e5-mistral-7b-instruct", "intfloat/multilingual-e5-small", "Qwen/Qwen3-Embedding-0.6B", "Octen/Octen-Embedding-0.6B", "nomic-ai/nomic-embed-code", "BAAI/bge-small-en-v1.5",
          "BidirLM/BidirLM-270M-Embedding", "microsoft/harrier-oss-v1-270m", "NovaSearch/stella_en_400M_v5", "Alibaba-NLP/gte-Qwen2-1.5B-instruct", "GritLM/GritLM-7B", "bflhc/MoD-Embedding",
          "BeastyZ/e5-R-mistral-7b", "HIT-TMG/KaLM-embedding-multilingual-mini-instruct-v2", "mixedbread-ai/mxbai-embed-large-v1", "Salesforce/SFR-Embedding-2_R", "ICT-TIME-and-Querit/BOOM_4B_v1"]

rules, skipped = {}, []
for name, meta in MODEL_REGISTRY.items():
    if "text" not in (meta.modalities or ["text"]) or meta.open_weights is False:
        continue
    try:
        rule = rule_of(meta)
    except Exception as error:
        skipped.append(f"{name}: {type(error).__name__} {error}")
        continue
    if rule:
        rules[name] = rule

# the same table of prompts stands behind many models: each is written once
tables, numbers = [], {}
for rule in rules.values():
    for key in ("prompts", "template"):
        if isinstance(rule.get(key), dict):
            text = json.dumps(rule[key], ensure_ascii=False, sort_keys=False)
            if text not in numbers:
                numbers[text] = len(tables)
                tables.append(rule[key])
            rule[key] = numbers[text]

lines = ",\n".join(f"{json.dumps(name, ensure_ascii=False)}:{json.dumps(rule, ensure_ascii=False, separators=(',', ':'))}" for name, rule in rules.items())
table_lines = ",\n".join(json.dumps(table, ensure_ascii=False, separators=(",", ":")) for table in tables)
with open(sys.argv[1], "w") as out:
    out.write(f'{{"source":"mteb 2.26.24 (Apache-2.0), loader arguments of its models","tables":[\n{table_lines}\n],"models":{{\n{lines}\n}}}}\n')

golden = []
for name in MODELS:
    meta, rule = MODEL_REGISTRY[name], rule_of(MODEL_REGISTRY[name])
    if rule is None:
        print("no rule:", name)
        continue
    for task_name in TASKS:
        task = mteb.get_task(task_name)
        for side, value in SIDES.items():
            if value is None and isinstance(task.metadata.prompt, dict):
                continue  # prompts by side, asked without one: no evaluation does that
            expected = prompt_of(meta, rule, task, value)
            if isinstance(expected, str) or expected is None:
                golden.append([name, task_name, side, expected or None])
with open(sys.argv[2], "w") as out:
    out.write('{"made_with":{"mteb":"2.26.24"},"cases":[\n' + ",\n".join(json.dumps(case, ensure_ascii=False) for case in golden) + "\n]}\n")
print(len(rules), "models,", len(tables), "tables,", len(golden), "cases; left out:", skipped)

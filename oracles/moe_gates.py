"""test/experiment/open/golden/moe-gates.json: routers as mergekit 0.1.4 makes them from prompts (mergekit.moe.router), on stories260K loaded in float32 instead of bfloat16.

    mergekit-0.1.4/bin/python oracles/moe_gates.py SHARED
"""
import json, os, sys
from importlib.metadata import version
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
import torch, transformers
from mergekit.common import ModelReference
from mergekit.moe import router
from mergekit.moe.config import Expert

model = str(Path(sys.argv[1]) / "models" / "stories260K")
real = transformers.AutoModelForCausalLM.from_pretrained
router.AutoModelForCausalLM.from_pretrained = lambda *a, **k: real(*a, **{**k, "torch_dtype": torch.float32})
tokenizer = transformers.AutoTokenizer.from_pretrained(model)
# as mergekit.scripts.moe sets it
tokenizer.padding_side, tokenizer.pad_token_id = "left", tokenizer.bos_token_id

first, second = ["Once upon a time there was a dog", "The dog ran"], ["She was happy and sang", "A song is"]
plain = [{"positive_prompts": first}, {"positive_prompts": second}]
asked = [{"positive_prompts": first, "negative_prompts": ["The sun was hot"]}, {"positive_prompts": second}]
# prompts of one length: nothing is padded
even = [
    {"positive_prompts": ["Once upon a time there was a dog", "Once upon a time there was a cat"]},
    {"positive_prompts": ["She was happy and sang", "She was happy and fell"]},
]
cases = []
for mode, experts in (("hidden", asked), ("hidden_last", plain), ("hidden_avg", even), ("cheap_embed", asked)):
    rows = router.get_gate_params(ModelReference.parse(model), tokenizer, [Expert(source_model=model, **e) for e in experts], mode=mode, device="cpu")
    cases.append({"mode": mode, "experts": experts, "rows": [[round(float(x), 7) for x in layer.flatten()[::3]] for layer in rows]})
out = Path(__file__).resolve().parents[1] / "test" / "experiment" / "open" / "golden" / "moe-gates.json"
out.parent.mkdir(exist_ok=True)
out.write_text(json.dumps({"source": f"mergekit {version('mergekit')}, transformers {version('transformers')}, torch {torch.__version__}", "every": 3, "cases": cases}) + "\n")

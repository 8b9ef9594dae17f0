"""
What transformers writes greedily with the decoders of shared/models/pico: three prompts each, one by one, in float32.

    python oracles/greedy.py shared/models/pico > test/model/language/golden/greedy.json

Models that end a text, and prompts after which the first two tokens are nearer than 1e-4, are told nothing of: an end is left out, a prompt drawn again.
"""
import json
import pathlib
import random
import sys

import torch
import transformers

torch.set_num_threads(2)
found = {}
for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if not (folder / "golden.safetensors").exists():
        continue
    config = transformers.AutoConfig.from_pretrained(folder)
    names = getattr(config, "architectures", None) or []
    if not any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in names) or any(name.startswith(("Roberta", "Bert")) for name in names):
        continue
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    # a text goes on to its last token
    model.generation_config.eos_token_id = None
    model.generation_config.pad_token_id = 0
    draw = random.Random(folder.name)
    cases = []
    while len(cases) < 3:
        prompt = [draw.randrange(1, min(config.vocab_size, 60)) for _ in range([3, 8, 5][len(cases)])]
        with torch.no_grad():
            out = model.generate(
                torch.tensor([prompt]),
                attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
                do_sample=False,
                max_new_tokens=14,
                output_scores=True,
                return_dict_in_generate=True,
            )
        margin = min(float((top := step[0].float().topk(2).values)[0] - top[1]) for step in out.scores)
        if margin >= 1e-4:
            cases.append({"prompt": prompt, "written": out.sequences[0, len(prompt) :].tolist(), "margin": round(margin, 6)})
    found[folder.name] = cases
    print(folder.name, [case["margin"] for case in cases], file=sys.stderr)
print(json.dumps({"transformers": transformers.__version__, "models": found}))

"""PEFT adapters over a base whose head is tied to its token table: logits of the live model.

Writes one JSON: the tensors of a tiny Llama, and for each adapter its config, tensors and logits.
peft 0.21.2, transformers 5.24.0, torch, CPU, float32.

    python oracles/tied_adapters.py test/experiment/open/golden/tied-adapters.json
"""
import json, sys, tempfile
import peft
import torch
import transformers
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from transformers import LlamaConfig, LlamaForCausalLM

ADAPTERS = {
    "saved head": dict(target_modules=["q_proj"], modules_to_save=["lm_head"]),
    "saved table": dict(target_modules=["q_proj"], modules_to_save=["embed_tokens"]),
    "saved head and table": dict(target_modules=["q_proj"], modules_to_save=["embed_tokens", "lm_head"]),
    "LoRA on the table": dict(target_modules=["q_proj", "embed_tokens"]),
    "LoRA on the head": dict(target_modules=["q_proj", "lm_head"]),
    "LoRA on head and table": dict(target_modules=["embed_tokens", "lm_head"]),
    "saved table, tie ensured": dict(target_modules=["q_proj"], modules_to_save=["embed_tokens"], ensure_weight_tying=True),
    "LoRA on the table, tie ensured": dict(target_modules=["q_proj", "embed_tokens"], ensure_weight_tying=True),
    "LoRA on the head, tie ensured": dict(target_modules=["q_proj", "lm_head"], ensure_weight_tying=True),
    "grown vocabulary": dict(target_modules=["q_proj"]),
}
KEYS = "peft_type r lora_alpha target_modules modules_to_save ensure_weight_tying bias fan_in_fan_out init_lora_weights base_model_name_or_path".split()


def tensors(path):
    return {
        name: {"shape": list(value.shape), "values": [round(v, 4) for v in value.flatten().tolist()]}
        for name, value in load_file(path).items()
    }


def rounded(model):
    """Numbers of four digits: short in JSON, the same for both sides."""
    with torch.no_grad():
        for value in model.parameters():
            value.copy_((value * 1e4).round() / 1e4)


def grow(base):
    base.resize_token_embeddings(15, mean_resizing=False)
    with torch.no_grad():
        base.model.embed_tokens.weight[12:] = torch.randn(3, 8) * 0.4


def main(out):
    torch.manual_seed(0)
    sizes = dict(vocab_size=12, hidden_size=8, intermediate_size=12, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1)
    base = LlamaForCausalLM(LlamaConfig(**sizes, max_position_embeddings=32, tie_word_embeddings=True, initializer_range=0.4)).eval()
    rounded(base)
    with tempfile.TemporaryDirectory() as folder:
        base.save_pretrained(f"{folder}/base")
        cases = {}
        for index, (name, settings) in enumerate(ADAPTERS.items()):
            torch.manual_seed(index)
            open_base = lambda: LlamaForCausalLM.from_pretrained(f"{folder}/base")
            model, grown = open_base(), name == "grown vocabulary"
            if grown:
                grow(model)
                vocabulary = model.get_input_embeddings().weight.detach().clone()
            adapted = get_peft_model(model, LoraConfig(r=2, lora_alpha=4, init_lora_weights=False, task_type="CAUSAL_LM", **settings)).eval()
            with torch.no_grad():
                for key, value in adapted.named_parameters():
                    if "modules_to_save" in key:
                        value.add_(torch.randn_like(value) * 0.3)
            rounded(adapted)
            adapted.save_pretrained(f"{folder}/{index}", **(dict(save_embedding_layers=True) if grown else {}))
            ids = [3, 7, 13, 11, 14, 5] if grown else [3, 7, 1, 11, 0, 5]
            live = adapted if grown else PeftModel.from_pretrained(open_base(), f"{folder}/{index}").eval()
            with torch.no_grad():
                logits = live(torch.tensor([ids])).logits[0]
            config = json.load(open(f"{folder}/{index}/adapter_config.json"))
            config["base_model_name_or_path"] = "../base"
            cases[name] = {
                "config": {key: config[key] for key in KEYS if key in config},
                "tensors": tensors(f"{folder}/{index}/adapter_model.safetensors"),
                "ids": ids,
                "logits": [[round(v, 6) for v in row] for row in logits.tolist()],
            }
        config = json.load(open(f"{folder}/base/config.json"))
        document = {"made_with": {"peft": peft.__version__, "transformers": transformers.__version__}, "base": {"config": config, "tensors": tensors(f"{folder}/base/model.safetensors")}, "adapters": cases}
    json.dump(document, open(out, "w"))


main(sys.argv[1])

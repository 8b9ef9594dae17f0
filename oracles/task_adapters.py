"""A tiny seeded checkpoint in the layout of jinaai/jina-embeddings-v3, with every state under each of its task adapters:

    python oracles/task_adapters.py   writes test/model/adapters/golden/task-adapters.json

The original's code (`modeling_lora.py` of jinaai/xlm-roberta-flash-implementation) makes the weights of a pass anew: W + B·A · alpha/rank
of a Linear, W + A·B · alpha/rank of an Embedding. transformers' own JinaEmbeddingsV3Model, which has no such adapters, then runs with them.
"""
import json
import tempfile

import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

from families import batch, draw, drawn, golden as families, load, outputs, pack, farthest

config = dict(
    vocab_size=13, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20, max_position_embeddings=24,
    type_vocab_size=1, pad_token_id=1, layer_norm_eps=1e-5,
)
names, rank, alpha = ["retrieval.query", "retrieval.passage", "separation", "classification", "text-matching"], 3, 2
written = config | dict(
    model_type="xlm-roberta", architectures=["XLMRobertaModel"], position_embedding_type="rotary", rotary_emb_base=20000.0, hidden_act="gelu",
    lora_adaptations=names, lora_rank=rank, lora_alpha=alpha, lora_dropout_p=0.0, lora_main_params_trainable=False, load_trained_adapters=True,
    task_instructions={"retrieval.query": "find : ", "retrieval.passage": "this : ", "separation": "", "classification": "", "text-matching": ""},
    use_flash_attn=True,
)
case = {"class": "JinaEmbeddingsV3Model"}
adapted = ("word_embeddings.weight", "token_type_embeddings.weight", "Wqkv.weight", "out_proj.weight", "fc1.weight", "fc2.weight", "pooler.dense.weight")


def stored(name):
    """Name of a tensor in the checkpoint."""
    own = f"roberta.{name}"
    return own.removesuffix(".weight") + ".parametrizations.weight.original" if name.endswith(adapted) else own


def factors(name, weight):
    rows, columns = weight.shape
    shapes = ((len(names), rows, rank), (len(names), rank, columns)) if "embeddings" in name else ((len(names), rank, columns), (len(names), rows, rank))
    module = f"roberta.{name}".removesuffix(".weight")
    return {f"{module}.parametrizations.weight.0.lora_{side}": [list(shape), 0.0, 0.9] for side, shape in zip("AB", shapes)}


def main():
    torch.manual_seed(0)
    cls = transformers.JinaEmbeddingsV3Model
    model = cls(transformers.JinaEmbeddingsV3Config(**config))
    ids, mask = batch(config["vocab_size"], 1)
    kept, error = {"input_ids": ids.tolist(), "attention_mask": mask.tolist()}, 0.0
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        path = f"{folder}/model.safetensors"
        with safe_open(path, "pt") as file:
            saved = {key: file.get_tensor(key) for key in file.keys()}
        plan = {stored(key): drawn(key, tensor) for key, tensor in saved.items()}
        weights = {key: draw(stored(key), *plan[stored(key)]) for key in saved}
        pairs = {key: factors(key, weight) for key, weight in weights.items() if key.endswith(adapted)}
        assert len(pairs) == 2 + 4 * config["num_hidden_layers"] + 1, sorted(pairs)
        for pair in pairs.values():
            plan |= pair
        for index, name in [(None, "none"), *enumerate(names)]:
            own = dict(weights)
            for key, pair in pairs.items() if index is not None else ():
                a, b = (draw(factor, *how)[index] for factor, how in pair.items())
                own[key] = own[key] + torch.matmul(*((a, b) if "embeddings" in key else (b, a))) * (alpha / rank)
            save_file(own, path, {"format": "pt"})
            model = load(cls, folder, case)
            feeds = {"input_ids": ids, "attention_mask": mask}
            with torch.no_grad():
                single, exact = outputs(model, case, feeds), outputs(model.double(), case, feeds)
            error = max(error, farthest(single, exact, mask))
            kept |= {f"{name}/{key}": pack(value) for key, value in exact.items()}
    file = {
        "versions": {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]},
        "name": "task-adapters", "config": written, "error": float(f"{error:.2e}"), "tensors": plan, "fixed": {}, "outputs": kept,
    }
    rows = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in file.items()]
    out = families.parent.parent.parent / "adapters" / "golden"
    out.mkdir(parents=True, exist_ok=True)
    (out / "task-adapters.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")
    print("float32 is", error, "from float64;", len(kept), "outputs")


if __name__ == "__main__":
    main()

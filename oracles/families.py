"""Tiny seeded checkpoints of text models of transformers, with every state that the library computes:

    python oracles/families.py [NAME…]        cases of oracles/family_cases/*.py, all or those named, into
                                              test/model/architectures/golden/families
    python oracles/families.py --types        writes the model types that read text to
                                              test/model/architectures/golden/text-types.json, and prints those that
                                              no case opens
    python oracles/families.py --folders DIR  the recorded cases as folders of config.json, model.safetensors and
                                              golden.safetensors, for scripts/support.mjs

A case is what a user would have: a class, and a config of it. Its weights are drawn from the names of its tensors as
`save_pretrained` writes them (`draw`), so that a file of numbers holds names and shapes and no weights.
"""
import base64
import importlib
import json
import pathlib
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors import safe_open
from safetensors.torch import save_file

here = pathlib.Path(__file__).parent
golden = here.parent / "test" / "model" / "architectures" / "golden" / "families"
transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

softmax = torch.nn.functional.softmax


def wide_softmax(x, *args, dtype=None, **more):
    """Attention of the library asks for float32 softmax; of a float64 run that would lose digits, and make the mask −∞."""
    return softmax(x, *args, dtype=torch.float64 if x.dtype == torch.float64 else dtype, **more)


torch.nn.functional.softmax = wide_softmax


def cases():
    """Cases by name; each file of the folder has a table `cases` of its own."""
    found = {}
    for path in sorted((here / "family_cases").glob("*.py")):
        table = importlib.import_module(f"family_cases.{path.stem}").cases
        twice = found.keys() & table.keys()
        assert not twice, f"two cases are called {twice}"
        found |= table
    return found


def draw(name, shape, base, spread):
    """base + spread · u, u uniform on [−½, ½): bits of murmur3's finaliser over a hash of the name and the index."""
    seed = 2166136261
    for byte in name.encode():
        seed = ((seed ^ byte) * 16777619) & 0xFFFFFFFF
    x = (np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.uint64) * np.uint64(0x9E3779B9) + np.uint64(seed)) & np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = ((x ^ (x >> np.uint64(shift))) * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    x ^= x >> np.uint64(16)
    u = (x >> np.uint64(8)).astype(np.float64) / 2**24 - 0.5
    return torch.from_numpy((base + spread * u).astype(np.float32).reshape(shape))


def drawn(name, tensor):
    """How a tensor is drawn: [shape, base, spread]. Vectors keep the mean that the library starts them with."""
    shape = list(tensor.shape)
    if len(shape) < 2:
        mean = float(tensor.float().mean()) if tensor.numel() else 0.0
        return [shape, round(mean if np.isfinite(mean) else 0.0, 2), 0.5]
    inner = int(np.prod(shape[1:])) if "embed" not in name else 12
    return [shape, 0.0, round(3.4 / inner**0.5, 4)]


def batch(vocabulary, pad, length=7, rows=3, low=3):
    """Rows of 7, 4 and 2 tokens, padded on the right; ids from `low` on, never the pad."""
    rng = np.random.RandomState(5)
    ids = rng.randint(low, vocabulary, size=(rows, length))
    ids[ids == pad] = vocabulary - 1 if pad != vocabulary - 1 else vocabulary - 2
    mask = np.zeros((rows, length), dtype=np.int64)
    for row, real in enumerate((length, length - 3, 2)):
        mask[row, :real] = 1
    ids[mask == 0] = pad
    return torch.from_numpy(ids.astype(np.int64)), torch.from_numpy(mask)


def to_left(ids, mask, pad):
    """The same rows padded on the left, with the positions of their tokens."""
    left, left_mask = torch.full_like(ids, pad), torch.zeros_like(mask)
    for row in range(len(ids)):
        real = int(mask[row].sum())
        left[row, -real:], left_mask[row, -real:] = ids[row, :real], 1
    return left, left_mask, (left_mask.cumsum(-1) - 1).clamp(min=0)


def pack(tensor):
    array = np.ascontiguousarray(tensor.detach().to(torch.float32).numpy())
    return {"shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


@torch.no_grad()
def outputs(model, case, feeds):
    """States, last state, pooler and logits, as far as the class has them."""
    kept = {}
    run = model.get_encoder() if case.get("part") == "encoder" else model
    result = run(**feeds, output_hidden_states=True, **case.get("call", {}))
    states = result.get("hidden_states")
    if states is None:
        states = result.get("encoder_hidden_states")
    length = feeds["input_ids"].shape[1]
    for index, state in enumerate(states or ()):
        if state.dim() == 3 and state.shape[1] != length:
            continue  # shorter than the text: none of its tokens' states
        # of a model with several streams, the one that a case names
        kept[f"hidden_states.{index}"] = state[case["stream"]] if "stream" in case and state.dim() == 4 else state
    if result.get("logits") is not None:
        kept["logits"] = result["logits"]
    base = run if case.get("part") == "encoder" else getattr(model, model.base_model_prefix, model)
    bare = result if base is run else base(**feeds, **case.get("call", {}))
    for name in ("last_hidden_state", "pooler_output"):
        if bare.get(name) is not None and (name == "pooler_output" or bare[name].shape[1] == length):
            kept[name] = bare[name]
    return kept


def class_of(case):
    """A class of the library, or one that a file of cases makes for a model that exists only as code of a repository."""
    return getattr(transformers, case["class"]) if isinstance(case["class"], str) else case["class"]


def config_class(case):
    """`config_class` of a case: one of its own where the model's serves several (InternLM 3 is a Llama)."""
    return getattr(transformers, case["config_class"]) if "config_class" in case else class_of(case).config_class


def load(cls, folder, case):
    """
    `attention` of a case: `eager` unless the reference has no such way; `drop`: tensors that the library makes anew.
    """
    extra = {} if case.get("attention") == "none" else {"attn_implementation": case.get("attention", "eager")}
    # The other ways of computing experts know no float64.
    extra |= {"experts_implementation": "eager"} if cls._can_set_experts_implementation() else {}
    if "config_class" in case:
        extra["config"] = config_class(case).from_pretrained(folder)
    model, info = cls.from_pretrained(folder, dtype=torch.float32, output_loading_info=True, **extra)
    unexpected = [key for key in info["unexpected_keys"]]
    missing = [key for key in info["missing_keys"] if key not in case.get("drop", ())]
    assert not unexpected and not missing, f"not loaded as saved: missing {missing}, unexpected {unexpected}"
    return model.eval()


def farthest(a, b, mask):
    """Greatest difference over real tokens, relative to the greatest value of the tensor."""
    worst = 0.0
    for name in b:
        real = mask.bool() if b[name].dim() == 3 and b[name].shape[1] == mask.shape[1] else slice(None)
        x, y = a[name][real].double(), b[name][real].double()
        worst = max(worst, float((x - y).abs().max() / y.abs().max()))
    return worst


def kept_left(case, key, wanted):
    """
    Padding on the other side changes every state alike, and logits of tokens follow from the last. Poolers and most
    classifiers of the library read the pad in column 0, which nobody wants; `last` of a case says that it reads the
    last token.
    """
    if key == "logits" and wanted[key].dim() == 2:
        return case.get("last", False)
    return key == "last_hidden_state" or (key == "logits" and "last_hidden_state" not in wanted)


def make(name, case):
    cls = class_of(case)
    config = config_class(case)(**case["config"])
    torch.manual_seed(0)
    model = cls(config)
    if case.get("prepare"):
        case["prepare"](model)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder, save_original_format=case.get("original", True))
        path = f"{folder}/model.safetensors"
        with safe_open(path, "pt") as file:
            saved = {key: file.get_tensor(key) for key in file.keys() if key not in case.get("drop", ())}
        rename = case.get("rename", lambda key: key)
        plan = {rename(key): case.get("drawn", {}).get(key) or drawn(key, tensor) for key, tensor in saved.items() if tensor.is_floating_point() and not key.endswith("inv_freq")}
        fixed = {rename(key): tensor.tolist() for key, tensor in saved.items() if rename(key) not in plan}
        save_file({key: draw(rename(key), *plan[rename(key)]) if rename(key) in plan else saved[key] for key in saved}, path, {"format": "pt"})
        model = load(cls, folder, case)
        written = case.get("written", lambda config: config)(json.loads(pathlib.Path(folder, "config.json").read_text()))
    # `types` of a case: tokens are of two types, where the library reads them padded on the right
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    pad = case.get("pad", getattr(text, "pad_token_id", None))
    pad = 0 if pad is None or pad < 0 else pad
    ids, mask = batch(text.vocab_size, pad, case.get("length", 7))
    left, left_mask, places = to_left(ids, mask, pad)
    runs = [("", {"input_ids": ids, "attention_mask": mask})]
    if case.get("types"):
        runs[0][1]["token_type_ids"] = (torch.arange(ids.shape[1]) > 2).long().expand_as(ids)
    if case.get("left", True):
        plain = {"input_ids": left, "attention_mask": left_mask}
        runs += [("left_default.", plain)] + ([("left.", {**plain, "position_ids": places})] if case.get("positions", True) else [])
    exact = case.get("float64", True)
    kept, error = {}, 0.0
    for run, feeds in runs:
        model.float()
        single = outputs(model, case, feeds)
        wanted = single
        if exact:
            wanted = outputs(model.double(), case, feeds)
            error = max(error, farthest(single, wanted, feeds["attention_mask"]))
        assert all(bool(torch.isfinite(value[feeds["attention_mask"].bool()] if value.dim() == 3 and value.shape[1] == mask.shape[1] else value).all()) for value in wanted.values()), f"{name}: not finite"
        for key, value in wanted.items():
            if run == "" or kept_left(case, key, wanted):
                kept[run + key] = pack(value)
        for key, value in feeds.items():
            if run != "left_default.":
                kept[run + key] = value.tolist()
    if "left_default.last_hidden_state" in kept or "left_default.logits" in kept:
        kept.setdefault("left.input_ids", left.tolist())
        kept.setdefault("left.attention_mask", left_mask.tolist())
    return {
        "name": name,
        "versions": {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]},
        "config": written,
        "error": float(f"{error:.2e}"),
        "tensors": plan,
        "fixed": fixed,
        "outputs": kept,
    }


def main(names):
    sys.path.insert(0, str(here))
    if names == ["--types"]:
        return write_types()
    if names[:1] == ["--folders"]:
        return write_folders(pathlib.Path(names[1]))
    table = cases()
    golden.mkdir(parents=True, exist_ok=True)
    for name in names or table:
        file = make(name, table[name])
        rows = [f'{json.dumps(key)}: {json.dumps(value)}' for key, value in file.items()]
        (golden / f"{name}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")
        print(name, "float32 is", file["error"], "from float64;", sorted(file["outputs"]), flush=True)


def write_folders(out):
    for path in sorted(golden.glob("*.json")):
        file = json.loads(path.read_text())
        folder = out / file["name"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(file["config"]))
        fixed = {key: torch.tensor(value) for key, value in file["fixed"].items()}
        save_file({key: draw(key, *plan) for key, plan in file["tensors"].items()} | fixed, folder / "model.safetensors", {"format": "pt"})
        save_file({key: unpack(value) for key, value in file["outputs"].items()}, folder / "golden.safetensors")


def unpack(value):
    if isinstance(value, list):
        return torch.tensor(value, dtype=torch.int64)
    return torch.from_numpy(np.frombuffer(base64.b64decode(value["data"]), dtype=np.float32).reshape(value["shape"]).copy())


def write_types():
    from transformers.models.auto import modeling_auto as auto

    text = set()
    for mapping in ("CAUSAL_LM", "MASKED_LM", "SEQUENCE_CLASSIFICATION"):
        text |= set(getattr(auto, f"MODEL_FOR_{mapping}_MAPPING_NAMES"))
    listed = {"versions": {"transformers": transformers.__version__}, "types": sorted(text)}
    (golden.parent / "text-types.json").write_text(json.dumps(listed, indent=1) + "\n")
    configs = [json.loads(path.read_text())["config"] for path in golden.glob("*.json")]
    report = json.loads((here.parent / "docs" / "support.json").read_text())
    have = {config["model_type"] for config in configs} | {model["modelType"] for model in report["models"]}
    print(len(text), "read text,", len(text & have), "have a case; without one:", " ".join(sorted(text - have)))


if __name__ == "__main__":
    main(sys.argv[1:])

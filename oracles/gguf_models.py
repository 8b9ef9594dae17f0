"""Tiny seeded checkpoints as GGUF files, with the weights and token ids that transformers reads from them:

    python oracles/gguf_models.py     test/model/gguf/golden/*.json

with gguf 0.19.0, transformers 5.24.0 and torch 2.15.0. A file is written by gguf-py with the names, metadata and changes
of llama.cpp's converter (rows of queries and keys in pairs for rotary positions, norms of Gemma plus one), and read
again by transformers; its hidden states are those of the model it was made from, in float32.
"""
import base64
import json
import pathlib
import tempfile

import gguf
import numpy as np
import tokenizers
import torch
import transformers

golden = pathlib.Path(__file__).parent.parent / "test" / "model" / "gguf" / "golden"
vocabulary = 48


def words():
    """SentencePiece's kind: specials, bytes that occur, letters, and what they merge to, with scores."""
    tokens = ["<unk>", "<s>", "</s>", "▁", "a", "b", "c", "d", "e", "▁a", "ab", "▁ab", "abc", "cd", "▁c", "de", "▁abc", "abcd"]
    tokens += [f"<0x{byte:02X}>" for byte in (0xC3, 0xA4, 0x21, 0x0A)]
    tokens += [f"w{i}" for i in range(vocabulary - len(tokens))]
    types = [2, 3, 3] + [1] * (vocabulary - 3)
    for index, token in enumerate(tokens):
        if token.startswith("<0x"):
            types[index] = 6
    scores = [0.0, 0.0, 0.0] + [-float(index) for index in range(3, vocabulary)]
    return tokens, types, scores


def byte_words():
    tokens = list("abcde") + ["Ġ", "ab", "Ġa", "Ġab", "cd", "1", "2", "!", "Ã", "¤", "Ċ", "é", "<|end|>", "<think>"]
    tokens += [f"[PAD{i}]" for i in range(len(tokens), vocabulary)]
    types = [1] * 17 + [3, 4] + [5] * (vocabulary - 19)
    merges = ["a b", "Ġ a", "Ġ ab", "Ġa b", "c d"]
    return tokens, types, merges


def bert_words():
    plain = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "ab", "##c", "##cd", "e", "hello", "##s", "!", "1"]
    plain += [f"word{i}" for i in range(vocabulary - len(plain))]
    stored = [w if w.startswith("[") else w[2:] if w.startswith("##") else "▁" + w for w in plain]
    return stored, [3] * 5 + [1] * (vocabulary - 5), plain


def pairs(weight, heads):
    """Rows (i, i + half) of each head to (2i, 2i + 1), as the converter of LLaMA orders them."""
    return weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


decoder = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output", "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "self_attn.qkv_proj": "attn_qkv",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "mlp.gate_up_proj": "ffn_up",
}
around = {**decoder, "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm"}
encoder = {
    "embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm",
    "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm",
}


def stored_name(name, table):
    stem, kind = name.rsplit(".", 1)
    for prefix in ("model.layers.", "encoder.layer."):
        if stem.startswith(prefix):
            layer, leaf = stem.removeprefix(prefix).split(".", 1)
            return f"blk.{layer}.{table[leaf]}.{kind}"
    return f"{table[stem]}.{kind}"


def write(path, arch, model, table, metadata, kinds, changed):
    writer = gguf.GGUFWriter(path, arch)
    for key, value in metadata.items():
        add = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}.get(type(value), writer.add_array)
        add(key, value)
    for name, tensor in model.state_dict().items():
        if name.startswith(("pooler", "embeddings.position_ids")) or (name == "lm_head.weight" and model.config.tie_word_embeddings):
            continue
        stored = stored_name(name, table)
        values = changed(stored, tensor.float().numpy())
        kind = kinds(stored) if values.ndim > 1 else gguf.GGMLQuantizationType.F32
        data = gguf.quants.quantize(np.ascontiguousarray(values), kind)
        writer.add_tensor(stored, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


F32, F16, Q8, Q4 = (gguf.GGMLQuantizationType[name] for name in ("F32", "F16", "Q8_0", "Q4_0"))


def common(arch, config, **more):
    return {
        f"{arch}.block_count": config.num_hidden_layers, f"{arch}.context_length": config.max_position_embeddings,
        f"{arch}.embedding_length": config.hidden_size, f"{arch}.feed_forward_length": config.intermediate_size,
        f"{arch}.attention.head_count": config.num_attention_heads, **{f"{arch}.{key}": value for key, value in more.items()},
    }


def decoder_metadata(arch, config, theta, **more):
    return common(
        arch, config, **{
            "attention.head_count_kv": config.num_key_value_heads, "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
            "rope.freq_base": theta, **more,
        },
    )


def sentence_piece(**more):
    tokens, types, scores = words()
    return {
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.pre": "default", "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores, "tokenizer.ggml.token_type": types, "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2, "tokenizer.ggml.unknown_token_id": 0, **more,
    }


def byte_level(pre):
    tokens, types, merges = byte_words()
    return {
        "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": pre, "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": types, "tokenizer.ggml.merges": merges, "tokenizer.ggml.eos_token_id": 17,
        "tokenizer.ggml.add_bos_token": False,
    }


texts = ["abc de", " ab  abcd", "ab ä!\nab", "", "a b c de!"]


def ids(config):
    generator = np.random.default_rng(5)
    return torch.from_numpy(generator.integers(3, vocabulary, (2, 7)))


def run(name, arch, model, table, metadata, kinds=lambda stored: Q8, changed=lambda stored, values: values, undone=None, tokenizer=None):
    """The weights as transformers reads them from the file – or put back by hand, where it reads the config otherwise
    or not at all – and the states that they give."""
    model = model.eval()
    for parameter in model.parameters():
        with torch.no_grad():
            parameter.normal_(0, 0.2)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.gguf"
        write(path, arch, model, table, metadata, kinds, changed)
        if undone is None:
            again = type(model).from_pretrained(folder, gguf_file="model.gguf", dtype=torch.float32).eval()
            assert again.config.rms_norm_eps == np.float32(model.config.rms_norm_eps), again.config
        else:
            again = model
            stored = {one.name: gguf.quants.dequantize(one.data, one.tensor_type) for one in gguf.GGUFReader(path).tensors}
            state = {
                key: torch.from_numpy(np.array(undone(key, stored[stored_name(key, table)])).reshape(value.shape))
                for key, value in model.state_dict().items()
                if not key.startswith(("pooler", "embeddings.position_ids")) and stored_name(key, table) in stored
            }
            again.load_state_dict(state, strict=False)
            again.tie_weights()
        tokenizer = tokenizer or t.AutoTokenizer.from_pretrained(folder, gguf_file="model.gguf")
        rows = ids(model.config)
        with torch.no_grad():
            states = again(rows, output_hidden_states=True).hidden_states
        file = base64.b64encode(path.read_bytes()).decode()
    base = lambda values: base64.b64encode(values.float().numpy().tobytes()).decode()
    shown = ("layers.1.self_attn", "layers.0.input_layernorm", "layer.1.attention.self.query")
    made = {"gguf": "0.19.0", "transformers": t.__version__, "torch": torch.__version__.split("+")[0]}
    out = golden / f"{name}.json"
    text = json.dumps(
        {
            "made with": made, "file": file, "ids": rows.tolist(), "states": [base(state) for state in states],
            "weights": {key: base(value) for key, value in again.state_dict().items() if any(part in key for part in shown)},
            "texts": {text: tokenizer(text)["input_ids"] for text in texts},
        },
        separators=(",", ":"), ensure_ascii=False,
    )
    out.write_text(text + "\n")
    print(name, out.stat().st_size)


t = transformers
golden.mkdir(parents=True, exist_ok=True)
torch.manual_seed(33)
sizes = dict(vocab_size=vocabulary, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64)

config = t.LlamaConfig(**sizes, num_key_value_heads=2, rope_parameters={"rope_type": "default", "rope_theta": 5000.0}, rms_norm_eps=1e-5, tie_word_embeddings=False)
heads = {"attn_q": 4, "attn_k": 2}
run(
    "llama", "llama", t.LlamaForCausalLM(config), decoder,
    {**decoder_metadata("llama", config, 5000.0, **{"rope.dimension_count": 8, "vocab_size": vocabulary}), **sentence_piece(), "general.name": "tiny"},
    kinds=lambda stored: Q4 if "ffn" in stored else Q8,
    changed=lambda stored, values: pairs(values, heads[leaf]) if (leaf := stored.split(".")[-2]) in heads else values,
)
config = t.Qwen2Config(**sizes, num_key_value_heads=2, rope_parameters={"rope_type": "default", "rope_theta": 5000.0}, rms_norm_eps=1e-5, tie_word_embeddings=True)
run("qwen2", "qwen2", t.Qwen2ForCausalLM(config), decoder, {**decoder_metadata("qwen2", config, 5000.0), **byte_level("qwen2")}, kinds=lambda stored: F16)
config = t.Qwen3Config(**sizes, num_key_value_heads=2, head_dim=16, rope_parameters={"rope_type": "default", "rope_theta": 5000.0}, rms_norm_eps=1e-5, tie_word_embeddings=True)
run(
    "qwen3", "qwen3", t.Qwen3ForCausalLM(config), decoder,
    {**decoder_metadata("qwen3", config, 5000.0, **{"attention.key_length": 16, "attention.value_length": 16}), **byte_level("llama-bpe")},
    undone=lambda key, values: values,
)
plus_one = lambda stored, values: values + 1 if stored.endswith("norm.weight") else values
minus_one = lambda key, values: values - 1 if key.endswith("norm.weight") else values
config = t.Gemma2Config(
    **{**sizes, "num_hidden_layers": 3}, num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=8, sliding_window=4, rms_norm_eps=1e-6,
    rope_parameters={"rope_type": "default", "rope_theta": 5000.0}, attn_implementation="eager",
)
run(
    "gemma2", "gemma2", t.Gemma2ForCausalLM(config), around,
    {
        **decoder_metadata("gemma2", config, 5000.0, **{
            "attention.key_length": 8, "attention.value_length": 8, "attention.sliding_window": 4,
            "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0,
        }),
        **sentence_piece(),
    },
    changed=plus_one, undone=minus_one,
)
config = t.Gemma3TextConfig(
    **{**sizes, "num_hidden_layers": 3}, num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=8, sliding_window=4, rms_norm_eps=1e-6,
    layer_types=["sliding_attention"] * 3,
    rope_parameters={
        "full_attention": {"rope_type": "default", "rope_theta": 1000000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    },
)
run(
    "gemma3", "gemma3", t.Gemma3ForCausalLM(config), around,
    {
        **decoder_metadata("gemma3", config, 1000000.0, **{
            "attention.key_length": 8, "attention.value_length": 8, "attention.sliding_window": 4,
        }),
        **sentence_piece(),
    },
    changed=plus_one, undone=minus_one,
)
config = t.Phi3Config(
    **sizes, num_key_value_heads=2, sliding_window=5, rms_norm_eps=1e-5, pad_token_id=0, tie_word_embeddings=False,
    rope_parameters={"rope_type": "default", "rope_theta": 5000.0},
)
run(
    "phi3", "phi3", t.Phi3ForCausalLM(config), decoder,
    {
        **decoder_metadata("phi3", config, 5000.0, **{"rope.dimension_count": 8, "attention.sliding_window": 5}),
        **sentence_piece(), "tokenizer.ggml.padding_token_id": 0,
    },
    undone=lambda key, values: values,
)
config = t.BertConfig(**sizes, layer_norm_eps=1e-12)
stored, types, plain = bert_words()
pieces = tokenizers.BertWordPieceTokenizer({word: index for index, word in enumerate(plain)}, lowercase=True)
run(
    "bert", "bert", t.BertModel(config), encoder,
    {
        **common("bert", config, **{"attention.layer_norm_epsilon": 1e-12, "attention.causal": False, "pooling_type": 2}),
        "tokenizer.ggml.model": "bert", "tokenizer.ggml.pre": "default", "tokenizer.ggml.tokens": stored,
        "tokenizer.ggml.token_type": types, "tokenizer.ggml.unknown_token_id": 1, "tokenizer.ggml.cls_token_id": 2,
        "tokenizer.ggml.seperator_token_id": 3, "tokenizer.ggml.padding_token_id": 0, "tokenizer.ggml.mask_token_id": 4,
        "tokenizer.ggml.token_type_count": 2,
    },
    undone=lambda key, values: values, tokenizer=lambda text: {"input_ids": pieces.encode(text).ids},
)

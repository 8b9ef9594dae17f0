"""Encoders: BERT and what came of it."""
import torch
from torch import nn
from transformers import BertConfig, BertForMaskedLM
from transformers.models.bert.modeling_bert import BertLayer

size = dict(vocab_size=47, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40, max_position_embeddings=32)
decoder = size | dict(pad_token_id=0, num_key_value_heads=2, bos_token_id=1, eos_token_id=2)


def get_pattern(pattern, replacement):
    import re

    return lambda name: re.sub(pattern, replacement, name)


def nomic_keys(more):
    """The config of nomic-ai's repositories, whose code is older than transformers' class."""
    sizes = dict(n_embd=24, n_head=4, n_layer=2, n_inner=40, n_positions=32, vocab_size=47, type_vocab_size=2)
    rest = dict(
        model_type="nomic_bert", activation_function="swiglu", causal=False, layer_norm_epsilon=1e-12, rotary_emb_base=1000,
        rotary_emb_fraction=1.0, rotary_emb_interleaved=False, rotary_emb_scale_base=None, rotary_scaling_factor=None,
        qkv_proj_bias=False, mlp_fc1_bias=False, mlp_fc2_bias=False, prenorm=False, parallel_block=False, use_rms_norm=False,
        scale_attn_weights=True, scale_attn_by_inverse_layer_idx=False, pad_vocab_size_multiple=64,
    )
    return lambda config: sizes | rest | {"architectures": config["architectures"]} | more


def gte_keys(more):
    """The config of Alibaba-NLP's repositories."""
    rest = dict(
        model_type="new", position_embedding_type="rope", pack_qkv=True, layer_norm_type="layer_norm", layer_norm_eps=1e-12,
        logn_attention_clip1=False, logn_attention_scale=False, hidden_act="gelu", pad_token_id=1, type_vocab_size=1,
        rope_theta=20000, rope_scaling={"type": "ntk", "factor": 8.0}, tie_word_embeddings=True, unpad_inputs=False,
    )
    return lambda config: size | rest | {"architectures": [config["architectures"][0].replace("Gte", "New")]} | more


def flash_keys(config):
    """The config of jinaai/jina-embeddings-v3."""
    return size | dict(
        model_type="xlm-roberta", architectures=["XLMRobertaForMaskedLM"], position_embedding_type="rotary", rotary_emb_base=20000.0,
        hidden_act="gelu", layer_norm_eps=1e-5, pad_token_id=1, type_vocab_size=1, lora_adaptations=["retrieval.query"],
        lora_alpha=1, lora_rank=4, use_flash_attn=True,
    )


def slopes(heads):
    """Press et al. 2022, with the rule for other numbers than powers of two."""
    whole = 2 ** (heads.bit_length() - 1)
    first = [2 ** (-8 * (i + 1) / whole) for i in range(whole)]
    return first + [2 ** (-8 * (i + 1) / (2 * whole)) for i in range(0, 2 * (heads - whole), 2)]


class JinaBertConfig(BertConfig):
    model_type = "bert"
    feed_forward_type = "geglu"
    position_embedding_type = "alibi"
    norms_queries = False


class JinaMlp(nn.Module):
    """Of jinaai/jina-embeddings-v2: the activated half stands first, the norm is the MLP's own."""

    def __init__(self, config):
        super().__init__()
        self.gated_layers = nn.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.wo = nn.Linear(config.intermediate_size, config.hidden_size)
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.act = nn.ReLU() if config.feed_forward_type == "reglu" else nn.GELU()

    def forward(self, x):
        gate, up = self.gated_layers(x).chunk(2, -1)
        return self.layernorm(x + self.wo(self.act(gate) * up))


class JinaLayer(BertLayer):
    def __init__(self, config, layer_idx=None):
        super().__init__(config, layer_idx=layer_idx)
        del self.intermediate, self.output
        self.mlp = JinaMlp(config)

    def forward(self, hidden_states, attention_mask=None, *args, **kwargs):
        return self.mlp(self.attention(hidden_states, attention_mask)[0])


class JinaCodeMlp(nn.Module):
    """Of jinaai/jina-embeddings-v2-base-code, as text-embeddings-inference reads it: the activated half stands last."""

    def __init__(self, config):
        super().__init__()
        self.up_gated_layer = nn.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.down_layer = nn.Linear(config.intermediate_size, config.hidden_size)

    def forward(self, x):
        up, gate = self.up_gated_layer(x).chunk(2, -1)
        return self.down_layer(up * nn.functional.gelu(gate))


class JinaCodeLayer(BertLayer):
    def __init__(self, config, layer_idx=None):
        super().__init__(config, layer_idx=layer_idx)
        del self.intermediate, self.output
        own = self.attention.self
        for name in ("q", "k"):
            setattr(own, f"layer_norm_{name}", nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps))
        own.query.register_forward_hook(lambda _, __, y: own.layer_norm_q(y))
        own.key.register_forward_hook(lambda _, __, y: own.layer_norm_k(y))
        self.layer_norm_1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.layer_norm_2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = JinaCodeMlp(config)

    def forward(self, hidden_states, attention_mask=None, *args, **kwargs):
        x = self.layer_norm_1(hidden_states + self.attention(hidden_states, attention_mask)[0])
        return self.layer_norm_2(x + self.mlp(x))


class JinaBertForMaskedLM(BertForMaskedLM):
    """
    jinaai's own BERT (Günther et al. 2023) is no class of the library: BERT without positions, with symmetric linear
    biases (Press et al. 2022, over |i - j|) added to its mask, and other layers.
    """

    config_class = JinaBertConfig
    layer = JinaLayer
    _can_record_outputs = {"hidden_states": JinaLayer}

    def __init__(self, config):
        super().__init__(config)
        base = self.bert
        base._can_record_outputs = self._can_record_outputs
        del base.embeddings.position_embeddings
        base.embeddings.position_embeddings = lambda ids: 0.0
        base.encoder.layer = nn.ModuleList(self.layer(config, layer_idx=i) for i in range(config.num_hidden_layers))
        make = base._create_attention_masks

        def with_biases(*args, embedding_output, **kwargs):
            mask, other = make(*args, embedding_output=embedding_output, **kwargs)
            columns = torch.arange(embedding_output.shape[1])
            away = (columns[:, None] - columns).abs().to(embedding_output.dtype)
            biases = -torch.tensor(slopes(config.num_attention_heads), dtype=embedding_output.dtype)[:, None, None] * away
            return (biases[None] if mask is None else mask + biases[None]), other

        base._create_attention_masks = with_biases
        self.post_init()


class JinaCodeBertForMaskedLM(JinaBertForMaskedLM):
    layer = JinaCodeLayer
    _can_record_outputs = {"hidden_states": JinaCodeLayer}


def named_bert(code="jina-bert-implementation", more={}):
    keys = dict(architectures=["JinaBertForMaskedLM"], position_embedding_type="alibi", feed_forward_type="geglu", model_type="bert")
    return lambda config: config | keys | {"auto_map": {"AutoModel": f"jinaai/{code}--modeling_bert.JinaBertModel"}} | more


cases = {
    "bert": {"class": "BertModel", "config": size},
    "nomic_bert": {"class": "NomicBertModel", "config": size},
    "nomic_bert-sequence": {"class": "NomicBertForSequenceClassification", "config": size | dict(num_labels=3, type_vocab_size=3), "original": False},
    "nomic_bert-masked": {"class": "NomicBertForMaskedLM", "config": size | dict(hidden_act="gelu", head_dim=10, rope_parameters={"rope_type": "linear", "factor": 2.0, "rope_theta": 500.0})},
    "nomic_bert-original": {"class": "NomicBertModel", "config": size, "written": nomic_keys({})},
    "nomic_bert-original-masked": {
        "class": "NomicBertForMaskedLM",
        "config": size | dict(rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1000.0}, max_position_embeddings=5),
        "rename": get_pattern("^nomic_bert", "bert"),
        "written": nomic_keys(dict(rotary_scaling_factor=2.0, max_trained_positions=5)),
    },
    "gte": {"class": "GteModel", "config": size},
    "gte-sequence": {"class": "GteForSequenceClassification", "config": size | dict(num_labels=3, type_vocab_size=0), "original": False},
    "gte-original": {
        "class": "GteForMaskedLM",
        "config": size | dict(rope_parameters={"rope_type": "linear", "factor": 8.0 ** (2 / 6), "rope_theta": 160000.0}),
        "rename": get_pattern("^gte", "new"),
        "written": gte_keys({}),
    },
    "jina_embeddings_v3": {"class": "JinaEmbeddingsV3Model", "config": size, "original": False},
    "jina_embeddings_v3-sequence": {"class": "JinaEmbeddingsV3ForSequenceClassification", "config": size | dict(num_labels=3, type_vocab_size=2)},
    "jina_embeddings_v3-original": {
        "class": "JinaEmbeddingsV3ForMaskedLM",
        "config": size,
        "rename": get_pattern(r"((?:word_embeddings|token_type_embeddings|Wqkv|out_proj|fc1|fc2))\.weight$", r"\1.parametrizations.weight.original"),
        "written": flash_keys,
    },
    "jina-bert": {"class": JinaBertForMaskedLM, "config": size | dict(num_attention_heads=6), "written": named_bert()},
    "jina-bert-reglu": {"class": JinaBertForMaskedLM, "config": size | dict(feed_forward_type="reglu"), "written": named_bert(more={"feed_forward_type": "reglu"})},
    "jina-bert-code": {"class": JinaCodeBertForMaskedLM, "config": size, "written": named_bert("jina-bert-v2-qk-post-norm")},
    "eurobert": {"class": "EuroBertForMaskedLM", "config": decoder},
    "eurobert-biases": {"class": "EuroBertForMaskedLM", "config": decoder | dict(attention_bias=True, mlp_bias=True, tie_word_embeddings=True, head_dim=8)},
    "eurobert-late": {"class": "EuroBertForSequenceClassification", "config": decoder | dict(num_labels=3)},
    "eurobert-mean": {"class": "EuroBertForSequenceClassification", "config": decoder | dict(num_labels=3, classifier_pooling="mean")},
    "eurobert-bos": {"class": "EuroBertForSequenceClassification", "config": decoder | dict(num_labels=3, classifier_pooling="bos")},
    "ultrabert": {"class": "UltrabertForMaskedLM", "config": decoder | dict(num_hidden_layers=3, sliding_window=2, prediction_head_size=14)},
    "ultrabert-sequence": {"class": "UltrabertForSequenceClassification", "config": decoder | dict(num_labels=3, classifier_pooling="mean")},
    "ultrabert-older": {
        "class": "UltrabertModel",
        "config": decoder | dict(sliding_window=1, layer_types=["full_attention", "sliding_attention"]),
        "written": lambda config: {key: value for key, value in config.items() if key not in ("rope_parameters", "layer_types", "sliding_window")}
        | {"attention_windows": [None, 1], "rope_theta": [2560000.0, 10000.0]},
    },
    "modernbert-decoder": {"class": "ModernBertDecoderForCausalLM", "config": size | dict(pad_token_id=0, num_hidden_layers=3, local_attention=6)},
    "modernbert-decoder-sequence": {
        "class": "ModernBertDecoderForSequenceClassification",
        "config": size | dict(pad_token_id=0, num_labels=3, norm_bias=True, attention_bias=True, mlp_bias=True, classifier_bias=True, classifier_activation="silu", local_attention=5),
        "last": True,
    },
    "qwen2-bidirectional": {"class": "Qwen2Model", "config": decoder | dict(is_causal=False, use_sliding_window=True, sliding_window=2, max_window_layers=1)},
    "mistral-bidirectional": {"class": "MistralModel", "config": decoder | dict(is_causal=False, sliding_window=3)},
    "llama-bidirectional": {
        "class": "LlamaModel",
        "config": decoder | dict(is_causal=False),
        "written": lambda config: {key: value for key, value in config.items() if key != "is_causal"} | {"architectures": ["LlamaBiModel"]},
    },
    "bert-generation": {"class": "BertGenerationEncoder", "config": size},
    "bert-generation-decoder": {"class": "BertGenerationDecoder", "config": size | dict(is_decoder=True)},
    "megatron-bert": {"class": "MegatronBertForSequenceClassification", "config": size | dict(num_labels=3)},
    "megatron-bert-masked": {"class": "MegatronBertForMaskedLM", "config": size},
    "ernie": {"class": "ErnieModel", "config": size | dict(use_task_id=True)},
    "ernie-masked": {"class": "ErnieForMaskedLM", "config": size},
    "rembert": {"class": "RemBertForSequenceClassification", "config": size | dict(num_labels=3, input_embedding_size=10, output_embedding_size=14)},
    "rembert-masked": {"class": "RemBertForMaskedLM", "config": size | dict(input_embedding_size=10, output_embedding_size=14)},
    "xlm-roberta-xl": {"class": "XLMRobertaXLForMaskedLM", "config": size},
    "xlm-roberta-xl-sequence": {"class": "XLMRobertaXLForSequenceClassification", "config": size | dict(num_labels=3)},
    "roberta-prelayernorm": {"class": "RobertaPreLayerNormForMaskedLM", "config": size},
    "roberta-prelayernorm-pooler": {"class": "RobertaPreLayerNormModel", "config": size},
    "data2vec-text": {"class": "Data2VecTextForSequenceClassification", "config": size | dict(num_labels=3)},
    "ibert": {"class": "IBertForMaskedLM", "config": size | dict(num_hidden_layers=1)},
    "luke": {"class": "LukeForSequenceClassification", "config": size | dict(num_labels=3, entity_vocab_size=9, entity_emb_size=6)},
    "luke-masked": {"class": "LukeForMaskedLM", "config": size | dict(entity_vocab_size=9, entity_emb_size=6, use_entity_aware_attention=False)},
    "roc_bert": {"class": "RoCBertForMaskedLM", "config": size | dict(pronunciation_embed_dim=6, pronunciation_vocab_size=9, shape_embed_dim=10, shape_vocab_size=11)},
    "roc_bert-apart": {"class": "RoCBertForSequenceClassification", "config": size | dict(num_labels=3, concat_input=False, pronunciation_embed_dim=24, pronunciation_vocab_size=9, shape_embed_dim=24, shape_vocab_size=11)},
    "xmod": {"class": "XmodForMaskedLM", "config": size | dict(languages=["en_XX", "de_DE"], default_language="de_DE")},
    "xmod-before": {"class": "XmodForSequenceClassification", "config": size | dict(num_labels=3, languages=["en_XX", "de_DE"], default_language="en_XX", pre_norm=True, adapter_layer_norm=True, ln_before_adapter=False, adapter_reduction_factor=3)},
    "xmod-raw": {"class": "XmodModel", "config": size | dict(languages=["en_XX"], default_language="en_XX", adapter_reuse_layer_norm=False)},
    "layoutlm": {"class": "LayoutLMForMaskedLM", "config": size | dict(max_2d_position_embeddings=9)},
    "layoutlm-sequence": {"class": "LayoutLMForSequenceClassification", "config": size | dict(num_labels=3, max_2d_position_embeddings=9)},
    "tapas": {"class": "TapasForMaskedLM", "config": size | dict(type_vocab_sizes=[3, 5, 5, 2, 5, 5, 4])},
    "esm": {"class": "EsmForMaskedLM", "config": size | dict(pad_token_id=1, mask_token_id=11, token_dropout=True, position_embedding_type="rotary", emb_layer_norm_before=False)},
    "esm-absolute": {"class": "EsmForSequenceClassification", "config": size | dict(num_labels=3, pad_token_id=1, mask_token_id=2, token_dropout=False, position_embedding_type="absolute", emb_layer_norm_before=True)},
    "esmc": {"class": "EsmcForMaskedLM", "config": size},
    "esmc-sequence": {"class": "EsmcForSequenceClassification", "config": size | dict(num_labels=3, attention_bias=True, mlp_bias=True)},
}

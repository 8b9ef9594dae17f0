"""Quantised weights, and the plain ones that the reference libraries make of them:

    python oracles/quantised.py     test/model/quantised/golden/quantised.json

with torch 2.15.0, transformers 5.24.0, compressed-tensors 0.20.0 and bitsandbytes 0.50.2. GPTQ and AWQ are unpacked by
the documented layout with torch's own arithmetic in the scales' type; FP8 by transformers' `Fp8Dequantize`, and blocks
cut off at the edges, which it refuses, by DeepSeek's rule (a block of 128 from the beginning on).
"""
import base64
import json
import pathlib

import bitsandbytes
import bitsandbytes.functional as bnb
import compressed_tensors
import torch
import transformers
from bitsandbytes.backends.default.ops import _dequantize_4bit_compute
from bitsandbytes.backends.utils import _get_4bit_code
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from transformers.integrations.finegrained_fp8 import Fp8Dequantize
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

golden = pathlib.Path(__file__).parent.parent / "test" / "model" / "quantised" / "golden" / "quantised.json"
names = {
    torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.uint8: "U8", torch.int8: "I8",
    torch.int32: "I32", torch.int64: "I64", torch.float8_e4m3fn: "F8_E4M3", torch.float8_e5m2: "F8_E5M2",
}
torch.manual_seed(33)


def packed(tensor):
    tensor = tensor.contiguous()
    data = tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
    return {"dtype": names[tensor.dtype], "shape": list(tensor.shape), "data": base64.b64encode(data).decode()}


def case(config, stored, plain, name="layer.weight"):
    return {"config": config, "stored": {key: packed(value) for key, value in stored.items()}, "plain": {name: packed(plain)}}


def drawn(*shape):
    return torch.randn(*shape) * 0.3


# FP8


def fp8(config, weight, scale, out, block=None, kind=torch.float8_e4m3fn, suffix="weight_scale_inv", dtype=None):
    quantised = (weight / weight.abs().max() * 400).to(kind)
    if block is None:
        plain = Fp8Dequantize(None)._dequantize_one(quantised, scale, output_dtype=out)
    else:
        spread = scale.float().repeat_interleave(block[0], -2).repeat_interleave(block[1], -1)
        plain = (quantised.float() * spread[: weight.shape[0], : weight.shape[1]]).to(out)
    settings = {"quantization_config": config, **({} if dtype is None else {"torch_dtype": dtype})}
    return case(settings, {"layer.weight": quantised, f"layer.{suffix}": scale}, plain)


def fp8_cases():
    method = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3"}
    scales = lambda *shape: torch.rand(*shape) * 0.01 + 0.001
    half = torch.bfloat16
    return {
        "fp8-blocks": fp8({**method, "weight_block_size": [4, 8]}, drawn(8, 16), scales(2, 2), half, dtype="bfloat16"),
        "fp8-blocks-cut": fp8(
            {**method, "weight_block_size": [4, 8]}, drawn(6, 20), scales(2, 3), half, block=(4, 8), dtype="bfloat16"
        ),
        "fp8-tensor": fp8({**method, "weight_block_size": None}, drawn(3, 5), scales(1)[0], half, dtype="bfloat16"),
        "fp8-e5m2-float32": fp8(
            {**method, "weight_block_size": [2, 5]}, drawn(4, 5), scales(2, 1), torch.float32, kind=torch.float8_e5m2
        ),
        "fp8-exponents": fp8(
            {**method, "weight_block_size": [1, 4], "scale_fmt": "ue8m0"},
            drawn(3, 8),
            torch.randint(110, 130, (3, 2), dtype=torch.uint8),
            half,
        ),
        "fp8-scale-half": fp8({**method, "weight_block_size": [3, 3]}, drawn(3, 6), scales(1, 2).to(half), half),
        "fp8-stacked": fp8(
            {**method, "weight_block_size": [2, 4]}, drawn(2, 4, 8), scales(2, 2, 2), half, dtype="bfloat16"
        ),
        "fbgemm": fp8(
            {"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0},
            drawn(5, 6),
            scales(5, 1),
            torch.float16,
            suffix="weight_scale",
            dtype="float16",
        ),
    }


# GPTQ and AWQ


def words(codes, bits):
    """Codes [n, m] packed densely along the first dimension, the first in the lowest bits."""
    planes = torch.stack([(codes >> bit) & 1 for bit in range(bits)], 1).reshape(-1, codes.shape[1])
    planes = torch.cat([planes, planes.new_zeros(-planes.shape[0] % 32, codes.shape[1])])
    weights = (1 << torch.arange(32, dtype=torch.int64)).reshape(1, 32, 1)
    total = (planes.reshape(-1, 32, codes.shape[1]).to(torch.int64) * weights).sum(1)
    return torch.where(total >= 2**31, total - 2**32, total).to(torch.int32)


def gptq(bits_of_codes, groups, order=None, v2=False, zero=None, kind=torch.float16, **settings):
    bits = bits_of_codes
    inputs, outputs = 32, 32
    codes = torch.randint(0, 2**bits, (inputs, outputs))
    zeros = torch.randint(1, 2**bits, (groups, outputs)) if zero is None else torch.full((groups, outputs), zero)
    scales = (torch.rand(groups, outputs) * 0.02 + 0.001).to(kind)
    index = torch.arange(inputs) // (inputs // groups)
    if order == "shuffled":
        index = index[torch.randperm(inputs)]
    stored = {
        "layer.qweight": words(codes, bits),
        "layer.qzeros": words((zeros if v2 else zeros - 1).T.contiguous(), bits).T.contiguous(),
        "layer.scales": scales,
    }
    if order != "absent":
        stored["layer.g_idx"] = index.to(torch.int32)
    plain = (scales[index] * (codes - zeros[index]).to(kind)).T
    config = {
        "quant_method": "gptq", "bits": bits, "group_size": inputs // groups, "desc_act": order == "shuffled",
        "sym": zero is not None, **({"checkpoint_format": "gptq_v2"} if v2 else {}), **settings,
    }
    return case({"quantization_config": config}, stored, plain)


def gptq_cases():
    return {
        **{f"gptq-{bits}": gptq(bits, 4) for bits in (2, 3, 4, 8)},
        "gptq-4-shuffled": gptq(4, 4, order="shuffled"),
        "gptq-3-shuffled-v2": gptq(3, 2, order="shuffled", v2=True),
        "gptq-4-symmetric": gptq(4, 2, zero=8),
        "gptq-4-v2": gptq(4, 2, v2=True),
        "gptq-4-no-index": gptq(4, 4, order="absent"),
        "gptq-8-one-group": gptq(8, 1, order="absent", group_size=-1),
        "gptq-4-bfloat16": gptq(4, 2, kind=torch.bfloat16),
        "gptq-dynamic": gptq(3, 2, bits=4, dynamic={"layer": {"bits": 3}}),
    }


def awq(inputs, outputs, size):
    groups = 1 if size == -1 else inputs // size
    codes = torch.randint(0, 16, (inputs, outputs))
    zeros = torch.randint(0, 16, (groups, outputs))
    scales = (torch.rand(groups, outputs) * 0.02 + 0.001).to(torch.float16)
    order = [0, 2, 4, 6, 1, 3, 5, 7]

    def pack(values):
        lanes = values.reshape(values.shape[0], -1, 8)[:, :, order].to(torch.int64)
        total = (lanes << (4 * torch.arange(8))).sum(-1)
        return torch.where(total >= 2**31, total - 2**32, total).to(torch.int32)

    index = torch.arange(inputs) // (inputs // groups)
    plain = ((codes - zeros[index]).to(torch.int8) * scales[index]).T
    config = {"quant_method": "awq", "bits": 4, "group_size": size, "zero_point": True, "version": "GEMM"}
    stored = {"layer.qweight": pack(codes), "layer.qzeros": pack(zeros), "layer.scales": scales}
    return case({"quantization_config": config}, stored, plain)


# bitsandbytes


def int8(rows, columns):
    codes, scales, _ = bnb.int8_vectorwise_quant(drawn(rows, columns).half())
    stored = {"layer.weight": codes, "layer.SCB": scales, "layer.weight_format": torch.zeros((), dtype=torch.uint8)}
    config = {"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False, "llm_int8_threshold": 6.0}
    return case({"quantization_config": config}, stored, bnb.int8_vectorwise_dequant(codes, scales))


def four(kind, dtype, shape, blocksize=64, nested=False):
    codes, state = bnb.quantize_4bit(
        drawn(*shape).to(dtype), blocksize=blocksize, quant_type=kind, compress_statistics=nested
    )
    stored = {"layer.weight": codes}
    for key, value in state.as_dict(packed=True).items():
        stored[f"layer.weight.{key}"] = value
    config = {"quant_method": "bitsandbytes", "load_in_8bit": False, "load_in_4bit": True, "bnb_4bit_quant_type": kind}
    if shape[-1] % blocksize == 0:
        plain = bnb.dequantize_4bit(codes, state)
    else:
        # the library's CPU kernel takes wrong magnitudes where a block goes on in the next row
        table = _get_4bit_code(kind, codes.device)
        plain = _dequantize_4bit_compute(codes.reshape(-1), state.absmax, table, blocksize, shape, dtype)
    return case({"quantization_config": config}, stored, plain)


# compressed-tensors


def compressed(layout, dtype, shape, torch_dtype=None, scale_type=None, order=False, **weights):
    args = QuantizationArgs(**weights)
    weight = drawn(*shape)
    rows, columns = shape
    grid = {
        "tensor": (1,),
        "channel": (rows, 1),
        "group": (rows, columns // (args.group_size or 1)),
        "block": (-(-rows // (args.block_structure or [1])[0]), -(-columns // (args.block_structure or [1, 1])[-1])),
    }[args.strategy]
    scale = (torch.rand(grid) * 0.01 + 0.05).to(scale_type or dtype)
    if weights["type"] == "float":
        scale = scale / 40
    zero = None if args.symmetric else torch.randint(-(2 ** (args.num_bits - 1)), 2 ** (args.num_bits - 1), grid).to(torch.int8)
    scheme = QuantizationScheme(targets=["Linear"], weights=args, format=layout)
    state = {"weight": weight.to(scale.dtype), "weight_scale": scale}
    if zero is not None:
        state["weight_zero_point"] = zero
    compressor = BaseCompressor.get_value_from_registry(layout)
    stored = compressor.compress(state, scheme)
    plain = compressor.decompress(dict(stored), scheme)["weight"].to(dtype)
    if order:
        index = torch.arange(columns)[torch.randperm(columns)] // args.group_size
        perm = torch.argsort(index)
        # columns of a group lie apart: the library of that time sorted them, scaled, and put them back
        sorted_codes = compressor.decompress({**stored, "weight_scale": torch.ones_like(scale)}, scheme)["weight"][:, perm]
        spread = scale.repeat_interleave(args.group_size, -1)
        plain = torch.empty_like(plain)
        plain[:, perm] = (sorted_codes * spread).to(dtype)
        stored["weight_g_idx"] = index.to(torch.int32)
    entry = {"num_bits": args.num_bits, "type": weights["type"], "strategy": weights["strategy"], "symmetric": args.symmetric}
    if args.group_size:
        entry["group_size"] = args.group_size
    if args.block_structure:
        entry["block_structure"] = list(args.block_structure)
    config = {
        "quant_method": "compressed-tensors", "format": layout, "quantization_status": "compressed", "ignore": ["lm_head"],
        "config_groups": {"group_0": {"targets": ["Linear"], "weights": entry, "input_activations": None}},
    }
    extra = {"layer.input_scale": torch.ones(1)} if layout == "float-quantized" else {}
    settings = {"quantization_config": config, **({} if torch_dtype is None else {"torch_dtype": torch_dtype})}
    return case(settings, {**{f"layer.{key}": value for key, value in stored.items()}, **extra}, plain)


def compressed_cases():
    half, full = torch.bfloat16, torch.float32
    integer = {"type": "int", "symmetric": True}
    return {
        "compressed-int4-group": compressed(
            "pack-quantized", half, (6, 32), "bfloat16", num_bits=4, strategy="group", group_size=8, **integer
        ),
        "compressed-int4-channel": compressed(
            "pack-quantized", torch.float16, (6, 20), num_bits=4, strategy="channel", **integer
        ),
        "compressed-int8-group": compressed(
            "pack-quantized", half, (5, 12), num_bits=8, strategy="group", group_size=4, **integer
        ),
        "compressed-int4-zeros": compressed(
            "pack-quantized", half, (10, 16), num_bits=4, strategy="group", group_size=8, type="int", symmetric=False
        ),
        "compressed-int3-zeros": compressed(
            "pack-quantized", half, (13, 48), num_bits=3, strategy="group", group_size=16, type="int", symmetric=False
        ),
        "compressed-int4-order": compressed(
            "pack-quantized", half, (6, 32), order=True, num_bits=4, strategy="group", group_size=8, **integer
        ),
        "compressed-int8-plain": compressed(
            "int-quantized", half, (4, 6), "bfloat16", num_bits=8, strategy="channel", **integer
        ),
        "compressed-int8-float32-scale": compressed(
            "int-quantized", half, (4, 6), "bfloat16", scale_type=full, num_bits=8, strategy="channel", **integer
        ),
        "compressed-int8-half-scale": compressed(
            "int-quantized", full, (4, 6), "float32", scale_type=half, num_bits=8, strategy="channel", **integer
        ),
        "compressed-int8-zeros": compressed(
            "int-quantized", half, (4, 6), num_bits=8, strategy="channel", type="int", symmetric=False
        ),
        "compressed-fp8-tensor": compressed(
            "float-quantized", half, (4, 6), "bfloat16", num_bits=8, strategy="tensor", type="float", symmetric=True
        ),
        "compressed-fp8-block": compressed(
            "float-quantized", half, (6, 10), "bfloat16", num_bits=8, strategy="block", block_structure=[4, 8],
            type="float", symmetric=True,
        ),
    }


def mxfp4():
    blocks = torch.randint(0, 256, (2, 3, 2, 16), dtype=torch.uint8)
    scales = torch.tensor([0, 1, 100, 118, 120, 127, 130, 140, 119, 121, 122, 123], dtype=torch.uint8).reshape(2, 3, 2)
    plain = convert_moe_packed_tensors(blocks, scales, dtype=torch.bfloat16)
    config = {"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}
    stored = {"experts.gate_up_proj_blocks": blocks, "experts.gate_up_proj_scales": scales}
    return case({"quantization_config": config, "torch_dtype": "bfloat16"}, stored, plain, "experts.gate_up_proj")


cases = {
    **fp8_cases(),
    **gptq_cases(),
    "awq-groups": awq(32, 16, 8),
    "awq-one-group": awq(16, 8, -1),
    "bitsandbytes-int8": int8(24, 40),
    "bitsandbytes-nf4": four("nf4", torch.bfloat16, (5, 64)),
    "bitsandbytes-nf4-across-rows": four("nf4", torch.bfloat16, (6, 48)),
    "bitsandbytes-fp4": four("fp4", torch.float16, (3, 128)),
    "bitsandbytes-nf4-nested": four("nf4", torch.bfloat16, (40, 512), nested=True),
    "bitsandbytes-nf4-float32": four("nf4", torch.float32, (2, 128), blocksize=128),
    **compressed_cases(),
    "mxfp4": mxfp4(),
}
made = {
    "torch": torch.__version__.split("+")[0],
    "transformers": transformers.__version__,
    "compressed-tensors": compressed_tensors.__version__,
    "bitsandbytes": bitsandbytes.__version__,
}
golden.parent.mkdir(parents=True, exist_ok=True)
golden.write_text(json.dumps({"made with": made, "cases": cases}, separators=(",", ":")) + "\n")
print(len(cases), "cases,", golden.stat().st_size, "bytes")

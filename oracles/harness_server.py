"""
What lm-evaluation-harness asks of OpenAI-compatible servers, and what it makes of the answers: every body it sends, beside an answer made up here, and the scores or texts.

    pip install lm_eval==0.4.13 transformers tenacity aiohttp requests
    python oracles/harness_server.py assets/models/stories260K > test/model/server/golden/harness-server.json

Answers are drawn by the body; log-probabilities have few digits, so that sums are theirs to the last bit.
"""
import hashlib
import http.server
import json
import os
import random
import sys
import threading
from types import SimpleNamespace

os.environ["OPENAI_API_KEY"] = "not-a-key"
import lm_eval
import transformers
from lm_eval.models import openai_completions as served

folder = sys.argv[1]
tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
exchanges = []
texts = [" a cat", " and a dog.\nThe end", "\u00e9t\u00e9 \u65e5\u672c", " <think>why</think>\n yes", ""]


def draw(body):
    return random.Random(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest())


def scored(prompt, by):
    ids = prompt if isinstance(prompt, list) else tokenizer(prompt, add_special_tokens=False).input_ids
    own, top = [], []
    for i in range(len(ids) + 1):
        p = -by.randrange(1, 9000) / 1024
        own.append(None if i == 0 else p)
        best = p if by.random() < 0.8 else p + by.randrange(1, 500) / 65536
        top.append(None if i == 0 else {"x": min(best, 0.0)} | ({} if best == p else {"y": p}))
    return {"tokens": ["t"] * len(own), "token_logprobs": own, "top_logprobs": top}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(404)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        by = draw(body)
        if "messages" in body:
            choices = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": by.choice([*texts, None])}}]
        else:
            prompts = body["prompt"] if isinstance(body["prompt"], list) and not isinstance(body["prompt"][0], int) else [body["prompt"]]
            choices = [
                {"index": i, "finish_reason": "length", "text": "", "logprobs": scored(one, by)}
                if body.get("echo")
                else {"index": i, "finish_reason": "stop", "text": by.choice(texts), "logprobs": None}
                for i, one in enumerate(prompts)
            ]
            by.shuffle(choices)
        answer = {"object": "answer", "choices": choices}
        exchanges.append({"path": self.path, "authorization": self.headers["authorization"], "body": body, "answer": answer})
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
root = f"http://127.0.0.1:{server.server_port}/v1"

pairs = [
    ["Once upon a time", " there was a girl"],
    ["Once upon a time ", "there was a girl"],
    ["Question: \u00e9t\u00e9 \u65e5\u672c\n\nAnswer:", " yes"],
    ["Question: \u00e9t\u00e9 \u65e5\u672c\n\nAnswer:", " no"],
    ["", "Lily and Tom"],
    ["", "<s>Lily"],
    ["Tom saw a dog. \t\n", " big"],
    ["One day, a little boy named Tim went to the park with his mom. He saw a big, red ball and wanted it very much, but", " it was not his"],
]
rolling = ["Tom.", "Once upon a time, there was a little girl named Lily. She loved to play outside in the park with her friends. \U0001f642", "  two\n\nlines"]
prompts = ["Once upon a time", "Tom", "\u00e9t\u00e9", "One day, a little boy named Tim went to the park with his mom. He saw a big, red ball and wanted it very much, but it"]
chats = [
    [{"role": "user", "content": "Why?"}],
    [{"role": "system", "content": "Be \u00e9t\u00e9."}, {"role": "user", "content": "Say \"\u65e5\u672c\"\n"}, {"role": "assistant", "content": "It is"}],
    [{"role": "user", "content": "\u007f \u2028 back\\slash / \U0001f642"}],
]
plain = {"until": ["\n\n", "Question:"], "max_gen_toks": 8, "do_sample": False, "temperature": 0.0}
drawn = {"until": "\n", "max_gen_toks": 5, "do_sample": True, "temperature": 0.7, "top_p": 0.9, "min_p": 0.05}
bare = {"max_tokens": 6}


def requests(rows):
    return [SimpleNamespace(args=tuple(row)) for row in rows]


cases = []


def case(kind, args, questions):
    cls = {
        "local-completions": served.LocalCompletionsAPI,
        "local-chat-completions": served.LocalChatCompletion,
        "openai-completions": served.OpenAICompletionsAPI,
        "openai-chat-completions": served.OpenAIChatCompletion,
    }[kind]
    path = "/chat/completions" if "chat" in kind else "/completions"
    given = {k: (folder if v == "TOKENIZER" else v) for k, v in args.items()}
    model = cls(base_url=root + path, **given)
    for question in questions:
        exchanges.clear()
        ask, given = next(iter(question.items()))
        if ask == "loglikelihood":
            result = model.loglikelihood(requests(given), disable_tqdm=True)
        elif ask == "rolling":
            result = model.loglikelihood_rolling(requests([[text] for text in given]), disable_tqdm=True)
        elif ask == "chat":
            turns = [model.apply_chat_template(turns, add_generation_prompt=turns[-1]["role"] != "assistant") for turns in given]
            result = model.generate_until(requests([[turn, dict(question["kwargs"])] for turn in turns]), disable_tqdm=True)
            question = question | {"prompts": [turn.prompt for turn in turns]}
        else:
            result = model.generate_until(requests([[prompt, dict(question["kwargs"])] for prompt in given]), disable_tqdm=True)
        cases.append({"kind": kind, "args": args, "question": question, "path": path, "result": result, "exchanges": list(exchanges)})


scores = [{"loglikelihood": pairs}]
both = [*scores, {"generate": prompts, "kwargs": plain}]
every = [*both, {"rolling": rolling}, {"generate": prompts[:2], "kwargs": drawn}]
small = {"model": "tiny", "tokenizer": "TOKENIZER", "max_length": 28}
case("local-completions", small, every)
case("local-completions", small | {"batch_size": 3, "seed": 7, "tokenizer_backend": "huggingface"}, both)
# a server that reads texts by itself, and reads them as they were read here
texts_alone = [{"loglikelihood": pairs[:4] + pairs[6:]}, {"generate": prompts, "kwargs": plain}]
texting = {"model": "tiny", "tokenizer": "TOKENIZER", "tokenized_requests": False}
case("local-completions", texting, texts_alone)
case("local-completions", texting | {"batch_size": 2, "eos_string": "<|end|>"}, texts_alone)
case("local-completions", small | {"num_concurrent": 4, "batch_size": 2}, both)
case("local-completions", small | {"add_bos_token": True, "custom_prefix_token_id": 2}, [*scores, {"rolling": rolling[:2]}])
case("local-completions", {"model": "tiny", "tokenizer_backend": "none", "max_gen_toks": 9}, [{"generate": prompts, "kwargs": {"until": ["."]}}, {"generate": prompts[:2], "kwargs": bare}])
talk = [{"chat": chats, "kwargs": plain}, {"chat": chats[:2], "kwargs": drawn}, {"chat": chats[:1], "kwargs": bare}]
many = [{"chat": chats, "kwargs": plain | {"until": ["a", "b", "c", "d", "e"]}}]
case("local-chat-completions", {"model": "tiny"}, talk)
case("local-chat-completions", {"model": "tiny", "eos_string": "<|end|>", "think_end_token": "</think>"}, [*many, *talk[:1]])
case("local-chat-completions", {"model": "tiny", "num_concurrent": 3, "eos_string": "<|end|>"}, many)
case("openai-chat-completions", {"model": "gpt-4o-mini"}, talk)
case("openai-chat-completions", {"model": "gpt-4o-mini", "num_concurrent": 2}, talk[:1])
case("openai-chat-completions", {"model": "gpt-5-nano"}, talk[:1])
case("openai-completions", {"model": "davinci-002", "tokenizer": "TOKENIZER", "tokenizer_backend": "huggingface", "max_length": 28}, both)

json.dump({"versions": {"lm_eval": lm_eval.__version__, "transformers": transformers.__version__}, "cases": cases}, sys.stdout, ensure_ascii=False, indent=None)

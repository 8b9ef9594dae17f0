"""sentence-transformers behind FastAPI, as its users write it: a synchronous endpoint in uvicorn's thread pool, one model in float32, no batching over requests.

    serve_st.py --model FOLDER --port N
"""
import argparse
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--port", type=int, required=True)
options = parser.parse_args()

import uvicorn  # noqa: E402
from fastapi import FastAPI  # noqa: E402
from pydantic import BaseModel  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

# The folder's weights are float16; in float32, as the others compute.
model = SentenceTransformer(options.model, device="cpu", model_kwargs={"torch_dtype": "float32"})
app = FastAPI()


class Request(BaseModel):
    model: str
    input: list[str]


@app.post("/v1/embeddings")
def embeddings(request: Request):
    vectors = model.encode(request.input, show_progress_bar=False, convert_to_numpy=True)
    data = [{"object": "embedding", "index": index, "embedding": vector.tolist()} for index, vector in enumerate(vectors)]
    return {"object": "list", "data": data, "model": request.model}


uvicorn.run(app, host="127.0.0.1", port=options.port, log_level="warning")

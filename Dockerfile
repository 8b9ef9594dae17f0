# An image whose command is strata, working in /work: docker run --rm -v "$PWD:/work" strata layers ./model --tasks STS17
# Nobody has built it yet: no Docker runs where Strata is developed.
FROM node:20-bookworm-slim
ENV ONNXRUNTIME_NODE_INSTALL=skip HF_HOME=/work/.cache/hf STRATA_CACHE=/work/.cache/strata
COPY . /strata
RUN cd /strata && npm ci --no-audit --no-fund && npm prune --omit=dev --ignore-scripts && npm install -g --ignore-scripts .
WORKDIR /work
ENTRYPOINT ["strata"]

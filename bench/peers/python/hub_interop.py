"""huggingface_hub against a hub named by HF_ENDPOINT: hub_interop.py upload|download REPO FOLDER. Upload prints the version."""
import sys

import huggingface_hub

verb, repo, folder = sys.argv[1:]
api = huggingface_hub.HfApi()
if verb == "upload":
    api.create_repo(repo, exist_ok=True)
    api.upload_folder(repo_id=repo, folder_path=folder, commit_message="Upload with Python")
    print(huggingface_hub.__version__)
else:
    huggingface_hub.snapshot_download(repo, local_dir=folder)

"""Files that Strata writes for other programs, read by those programs: travel_check.py PLAN.json.
PLAN = {"scores": {task: {"split/subset": score}}, "model", "forms": {form: folder}, "cards": {name: folder}}. Prints a line per form and card, and ends with an error where a number differs."""
import glob, json, math, os, sys
from pathlib import Path

import yaml

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
os.environ["HF_HUB_OFFLINE"] = "1"
plan = json.loads(Path(sys.argv[1]).read_text())
forms, scores = plan["forms"], plan["scores"]
wanted = sorted(score for parts in scores.values() for score in parts.values())


def same(name, found, tolerance):
    found = sorted(found)
    if len(found) != len(wanted) or any(abs(a - b) > tolerance for a, b in zip(found, wanted)):
        raise SystemExit(f"{name}: {found} are not {wanted}")
    print(f"ok  {name}: {len(found)} scores, largest {found[-1]}")


from huggingface_hub import ModelCard, ModelCardData, metadata_load, parse_eval_result_entries
from huggingface_hub.repocard_data import model_index_to_eval_results

if "eval-results" in forms:
    entries = [
        entry
        for path in glob.glob(f"{forms['eval-results']}/.eval_results/*.yaml")
        for entry in parse_eval_result_entries(yaml.safe_load(Path(path).read_text()))
    ]
    parts = [entry.value / 100 for entry in entries if entry.task_id not in scores]
    same("huggingface_hub, .eval_results", parts, 5.1e-8)  # percentages of five decimals

if "model-index" in forms:
    block = yaml.safe_load(Path(forms["model-index"], "model-index.yaml").read_text())
    _, results = model_index_to_eval_results(block["model-index"])
    same("huggingface_hub, model-index", [result.metric_value for result in results], 0)

if "mteb-repo" in forms:
    from mteb.results import TaskResult

    paths = glob.glob(f"{forms['mteb-repo']}/results/*/*/*.json")
    loaded = [TaskResult.from_disk(Path(path)) for path in paths if not path.endswith("model_meta.json")]
    found = [part["main_score"] for result in loaded for split in result.scores.values() for part in split]
    same("mteb, results repository", found, 0)

if "mlflow" in forms:
    import mlflow

    client = mlflow.MlflowClient(tracking_uri=Path(forms["mlflow"]).absolute().as_uri())
    (run,) = client.search_runs(["0"])
    found = [value for name, value in run.data.metrics.items() if name.endswith("/main_score") and name.count("/") == 3]
    same(f"mlflow, run {run.info.run_name} ({run.info.status})", found, 0)

if "tensorboard" in forms:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    (folder,) = {str(Path(path).parent) for path in glob.glob(f"{forms['tensorboard']}/*/**/events.*", recursive=True)}
    accumulator = EventAccumulator(folder).Reload()
    tags = [tag for tag in accumulator.Tags()["scalars"] if tag.count("/") == 2]
    found = [event.value for tag in tags for event in accumulator.Scalars(tag)]
    same("tensorboard, event file", found, 2**-24)  # float32 below 1

    from tensorboard import context
    from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
    from tensorboard.plugins.base_plugin import TBContext
    from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups

    multiplexer = plugin_event_multiplexer.EventMultiplexer().AddRunsFromDirectory(forms["tensorboard"])
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, forms["tensorboard"])
    page = backend_context.Context(TBContext(data_provider=provider, multiplexer=multiplexer))
    asked = context.RequestContext()
    experiment = page.experiment_from_metadata(asked, "0", True, page.hparams_metadata(asked, "0"), [])
    request = api_pb2.ListSessionGroupsRequest(slice_size=100, include_metrics=True, allowed_statuses=[0, 1, 2, 3])
    for info in experiment.metric_infos:
        request.col_params.add().metric.CopyFrom(info.name)
    (group,) = list_session_groups.Handler(asked, page, "0", request).run().session_groups
    settings = {key: value.string_value for key, value in group.hparams.items()}
    tags = [value.name.tag for value in group.metric_values]
    if sorted(settings) != ["model", "representation", "revision"] or tags != ["STS17/main_score"]:
        raise SystemExit(f"tensorboard, HParams page: {settings}, {tags}")
    print(f"ok  tensorboard, HParams page: {settings['representation']}, {tags[0]}")

for name, folder in plan["cards"].items():
    path = Path(folder, "README.md")
    head = metadata_load(path)
    card = ModelCard.load(path)
    data = ModelCardData(**{**head, "model_name": name}) if "model-index" not in head else card.data
    kept = data.to_dict()
    lost = [key for key in head if kept.get(key) != head[key]]
    if lost:
        raise SystemExit(f"{name}: huggingface_hub changes {lost}")
    shown = {key: head.get(key) for key in ("license", "license_name", "base_model", "base_model_relation", "library_name", "pipeline_tag")}
    print(f"ok  card of {name}: {json.dumps({key: value for key, value in shown.items() if value is not None})}; {len(card.data.eval_results or [])} results")

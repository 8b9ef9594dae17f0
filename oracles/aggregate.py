"""AbsTaskAggregate of mteb over made-up results of its members: python oracles/aggregate.py > test/experiment/sweep/golden/aggregate.json"""
import numpy as np
import mteb
from mteb.results import TaskResult
from mteb_stub import plain, write


def case(name, seed, extra_subset=False):
    task = mteb.get_task(name)
    rs = np.random.RandomState(seed)
    members, results = [], []
    for member in task.metadata.tasks:
        langs = list(member.metadata.languages)
        entry = lambda subset, languages: {"hf_subset": subset, "languages": languages, "main_score": float(rs.random_sample())}
        scores = {"test": [entry("default", list(member.metadata.eval_langs))]}
        if extra_subset:
            scores["test"] += [entry("deu", ["deu-Latn"]), entry("both", ["deu-Latn", *member.metadata.eval_langs])]
        members.append({"task_name": member.metadata.name, "scores": scores})
        results.append(TaskResult(dataset_revision="1", task_name=member.metadata.name, mteb_version="2.26.24", scores=scores, evaluation_time=2.5, kg_co2_emissions=None))
    combined = task.combine_task_results(results)
    return {"task": name, "members": members, "scores": plain(combined.scores), "dataset_revision": combined.dataset_revision, "evaluation_time": combined.evaluation_time}


write([case("CQADupstackRetrieval", 120), case("SynPerChatbotConvSAClassification", 121), case("CQADupstackRetrieval-PL", 122, extra_subset=True)])

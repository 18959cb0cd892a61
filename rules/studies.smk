# The stages that all studies have: what comes of their records, its pictures, and tables of one's own.


for study in STUDIES:
    for search, names in CONTENTS[study].get("shards", {}).items():

        rule:
            """the records of the shards of one long search, put together"""
            name:
                f"gather_{search}"
            input:
                **{
                    name: getattr(gather, search)(f"results/{study}/{name}/{{scatteritem}}.csv")
                    for name in names
                },
            output:
                **{name: f"results/{study}/{name}.csv" for name in names},
            log:
                f"results/logs/{study}/gather_{search}.log",
            benchmark:
                f"results/benchmarks/{study}/gather_{search}.tsv"
            localrule: True
            script:
                "../src/scripts/stages/gather.py"

    rule:
        """what comes of one study's records: summaries, tables, and the published numbers with their verdicts"""
        name:
            f"tabulate_{study}"
        input:
            records=records_of(study, "summaries", "tables"),
            published=published_files(study),
            sources=sources_of(used_datasets(study)),
        output:
            summaries=[f"results/{study}/{name}.csv" for name in CONTENTS[study]["summaries"]],
            tables=[shown(file) for file in extra_tables(study)],
            compared=compared_files(study),
            published_tables=[
                shown(file) if file.endswith(".csv") else file for file in published_tables(study)
            ],
            formats=[
                f"{table[:-4]}.{kind}" for table in extra_tables(study) for kind in ("md", "tex")
            ],
            captions=[caption_of(table) for table in shown_tables(study)],
        log:
            f"results/logs/{study}/tabulate_{study}.log",
        benchmark:
            f"results/benchmarks/{study}/tabulate_{study}.tsv"
        localrule: True
        params:
            **stage(study, "results", "title", "summaries", "published", "tables", "figures"),
            study=study,
            names=names_of(used_datasets(study)),
        script:
            "../src/scripts/stages/tabulate.py"

    rule:
        """the figures of one study from its records"""
        name:
            f"draw_{study}"
        input:
            records=records_of(study, "figures"),
        output:
            figures=[shown(file) for file in figures_of(study)],
            vector=vector_forms(*figures_of(study)),
            captions=[caption_of(figure) for figure in figures_of(study)],
        log:
            f"results/logs/{study}/draw_{study}.log",
        benchmark:
            f"results/benchmarks/{study}/draw_{study}.tsv"
        localrule: True
        params:
            **stage(study, "figures", "title", "tables", "figures"),
            study=study,
        script:
            "../src/scripts/stages/draw.py"


for study in [study for study in STUDIES if STUDIES[study].own]:

    rule:
        """what one study finds in a user's own table"""
        name:
            f"explore_{study}"
        input:
            **{
                name: own_shards(study, file)
                for name, file in CONTENTS[study]["own"].get("shards", {}).items()
            },
            kernels=compiled(*CONTENTS[study]["own"]["kernels"]),
            data="results/data/{table}.npz",
        output:
            files=[
                shown_own(f"results/own/{{table}}/{name}")
                for name in CONTENTS[study]["own"]["files"]
            ],
        log:
            f"results/logs/{study}/explore_{study}/{{table}}.log",
        benchmark:
            f"results/benchmarks/{study}/explore_{study}/{{table}}.tsv"
        resources:
            mem_mb=memory_own(study),
            runtime=minutes(60),
        params:
            study=study,
            table=lambda wildcards: wildcards.table,
            settings=exploring_own(study),
            seed=config["seed"],
            code=code_of(f"{study}.explore", "own.explore"),
        script:
            "../src/scripts/stages/explore.py"

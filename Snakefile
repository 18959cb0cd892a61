from snakemake.utils import min_version

min_version("9.27")


include: "rules/common.smk"


container: str(HERE / "envs/pinetum.sif")  # only with --sdm apptainer; built from envs/Containerfile


include: "rules/kernels.smk"
include: "rules/data.smk"
include: "rules/tables.smk"


for study in STUDIES:

    include: f"rules/{study}.smk"


include: "rules/studies.smk"  # tables, figures and own tables of every study
include: "rules/report.smk"
include: "rules/targets.smk"  # one target per study


rule all:
    """every study at its paper's own size, the comparison with the published numbers, the report page"""
    default_target: True
    input:
        pages_of(),


onsuccess:
    print(list_warnings("results/logs") or "No warnings.")
    print(*(f"see {page}" for page in pages_of() if page.endswith(".html")), sep="\n")


onerror:
    print(list_warnings("results/logs"))

"""Count the components of all files of a folder on a Dask cluster.

    python examples/dask_cluster.py FOLDER [SCHEDULER]

SCHEDULER is an address as `tcp://host:8786`; its workers must have modelica-ast and see the same folder. Without one, a
cluster of two processes is started here. It needs `pip install 'modelica-ast[dask]'`.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from distributed import Client, LocalCluster

from modelica_ast import find_all, parse_file
from modelica_ast.library import map_files
from modelica_ast.tree import Component


def count_components(path: Path) -> int:
    return sum(1 for _ in find_all(parse_file(path), Component))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("scheduler", nargs="?")
    given = arguments.parse_args()
    paths = sorted(given.folder.rglob("*.mo"))

    with ExitStack() as stack:
        address = given.scheduler or stack.enter_context(
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
        )
        client = stack.enter_context(Client(address))
        # The function travels to the workers by value, since it is in the script that is run.
        results = map_files(count_components, paths, executor=client.get_executor())

    counts = [result.value for result in results if result.value is not None]
    for result in results:
        if result.error is not None:
            print(result.error)
    print(f"{sum(counts)} components in {len(counts)} of {len(results)} files")


# Workers import this script, and must not start clusters of their own.
if __name__ == "__main__":
    main()

"""What pyproject.toml cannot say: a wheel brings the pages at /help and the compiled catalogues,
made when it is built."""

import sys
from pathlib import Path
from shutil import rmtree

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))


class BuildWithWhatIsMade(build_py):
    """The modules and their data, and before them what the data is made of."""

    def run(self) -> None:
        """Make all of it where the sources are: from there it is data like any other."""
        from help_pages import INTO, build
        from msgfmt import compile_stale

        # A module that was moved away since the last build would go along: nobody would see it.
        if not self.editable_mode:
            rmtree(self.build_lib, ignore_errors=True)
        build(ROOT, INTO)
        compile_stale(ROOT)
        # What was listed before they were there.
        self.data_files = self._get_data_files()
        super().run()


setup(cmdclass={"build_py": BuildWithWhatIsMade})

"""What pyproject.toml cannot say: a wheel brings the pages at /help, made when it is built."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))


class BuildWithHelp(build_py):
    """The modules and their data, and before them what the data is made of."""

    def run(self) -> None:
        """Make the pages where the sources are: from there they are data like any other."""
        from help_pages import INTO, build

        build(ROOT, INTO)
        # What was listed before they were there.
        self.data_files = self._get_data_files()
        super().run()


setup(cmdclass={"build_py": BuildWithHelp})

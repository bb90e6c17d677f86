# SPDX-License-Identifier: Apache-2.0
"""Open JupyterLab on the first notebook, or (``--check``) see that this works.

The check executes the notebook on a copy, starts JupyterLab on a free port of this
machine, waits until it answers, and stops it. It uses folders of its own, so that
neither the user's Jupyter settings nor their running servers matter.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "notebooks" / "01_open_and_audit.ipynb"
START_SECONDS = 120
STOP_SECONDS = 20


class CheckFailed(Exception):
    """What did not work, in one line."""


def say(text: str) -> None:
    """Tell the person at the terminal, at once."""
    print(f"lab: {text}", flush=True)


def start_offline() -> None:
    """Keep JupyterLab from asking for news and updates when it starts.

    The setting goes into this virtual environment, not into the user's home.
    """
    folder = Path(sys.prefix) / "share" / "jupyter" / "lab" / "settings"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "overrides.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    found["@jupyterlab/apputils-extension:notification"] = {
        "fetchNews": "false",
        "checkForUpdates": False,
    }
    path.write_text(json.dumps(found, indent=2) + "\n")


def lab_command(*options: str) -> list[str]:
    """Return the command line that starts JupyterLab in the repository's folder."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={ROOT}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Root is usual in containers, and JupyterLab refuses it unless told.
        command.append("--allow-root")
    return [*command, *options]


def own_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's settings is read."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "JPY"))}
    for name in (
        "HOME",
        "JUPYTER_CONFIG_DIR",
        "JUPYTER_DATA_DIR",
        "JUPYTER_RUNTIME_DIR",
        "JUPYTERLAB_SETTINGS_DIR",
        "JUPYTERLAB_WORKSPACES_DIR",
        "IPYTHONDIR",
        "MPLCONFIGDIR",
    ):
        env[name] = str(folder / name.lower())
        Path(env[name]).mkdir(mode=0o700)
    return env


def execute(notebook: Path, folder: Path, env: dict[str, str]) -> None:
    """Run every cell of the notebook; its outputs go to `folder`."""
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    command += ["--ExecutePreprocessor.timeout=600", f"--output-dir={folder}"]
    done = subprocess.run(
        [*command, str(notebook)],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CheckFailed(f"{notebook.name} did not run to its end\n{done.stdout}")


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running_lab(folder: Path, env: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield address and token of a JupyterLab that is stopped at the end."""
    token = secrets.token_hex(16)
    port = free_port()
    log = folder / "jupyterlab.log"
    command = lab_command(
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
    )
    with log.open("w") as output:
        # The token goes by the environment: a command line is readable to all.
        server = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**env, "JUPYTER_TOKEN": token},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(server, address, token)
        yield address, token
    except CheckFailed as error:
        raise CheckFailed(f"{error}\n{log.read_text()[-4000:]}") from None
    finally:
        stop(server)


def ask(address: str, path: str, token: str) -> bytes:
    """Return what the server at `address` answers; no proxy stands between."""
    request = urllib.request.Request(address + path)
    request.add_header("Authorization", f"token {token}")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as answer:
        return bytes(answer.read())


def wait_until_up(server: subprocess.Popen[bytes], address: str, token: str) -> None:
    """Return as soon as the server tells its status."""
    last = "no answer"
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise CheckFailed(
                f"JupyterLab ended at once, exit code {server.returncode}"
            )
        try:
            status = json.loads(ask(address, "/api/status", token))
        except (OSError, ValueError) as error:
            last = str(error)
            time.sleep(0.2)
        else:
            if "started" in status:
                return
            raise CheckFailed(f"/api/status answered {status!r}")
    raise CheckFailed(f"JupyterLab did not answer in {START_SECONDS} s: {last}")


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the one process that was started here."""
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def check() -> None:
    """Do what `make lab` does, without a browser."""
    if not NOTEBOOK.exists():
        raise CheckFailed(f"{NOTEBOOK.relative_to(ROOT)} is missing")
    before = NOTEBOOK.read_bytes()
    folder = Path(tempfile.mkdtemp(prefix="smemkit-lab-"))
    try:
        env = own_environment(folder)
        begin = time.monotonic()
        execute(NOTEBOOK, folder, env)
        say(f"{NOTEBOOK.name} ran to its end in {time.monotonic() - begin:.1f} s")
        begin = time.monotonic()
        with running_lab(folder, env) as (address, token):
            say(f"JupyterLab answered in {time.monotonic() - begin:.1f} s")
            path = f"/lab/tree/{NOTEBOOK.relative_to(ROOT).as_posix()}"
            try:
                ask(address, path, token)
            except urllib.error.HTTPError as error:
                raise CheckFailed(f"{path} answered {error.code}") from None
        say("JupyterLab stopped")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if NOTEBOOK.read_bytes() != before:
        raise CheckFailed(f"{NOTEBOOK.name} was changed by the check")


def main(argv: list[str] | None = None) -> int:
    """Open the laboratory, or check that it opens."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="no browser; stop again")
    args = parser.parse_args(argv)
    start_offline()
    if not args.check:
        command = lab_command(str(NOTEBOOK))
        os.chdir(ROOT)
        os.execv(command[0], command)  # Ctrl-C reaches JupyterLab itself.
    try:
        check()
    except CheckFailed as error:
        print(f"lab: FAILED: {error}", file=sys.stderr)
        return 1
    say("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())

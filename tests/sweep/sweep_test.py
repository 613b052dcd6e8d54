#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/sweep. Environment: HEDDLE."""

import csv
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SWEEP = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "sweep"
HEDDLE = os.environ["HEDDLE"]
GRID = """
[sweep]
workloads = ["figure6", "collatz"]
mechanisms = ["spe", "dpe"]
sizes = ["small"]
[set]
"run.oracle" = false
[grid]
"l1.bytes" = ["8K", "16K"]
"""


class SweepTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = self.folder / "grid.toml"
        self.out = self.folder / "out"
        self.file.write_text(GRID)

    def sweep(self, *options, **more):
        done = subprocess.run([str(c) for c in (SWEEP, self.file, "--out", self.out, "--heddle", HEDDLE, *options)], capture_output=True, text=True, check=False, **more)
        return done.returncode, done.stdout, done.stderr

    def rows(self):
        with open(self.out / "results.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def finished(self):
        return sorted((self.out / "results").glob("*.json"))


class Here(SweepTest):
    def test_every_combination_once(self):
        self.assertEqual(self.sweep(), (0, f"scripts/sweep: 8 of 8 results in {self.out}/results.csv\n", ""))
        rows = self.rows()
        self.assertEqual({(r["workload"], r["mechanism"], r["l1.bytes"]) for r in rows}, {(w, m, b) for w in ("figure6", "collatz") for m in ("spe", "dpe") for b in ("8K", "16K")})
        for row in rows:
            done = subprocess.run([HEDDLE, "run", row["workload"], "--mechanism", row["mechanism"], "--size", row["size"], "--set", f"l1.bytes={row['l1.bytes']}", "--json", "-"],
                                  capture_output=True, check=True)
            stats = json.loads(done.stdout)["stats"]
            self.assertEqual((row["result"], int(row["cycles"]), int(row["l1.hits"])), ("pass", stats["cycles"], stats["l1"]["hits"]))
        self.assertEqual(len(json.loads((self.out / "results.json").read_text())), 8)

    def test_what_is_there_is_not_run_again(self):
        self.sweep()
        before = {path: path.stat().st_mtime_ns for path in self.finished()}
        self.file.write_text(GRID.replace('"16K"]', '"16K", "32K"]'))
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(len(self.finished()), 12)
        self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before)

    def test_another_simulator_is_another_result(self):
        kernels = self.folder / "kernels"
        shutil.copytree(pathlib.Path(HEDDLE).resolve().parents[1] / "share" / "heddle" / "kernels", kernels)
        self.sweep(env=os.environ | {"HEDDLE_KERNELS": str(kernels)})
        (kernels / "figure6.elf").write_bytes((kernels / "collatz.elf").read_bytes())
        status, out, _ = self.sweep("--list", env=os.environ | {"HEDDLE_KERNELS": str(kernels)})
        self.assertEqual((status, out.count(": missing")), (0, 8))

    def test_killed_at_any_moment(self):
        self.file.write_text(GRID.replace('"small"', '"small", "default"').replace('["8K", "16K"]', '["4K", "8K", "16K", "32K"]'))
        for after in (0.15, 0.4, 1.0):
            with subprocess.Popen([str(c) for c in (SWEEP, self.file, "--out", self.out, "--heddle", HEDDLE, "--jobs", 2)], start_new_session=True, stdout=subprocess.DEVNULL) as child:
                time.sleep(after)
                os.killpg(child.pid, signal.SIGKILL)
            self.assertTrue(after > 0.15 or len(self.finished()) < 32, "nothing was stopped")
            for path in self.finished():
                self.assertEqual(json.loads(path.read_text())["result"], "pass")
        kept = {path: path.stat().st_mtime_ns for path in self.finished()}
        self.assertEqual(self.sweep()[0], 0)
        self.assertEqual(len(self.finished()), 32)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)

    def test_a_signal_that_asks(self):
        waits = self.folder / "waits"  # until it is stopped itself
        waits.write_text("#!/bin/sh\necho $$ >> \"${0%/*}/begun\"\nexec sleep 100\n")
        waits.chmod(0o755)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            for options in ((), ("--only", "3")):
                with self.subTest(signal=number, options=options):
                    begun = self.folder / "begun"
                    begun.unlink(missing_ok=True)
                    with subprocess.Popen([str(c) for c in (SWEEP, self.file, "--out", self.out, "--heddle", waits, "--jobs", 2, *options)], stderr=subprocess.PIPE, text=True,
                                          env=os.environ | {"HEDDLE_KERNELS": str(self.folder)}) as child:
                        while not begun.exists() or len(begun.read_text().split()) < (1 if options else 2):
                            time.sleep(0.01)
                        child.send_signal(number)
                        child.send_signal(number)  # the first one decides
                        self.assertEqual(child.communicate(timeout=60)[1], "scripts/sweep: stopped; the same command goes on from here\n")
                    self.assertEqual(child.returncode, 3)
                    for job in begun.read_text().split():
                        self.assertFalse(os.path.exists(f"/proc/{job}"), "a job goes on")
        self.assertEqual(self.sweep()[0], 0)

    def test_a_signal_that_is_ignored_stays_ignored(self):
        done = self.sweep(preexec_fn=lambda: (signal.signal(signal.SIGHUP, signal.SIG_IGN), os.kill(os.getpid(), signal.SIGHUP)))
        self.assertEqual(done[0], 0, done[2])

    def test_a_job_that_fails_does_not_stop_the_others(self):
        self.file.write_text(GRID.replace('"8K"', '"8000"'))
        status, out, errors = self.sweep()
        self.assertEqual((status, errors), (1, ""))
        self.assertIn("4 of 8 results", out)
        self.assertIn("; 4 failed:\n", out)
        self.assertIn("workload=collatz mechanism=dpe size=small l1.bytes=8000: heddle: l1.bytes = 8000", out)
        self.assertEqual(self.sweep("--list")[1].count(": failed: heddle: l1.bytes"), 4)
        self.assertEqual(len(self.rows()), 4)

    def test_examples(self):
        for name, jobs in (("l1_size", 18), ("dpe_paper", 36), ("slurm_sweep", 210)):
            self.file = SWEEP.parents[1] / "examples" / f"{name}.toml"
            status, out, errors = self.sweep("--list")
            self.assertEqual((status, out.count(": missing"), errors), (0, jobs, ""))

    def test_half_a_result_is_none(self):
        self.sweep()
        self.finished()[3].write_text('{"result": "pa')
        self.assertEqual(self.sweep("--list")[1].count(": missing"), 1)
        self.assertEqual(self.sweep()[0], 0)


class BadInput(SweepTest):
    def refused(self, message, *options, **more):
        status, out, errors = self.sweep(*options, **more)
        self.assertEqual((status, out, errors.count("\n")), (2, "", 1), errors)
        self.assertIn(message, errors)
        self.assertTrue(errors.startswith("scripts/sweep: "))

    def test_a_simulator_that_is_not_there_any_more(self):
        gone = self.folder / "gone"
        for script, message in (("#!/bin/sh\nrm \"$0\"\nexec '%s' \"$@\"\n" % HEDDLE, f"{gone}: cannot be run (No such file or directory)"), ("#!/nowhere/sh\n", f"{gone}: cannot be run (")):
            gone.write_text(script)
            gone.chmod(0o755)
            self.refused(message, "--heddle", gone, "--jobs", 1, env=os.environ | {"HEDDLE_KERNELS": str(pathlib.Path(HEDDLE).resolve().parents[1] / "share" / "heddle" / "kernels")})

    def test_files(self):
        for text, message in (("[sweep", "is not TOML"), ("[sweeps]\n", "'sweeps' is not known"), ("[sweep]\nworkload = 3\n", "'workload' is not known"),
                              ("[sweep]\nmechanisms = [\"spe\"]\n", "needs workloads"), (GRID.replace('["8K", "16K"]', '"8K"'), "l1.bytes is a list of values"),
                              (GRID.replace('"8K"', "8.5"), "l1.bytes is 8.5"), (GRID.replace('"run.oracle"', '"l1.bytes"'), "stands in [set] and in [grid]"),
                              (GRID.replace('["small"]', '"small"'), "sizes is a list")):
            self.file.write_text(text)
            self.refused(message)
        self.file.unlink()
        self.refused("grid.toml: cannot be read (No such file or directory)")

    def test_folders(self):
        self.out.write_text("")
        self.refused("cannot be written")
        self.out = pathlib.Path("/proc/none")
        self.refused("/proc/none: cannot be written")

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting needs root")
        self.out.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", self.out], check=False, capture_output=True).returncode != 0:
            self.skipTest("no mounts here")
        self.addCleanup(subprocess.run, ["umount", self.out], check=True)
        self.refused("cannot be written (No space left on device)")
        for path in self.finished():
            self.assertEqual(json.loads(path.read_text())["result"], "pass")

    def test_options(self):
        self.refused("--only 8: the jobs are 0 to 7", "--only", 8)
        self.refused("--jobs 0: at least 1", "--jobs", 0)
        self.refused("/absent is not there", "--heddle", "/absent")
        (self.folder / "python3").symlink_to(sys.executable)
        self.refused("sbatch was not found: install slurm-client", "--slurm", env={"PATH": str(self.folder)})


class Clusters(SweepTest):
    def test_snakemake(self):
        if shutil.which("snakemake") is None:
            self.skipTest("snakemake is not installed")
        self.assertEqual(self.sweep("--snakemake")[0], 0)
        done = subprocess.run(["snakemake", "-s", str(self.out / "Snakefile"), "--cores", "2", "--keep-going", "--quiet"], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=os.environ | {"HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.rows()), 8)

    def test_slurm(self):
        """With daemons of the test's own."""
        if shutil.which("slurmctld", path="/usr/sbin:" + os.environ["PATH"]) is None or os.geteuid() != 0:
            self.skipTest("slurmctld is not installed, or this is not root")
        name, ports = socket.gethostname().split(".")[0], []
        for _ in range(2):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                ports.append(free.getsockname()[1])
        for folder in ("state", "spool"):
            (self.folder / folder).mkdir()
        settings = self.folder / "slurm.conf"
        settings.write_text(f"""
ClusterName=heddle
SlurmctldHost={name}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={name} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        environment = os.environ | {"SLURM_CONF": str(settings), "PATH": "/usr/sbin:" + os.environ["PATH"]}
        for daemon in ("slurmctld", "slurmd"):
            child = subprocess.Popen([daemon, "-D"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(child.wait)
            self.addCleanup(child.terminate)
            time.sleep(1)
            if child.poll() is not None:
                self.skipTest(f"{daemon} does not run here: {(self.folder / (daemon + '.log')).read_text()[-200:].strip()}")

        def wait(what, condition):
            for _ in range(240):
                if condition():
                    return
                time.sleep(0.5)
            self.fail(f"{what}: {(self.folder / 'slurmctld.log').read_text()[-2000:]}")

        wait("no node", lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True, check=False).stdout)
        self.file.write_text(GRID.replace('"8K"', '"8000"'))
        status, out, errors = self.sweep("--slurm", env=environment)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("8 jobs are Slurm's array", out)
        wait("jobs do not end", lambda: not subprocess.run(["squeue", "-h"], env=environment, capture_output=True, text=True, check=True).stdout.strip())
        status, out, _ = self.sweep("--gather")
        self.assertEqual(status, 1)
        self.assertIn("4 of 8 results", out)
        self.assertEqual(out.count("heddle: l1.bytes = 8000"), 4)
        self.assertIn("4 jobs are Slurm's array", self.sweep("--slurm", env=environment)[1])  # what failed, once more
        subprocess.run(["scancel", "--user=root"], env=environment, check=True)


if __name__ == "__main__":
    unittest.main()

"""Tells BenchExec how to run Ouro and what its output means.

Put this file into a Python package that BenchExec can import (or into benchexec/tools/) and name it in the
benchmark definition: <benchmark tool="ouro" ...>. docs/competitions.md has the steps.
"""

import benchexec.result as result
from benchexec.tools.template import BaseTool2

# Exit codes of `ouro check`, as docs/report.md has them.
TERMINATES = 0
LOOPS = 1
BAD_INPUT = 2
UNKNOWN = 3
FAILED = 70


class Tool(BaseTool2):
    """
    Ouro proves that a C program always terminates, or that it can loop forever.
    """

    def executable(self, tool_locator):
        return tool_locator.find_executable("ouro", subdir="bin")

    def name(self):
        return "Ouro"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="ouro")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check"]
        if task.property_file:
            command += ["--prop", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language", "C") == "C":
            model = task.options.get("data_model")
            if model:
                command += ["--data-model", model.lower()]
        # Ouro answers a little before its limit; what BenchExec kills has no answer at all.
        if rlimits.cputime:
            command += ["--timeout", f"{rlimits.cputime}s"]
        if rlimits.memory:
            command += ["--memory", str(max(64, rlimits.memory // (1024 * 1024) * 9 // 10))]
        return command + list(options) + list(task.input_files_or_identifier)

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        code = run.exit_code.value
        first = next((line for line in run.output if line.strip()), "").strip()
        # The word is asked for besides the code: no other program's 0 or 1 is a verdict.
        if code == TERMINATES and first.startswith(("terminates", "holds", "YES")):
            return result.RESULT_TRUE_PROP
        if code == LOOPS and first.startswith(("loops forever", "violated", "NO")):
            return result.RESULT_FALSE_PROP
        if code == UNKNOWN:
            return result.RESULT_UNKNOWN
        if code == BAD_INPUT:
            return f"{result.RESULT_ERROR}(input)"
        if code == FAILED:
            return f"{result.RESULT_ERROR}(internal)"
        return result.RESULT_ERROR

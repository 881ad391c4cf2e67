"""Entry point of the hook, run as `ABS_PYTHON -I -S client.py HOST EVENT [SECONDS [STATE]]`.

It only starts `hook.py`: Python compiles a script at each run, but caches what it imports. Any failure is a denial.
"""

import posix
import sys

try:
    try:
        sys.path.insert(0, __file__[: __file__.rfind("/")])
        import hook  # type: ignore[import-not-found]

        del sys.path[0]
        hook.main(sys.argv)  # ends the process
    except BaseException as error:
        posix.write(2, f"remit: denied: {type(error).__name__}: {error}\n".encode("utf-8", "replace"))
    else:
        posix.write(2, b"remit: denied: the client did not end by itself\n")
finally:
    posix._exit(2)

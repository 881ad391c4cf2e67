"""What a call would write down, looked at before it is written: code by what it would do, prose by what it tells later readers."""
